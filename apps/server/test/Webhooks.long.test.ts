/**
 * Events over kills: a server is killed while it writes and delivers, and started again. The feed has every acknowledged
 * change once, and a webhook receives every event at least once, in the order of the feed, with valid signatures.
 */
import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import { begunServer, serve } from "./LecternProcess.ts"
import { Receiver } from "./Receiver.ts"

const rounds = 4
const writesPerRound = 30
const env = { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }

describe("Events", () => {
  it("are in the feed once, and arrive at webhooks at least once and in order, though the server is killed", async () => {
    const receiver = await Receiver.open()
    let server = await begunServer({ env })
    const { token } = server
    const data: string = server.ready.data
    const organization: string = server.ready.organization.id
    const at = `/v1/orgs/${organization}`
    const space = (await server.call("POST", `${at}/spaces`, { title: "Kills" })).body.id as string
    const created = await server.call("POST", `${at}/webhooks`, { url: receiver.url, types: ["space_updated"] })
    assert.strictEqual(created.status, 201)
    const start = (await server.call("GET", `${at}/events?types=space_removed&limit=200`)).body.after as string
    let acknowledged = 0
    for (let round = 0; round < rounds; round++) {
      const current = server
      for (let write = 0; write < writesPerRound; write++) {
        const title = `Title ${round} ${write}`
        assert.strictEqual((await current.call("PATCH", `/v1/spaces/${space}`, { title })).status, 200)
        acknowledged++
      }
      // Some events are delivered, others wait, and one may be on its way.
      await receiver.until(() => true, 1 + round * 10)
      await current.signal("SIGKILL")
      server = await serve(data, { token, env })
    }
    const ids: Array<string> = []
    for (let [after, hasMore] = [start, true]; hasMore;) {
      const { body } = await server.call("GET", `${at}/events?types=space_updated&space=${space}&after=${after}`)
      ids.push(...body.items.map((event: { id: string }) => event.id))
      ;({ after, hasMore } = body)
    }
    assert.strictEqual(ids.length, acknowledged)
    assert.strictEqual(new Set(ids).size, acknowledged)
    const idOf = ({ headers }: { headers: Record<string, unknown> }) => headers["webhook-id"] as string
    await receiver.until((received) => idOf(received) === ids.at(-1))
    assert.deepStrictEqual([...new Set(receiver.received.map(idOf))], ids)
    const verifier = new Webhook(created.body.secret)
    for (const { body, headers } of receiver.received) {
      assert.strictEqual(
        (verifier.verify(body, headers as Record<string, string>) as { id: string }).id,
        idOf({ headers })
      )
    }
    const { body: attempts } = await server.call("GET", `${at}/webhooks/${created.body.id}/deliveries?limit=1`)
    assert.deepInclude(attempts.items[0], { status: "success", statusCode: 200 })
    assert.strictEqual((await server.signal("SIGTERM")).code, 0)
    await receiver.close()
  })

  it("arrive at a stream as they happen, and the stream ends with its token and with the server", async () => {
    const server = await begunServer()
    const at = `/v1/orgs/${server.ready.organization.id}`
    const { token } = (await server.call("POST", "/v1/user/tokens", { scopes: ["event:read"] })).body
    const open = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`${server.url}${at}/events`, {
        headers: {
          authorization: `Bearer ${token}`,
          accept: "text/event-stream",
          "accept-encoding": "gzip, br",
          ...headers
        }
      })
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
      assert.isNull(response.headers.get("content-encoding"))
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ""
      return {
        /** Reads until the text matches, or to the end. */
        until: async (pattern: RegExp): Promise<string> => {
          while (!pattern.test(text)) {
            const { done, value } = await reader.read()
            if (done) break
            text += value
          }
          return text
        }
      }
    }
    const stream = await open()
    await stream.until(/^: \nid: /)
    const space = (await server.call("POST", `${at}/spaces`, { title: "Streamed" })).body.id as string
    const text = await stream.until(/space_created/)
    const [, id, data] = /id: (\w+)\nevent: space_created\ndata: (.*)\n\n/.exec(text)!
    assert.deepInclude(JSON.parse(data!), { object: "event", id, type: "space_created", space })
    await server.call("PATCH", `/v1/spaces/${space}`, { title: "Renamed" })
    const resumed = await open({ "last-event-id": id! })
    assert.notInclude(await resumed.until(/space_updated/), "space_created")
    const { items } = (await server.call("GET", "/v1/user/tokens")).body
    const last = items.find((one: { scopes?: unknown }) => one.scopes !== undefined)
    await server.call("DELETE", `/v1/user/tokens/${last.id}`)
    // The revocation is noticed at the latest with the next comment.
    await server.call("PATCH", `/v1/spaces/${space}`, { title: "Unseen" })
    assert.notInclude(await stream.until(/Unseen/), "Unseen")
    const other = await open({ authorization: `Bearer ${server.token}` })
    await other.until(/id: /)
    const startedAt = performance.now()
    assert.strictEqual((await server.signal("SIGTERM")).code, 0)
    await other.until(/never/)
    assert.isBelow(performance.now() - startedAt, 7_000)
  })
})
