/** Programs and events on a server that is killed. What was being told waits for the lease of its job, a minute. */
import { createServer } from "node:http"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, serve, type Server } from "./LecternProcess.ts"
import { listen } from "./Loopback.ts"
import { programsOf, publish } from "./PublishedProgram.ts"

afterEach(cleanUp)

const updatesTold = async (server: Server, name: string): Promise<ReadonlyArray<string>> => {
  const { body } = await server.call("GET", `/v1/integrations/${name}/events?limit=1000`)
  return body.items
    .filter(({ payload, status }: any) => payload.type === "space_content_updated" && status === "success")
    .map(({ payload }: any) => payload.revisionId)
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("A server with integrations that is killed", () => {
  it("leaves no program behind", async () => {
    const server = await begunServer()
    const space = server.ready.space.id
    await publish(server, "kept", `return Response.json({ type: "complete" })`, [])
    const context = { type: "document", spaceId: space, editable: false, theme: "light" }
    const { status } = await server.call("POST", "/v1/integrations/kept/render", {
      componentId: "any",
      props: {},
      context
    })
    assert.strictEqual(status, 200)
    const programs = programsOf(server)
    assert.isAtLeast(programs.length, 1)
    await server.signal("SIGKILL")
    while (programs.some(isThere)) await new Promise(setImmediate)
  })

  it("loses no event of those that it was telling one after another", async () => {
    const asked: Array<string> = []
    const { promise: allAreQueued, resolve: isQueued } = Promise.withResolvers<void>()
    const { promise: isInTheMiddle, resolve: inTheMiddle } = Promise.withResolvers<void>()
    let isKilled = false
    const outside = await listen(
      createServer((request, answer) => {
        const end = () => void answer.end("fine")
        asked.push(request.url!.slice(1))
        if (isKilled) return end()
        // The others wait behind the first, and the program is kept at one of them.
        if (asked.length === 1) void allAreQueued.then(end)
        else if (asked.length < 8) end()
        else inTheMiddle()
      })
    )
    const env = { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }
    const server = await begunServer({ env })
    const space = server.ready.space.id
    await publish(
      server,
      "receiver",
      `if (event.type === "space_content_updated") await fetch("${outside.url}/" + event.revisionId)
       return new Response("OK")`,
      ["space:content:read"]
    )
    const revisions: Array<string> = []
    for (let i = 0; i < 20; i++) {
      const source = { url: `data:text/markdown,Page ${i}`, source: "markdown" }
      const { status, body } = await server.call("POST", `/v1/spaces/${space}/content/import`, source)
      assert.strictEqual(status, 201)
      revisions.push(body.revision)
    }
    isQueued()
    await isInTheMiddle
    await server.signal("SIGKILL")
    isKilled = true
    const again = await serve(server.ready.data, { token: server.token, env })
    for (;;) {
      const told = await updatesTold(again, "receiver")
      if (told.length < revisions.length) continue
      // The newest first, and each in the order in which it happened.
      assert.deepStrictEqual([...new Set(told)].toReversed(), revisions)
      break
    }
    // What was told again begins anew, and goes on from there.
    assert.deepStrictEqual(asked.slice(0, 8), revisions.slice(0, 8))
    assert.deepStrictEqual(asked.slice(8), revisions.slice(revisions.indexOf(asked[8]!)))
    assert.isAtMost(revisions.indexOf(asked[8]!), 7)
    await outside.close()
  })
})
