import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import * as Signature from "../webhook/Signature.ts"

const message = { id: "event-1", body: JSON.stringify({ type: "space_content_updated", title: "Grüße, 世界 😀" }) }
const now = () => Math.floor(Date.now() / 1000)

describe("A signature of a webhook", () => {
  it("is checked by the library of the standard, with a secret of its form and with any other text", async () => {
    for (const bytes of [24, 25, 26, 64]) {
      const secret = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))}`
      const told = new Webhook(secret).verify(message.body, await Signature.headers(secret, message, now()))
      assert.deepStrictEqual(told, JSON.parse(message.body))
    }
    for (const secret of ["a secret that somebody chose", "whsec_is no Base64, but a text"]) {
      new Webhook(secret, { format: "raw" }).verify(message.body, await Signature.headers(secret, message, now()))
    }
  })

  it("is none of another secret, id, time or body", async () => {
    const secret = "a secret that somebody chose"
    const headers = await Signature.headers(secret, message, now())
    const check = (by: string, body: string, more = {}) =>
      new Webhook(by, { format: "raw" }).verify(body, { ...headers, ...more })
    check(secret, message.body)
    assert.throws(() => check(`${secret}!`, message.body), /No matching signature/)
    assert.throws(() => check(secret, `${message.body} `), /No matching signature/)
    assert.throws(() => check(secret, message.body, { "webhook-id": "event-2" }), /No matching signature/)
    assert.throws(() => check(secret, message.body, { "webhook-timestamp": String(now() - 60) }), /No matching/)
  })
})
