/** Integrations on a server that runs: programs in real processes, which call the interface of the server itself. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, serve, type Server } from "./Lectern.ts"

afterEach(cleanUp)

/** A module that answers each event as this function body does: of `event`, `environment` and `api`. */
const program = (body: string): string => `
  export default {
    fetch: async (request) => {
      const form = await request.formData()
      const event = JSON.parse(form.get("event"))
      const environment = JSON.parse(form.get("environment"))
      const api = (path) => fetch(environment.apiEndpoint + "/v1" + path, {
        headers: { authorization: "Bearer " + environment.apiTokens.installation }
      })
      ${body}
    }
  }`

const publish = async (server: Server, name: string, body: string, scopes: ReadonlyArray<string>): Promise<string> => {
  const organization = server.ready.organization.id
  const published = await server.call("POST", `/v1/integrations/${name}`, {
    organization,
    title: "Weather",
    description: "",
    scopes,
    runtime: "v2",
    script: program(body)
  })
  assert.strictEqual(published.status, 200, JSON.stringify(published.body))
  const installed = await server.call("POST", `/v1/integrations/${name}/installations`, { organization })
  assert.strictEqual(installed.status, 201)
  return installed.body.id
}

const updatesTold = async (server: Server, name: string): Promise<ReadonlyArray<string>> => {
  const { body } = await server.call("GET", `/v1/integrations/${name}/events?limit=1000`)
  return body.items
    .filter(({ payload, status }: any) => payload.type === "space_content_updated" && status === "success")
    .map(({ payload }: any) => payload.revisionId)
}

describe("A server with integrations", () => {
  it("draws what a program answers, which asks the interface with its token, and shows what it logged", async () => {
    const server = await begunServer()
    const space = server.ready.space.id
    await publish(
      server,
      "weather",
      `console.log("asked", event.type)
       if (event.type !== "ui_render") return new Response(null, { status: 406 })
       const { title } = await (await api("/spaces/" + event.spaceId)).json()
       const { status } = await api("/orgs/" + environment.installation.target.organization + "/members")
       return Response.json({ type: "element", state: {}, props: {}, element: { type: "block", children: [title, status] } })`,
      ["space:content:read"]
    )
    const request = { componentId: "weather", props: {}, context: { type: "document", spaceId: space } }
    const drawn = await server.call("POST", "/v1/integrations/weather/render", request)
    assert.strictEqual(drawn.status, 200, JSON.stringify(drawn.body))
    assert.deepStrictEqual(drawn.body.element.children, [server.ready.space.title, 404])
    for (;;) {
      const { body } = await server.call("GET", "/v1/integrations/weather/events")
      const render = body.items.find(({ payload }: any) => payload.type === "ui_render")
      if (render === undefined) continue
      const traced = await server.call("GET", `/v1/integrations/weather/events/${render.id}`)
      assert.deepStrictEqual(
        traced.body.trace.logs.map(({ message }: any) => message),
        ["asked ui_render"]
      )
      break
    }
  })

  it("loses no event when it is killed while it tells them", async () => {
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
