import type { Assertion } from "@lectern/core/sso/Assertion"
import { accept, clockSkew } from "@lectern/core/sso/AssertionRules"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const service = { entityID: "https://docs.example.com/saml/1/metadata", acsURL: "https://docs.example.com/saml/1/acs" }
const now = Date.UTC(2026, 0, 1, 12)
const at = (offset: number) => new Date(now + offset).toISOString()
const bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
const confirmation = { method: bearer, recipient: service.acsURL, inResponseTo: "_r", notOnOrAfter: at(60_000) }

const good: Assertion = {
  id: "_a",
  issuer: "idp",
  nameID: "ada@example.com",
  confirmations: [confirmation],
  notBefore: at(-1000),
  notOnOrAfter: at(60_000),
  audiences: [[service.entityID]],
  attributes: new Map()
}

const judge = (change: Partial<Assertion>, time = now) =>
  accept({ ...good, ...change }, { issuer: "idp", service, now: time })

const reasonOf = (change: Partial<Assertion>) => {
  const result = judge(change)
  return Result.isFailure(result) ? result.failure.reason : "accepted"
}

describe("AssertionRules", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Assertion>, string]> = [
    ["one that is right", {}, "accepted"],
    ["another issuer", { issuer: "idp2" }, "issuer"],
    ["an issuer that begins alike", { issuer: "idp " }, "issuer"],
    ["no audience", { audiences: [] }, "audience"],
    ["an empty audience", { audiences: [[]] }, "audience"],
    ["one of several audiences", { audiences: [["other", service.entityID]] }, "accepted"],
    ["a second restriction that leaves us out", { audiences: [[service.entityID], ["other"]] }, "audience"],
    ["no confirmation", { confirmations: [] }, "recipient"],
    ["another recipient", { confirmations: [{ ...confirmation, recipient: `${service.acsURL}/` }] }, "recipient"],
    ["another method", { confirmations: [{ ...confirmation, method: "holder-of-key" }] }, "recipient"],
    ["a confirmation for ever", { confirmations: [{ method: bearer, recipient: service.acsURL }] }, "time"],
    ["a time without sense", { notOnOrAfter: "tomorrow" }, "time"],
    ["a start without sense", { notBefore: "2026-13-45T99:00:00Z" }, "time"],
    ["a time without a zone, in UTC", { notOnOrAfter: at(1000).replace("Z", "") }, "accepted"],
    ["a time in another zone", { notOnOrAfter: "2026-01-01T13:00:01+01:00" }, "accepted"],
    ["a session that has ended", { sessionNotOnOrAfter: at(-1) }, "time"],
    ["a session without sense", { sessionNotOnOrAfter: "x" }, "time"],
    [
      "one of two confirmations",
      { confirmations: [{ ...confirmation, notOnOrAfter: at(-100_000) }, confirmation] },
      "accepted"
    ],
    ["no e-mail address", { nameID: "ada" }, "person"],
    ["a name with a control character", { nameID: "ad\u001ba@example.com" }, "person"],
    ["a name with a line break", { nameID: "ada@example.com\nx" }, "person"],
    ["an address that is too long", { nameID: `${"a".repeat(252)}@b.c` }, "person"]
  ]
  it.each(cases)("judges %s", (_name, change, reason) => {
    assert.strictEqual(reasonOf(change), reason)
  })

  it("asks for a request", () => {
    const { inResponseTo: _, ...rest } = confirmation
    assert.strictEqual(reasonOf({ confirmations: [rest] }), "request")
  })

  it("accepts within its time and a minute around it, and at no other", () => {
    fc.assert(
      fc.property(fc.integer({ min: -300_000, max: 300_000 }), (offset) => {
        const isWithin = offset >= -1000 - clockSkew && offset < 60_000 + clockSkew
        assert.strictEqual(Result.isSuccess(judge({}, now + offset)), isWithin)
      }),
      runs()
    )
  })

  const claims = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
  it.each([
    [{ mail: "a@x.example" }, "a@x.example", undefined],
    [{ Email: " a@x.example ", displayName: "Ada" }, "a@x.example", "Ada"],
    [{ "urn:oid:0.9.2342.19200300.100.1.3": "a@x.example" }, "a@x.example", undefined],
    [
      { [`${claims}emailaddress`]: "a@x.example", [`${claims}givenname`]: "A", [`${claims}surname`]: "L" },
      "a@x.example",
      "A L"
    ],
    [{ cn: "Ada L" }, "ada@example.com", "Ada L"],
    [{ email: "", firstName: "Ada" }, "ada@example.com", "Ada"],
    [{ displayName: "x".repeat(200) }, "ada@example.com", "x".repeat(100)],
    [{ displayName: "Ada\n  King\t", sn: "x" }, "ada@example.com", "Ada King"],
    [{ displayName: `${"x".repeat(99)} King` }, "ada@example.com", "x".repeat(99)],
    [{ displayName: "\u0085" }, "ada@example.com", undefined],
    [{ displayName: "\ud800" }, "ada@example.com", undefined]
  ])("reads %j", (attributes, email, name) => {
    const said = Result.getOrThrow(
      judge({ attributes: new Map(Object.entries(attributes).map(([key, value]) => [key, [value as string]])) })
    )
    assert.strictEqual(said.email, email)
    assert.strictEqual(said.name, name)
  })
})
