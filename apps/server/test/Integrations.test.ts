/** Integrations on a server that runs: programs in real processes, which call the interface of the server itself. */
import { createServer } from "node:http"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp } from "./LecternProcess.ts"
import { listen } from "./Loopback.ts"
import { programsOf, publish } from "./PublishedProgram.ts"

afterEach(cleanUp)

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

  it("answers at an origin of its own whatever a program answers, in a sandbox", async () => {
    const server = await begunServer()
    const organization = server.ready.organization.id
    const id = await publish(
      server,
      "web",
      `if (event.type === "fetch_published_script") return new Response("alert(1)", { headers: { "content-type": "application/javascript" } })
       if (event.type !== "fetch") return new Response(null, { status: 406 })
       const sent = form.get("fetch-body")
       const { method, url, headers } = event.request
       if (url.endsWith("/away")) return new Response(null, { status: 302, headers: { location: "https://example.com/" } })
       return Response.json({ method, url, cookie: headers.cookie, body: sent && await sent.text(), at: event.spaceId ?? event.siteId ?? event.installationId }, {
         status: 201,
         headers: [["set-cookie", "mine=1; Path=/"], ["set-cookie", "lectern_session=stolen"], ["x-own", "yes"], ["content-security-policy", "default-src *"]]
       })`,
      ["site:script:inject"]
    )
    const { body: shown } = await server.call("GET", "/v1/integrations/web")
    const base: string = shown.urls.publicEndpoint
    assert.notStrictEqual(new URL(base).origin, server.url)
    const answer = await fetch(`${base}/a/b?c=d`, {
      method: "POST",
      body: "sent",
      headers: { cookie: "lectern_session=secret; theirs=1" }
    })
    assert.strictEqual(answer.status, 201)
    assert.deepStrictEqual(await answer.json(), {
      method: "post",
      url: `${base}/a/b?c=d`,
      cookie: "theirs=1",
      body: "sent"
    })
    assert.deepStrictEqual(answer.headers.getSetCookie(), ["mine=1; Path=/v1/integrations/web"])
    assert.strictEqual(answer.headers.get("x-own"), "yes")
    assert.match(answer.headers.get("content-security-policy") ?? "", /^sandbox (?!.*allow-same-origin)/)
    assert.isNotNull(answer.headers.get("x-request-id"))
    const away = await fetch(`${base}/away`, { redirect: "manual" })
    assert.deepStrictEqual([away.status, away.headers.get("location")], [302, "https://example.com/"])

    const { body: installation } = await server.call("GET", `/v1/integrations/web/installations/${id}`)
    assert.strictEqual((await (await fetch(installation.urls.publicEndpoint)).json()).at, id)
    const space = server.ready.space.id
    assert.strictEqual((await (await fetch(`${installation.urls.publicEndpoint}/spaces/${space}`)).json()).at, space)
    const site = (await server.call("POST", `/v1/orgs/${organization}/sites`, { spaces: [space] })).body.id
    const { body: scripts } = await server.call("GET", `/v1/orgs/${organization}/sites/${site}/integration-scripts`)
    const script = await fetch(scripts[0].script)
    assert.strictEqual(await script.text(), "alert(1)")
    assert.strictEqual(script.headers.get("content-type"), "application/javascript")

    const origin = new URL(base).origin
    for (const path of [
      "/",
      "/v1/spaces",
      "/v1/integrations/none/integration",
      "/v1/integrations/web/installations/x"
    ]) {
      const absent = await fetch(origin + path)
      assert.strictEqual(absent.status, 404, path)
      assert.strictEqual((await absent.json()).error.code, 404)
    }
    const paused = { status: "paused" }
    await server.call("PATCH", `/v1/integrations/web/installations/${id}`, paused)
    assert.strictEqual((await fetch(installation.urls.publicEndpoint)).status, 404)
  })

  it("tells a new process what another was told that crashed, in order, and gives up what crashes three of them", async () => {
    const told: Array<string> = []
    let crash = () => {}
    // All but the first wait meanwhile, so that they are given in one go.
    const { promise: configured, resolve: isConfigured } = Promise.withResolvers<void>()
    const outside = await listen(
      createServer((request, answer) => {
        const city = request.url!.slice(1)
        told.push(city)
        if (city === "undefined") return void configured.then(() => answer.end("fine"))
        const isFirst = told.indexOf(city) === told.length - 1
        if (city === "Poison" || (city === "Bergen" && isFirst)) crash()
        else answer.end("fine")
      })
    )
    const server = await begunServer({ env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } })
    crash = () => programsOf(server).forEach((program) => process.kill(program, "SIGKILL"))
    const id = await publish(
      server,
      "crashing",
      `if (event.type !== "installation_setup" || event.previous === undefined) return new Response(null, { status: 406 })
       await fetch("${outside.url}/" + event.previous.configuration.next)
       return new Response("OK")`,
      []
    )
    const cities = ["Oslo", "Bergen", "Poison", "Tromsø"].map((city) => encodeURIComponent(city))
    for (const next of [...cities, "end"]) {
      const configuration = { next }
      await server.call("PATCH", `/v1/integrations/crashing/installations/${id}`, { configuration })
    }
    isConfigured()
    for (;;) {
      const { body } = await server.call("GET", "/v1/integrations/crashing/events")
      if (body.items.length < cities.length + 2) continue
      assert.deepStrictEqual(body.items.map(({ status }: any) => status).toReversed(), [
        "success",
        "success",
        "success",
        "success",
        "failed",
        "success"
      ])
      const { body: failed } = await server.call("GET", `/v1/integrations/crashing/events/${body.items[1].id}`)
      assert.match(failed.trace.logs.at(-1).message, /ended in the middle/)
      break
    }
    const [oslo, bergen, poison, tromso] = cities
    assert.deepStrictEqual(
      told.filter((city) => city !== "undefined"),
      [oslo, bergen, bergen, poison, poison, poison, tromso]
    )
    await outside.close()
  })
})
