/** Programs and events on a server that is killed. What was being told waits for the lease of its job, a minute. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, serve, type Server } from "./LecternProcess.ts"
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

  it("loses no event that it was telling", async () => {
    const server = await begunServer()
    const space = server.ready.space.id
    await publish(server, "receiver", `return new Response("OK")`, ["space:content:read"])
    const revisions: Array<string> = []
    for (let i = 0; i < 20; i++) {
      const source = { url: `data:text/markdown,Page ${i}`, source: "markdown" }
      const { status, body } = await server.call("POST", `/v1/spaces/${space}/content/import`, source)
      assert.strictEqual(status, 201)
      revisions.push(body.revision)
    }
    await server.signal("SIGKILL")
    const again = await serve(server.ready.data, { token: server.token })
    for (;;) {
      const told = await updatesTold(again, "receiver")
      if (told.length < revisions.length) continue
      // The newest first, and each in the order in which it happened.
      assert.deepStrictEqual([...new Set(told)].toReversed(), revisions)
      return
    }
  })
})
