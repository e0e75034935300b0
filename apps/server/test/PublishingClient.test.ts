/**
 * Requests of the hosted service's command line (`@gitbook/cli` 0.25.1), to the letter, and the fields that it
 * reads of the answers: `auth`, `whoami`, `publish`, `tail`, `dev`, `openapi publish`, `unpublish`. The
 * program itself is too large to be installed for a test.
 */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, type Server } from "./LecternProcess.ts"
import { listen } from "./Loopback.ts"

let server: Server

beforeAll(async () => {
  server = await begunServer({ env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } })
})

afterAll(cleanUp)

/** Any other status than a 2xx ends it; a body is read as JSON, whatever type it says it has. */
const send = async (method: string, path: string, body?: string, token = server.token) => {
  const response = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "user-agent": "@gitbook/cli/0.25.1",
      accept: "*/*",
      ...(body !== undefined && { "content-type": "application/json" })
    },
    ...(body !== undefined && { body })
  })
  const text = await response.text()
  if (response.ok) return text === "" ? undefined : JSON.parse(text)
  throw new Error(`GitBook API failed with [${response.status}] ${response.url}: ${JSON.parse(text).error.message}`)
}

/** As its bundler writes one: an ES module whose default export takes a form at `/v1`, and anything else not. */
const script = `var n={fetch:async(e,t,r)=>{if(new URL(e.url).pathname!=="/v1")return new Response("Unsupported version",{status:400});let o=await e.formData(),a=JSON.parse(o.get("event")),i=JSON.parse(o.get("environment"));if(a.type==="ui_render"){console.log("rendering",a.props.city);let s=await fetch(i.apiEndpoint+"/v1/spaces/"+a.spaceId,{headers:{authorization:"Bearer "+i.apiTokens.installation,"user-agent":"integration-"+i.integration.name+"/"+i.integration.version}});return new Response(JSON.stringify({type:"element",state:{},props:a.props,element:{type:"block",children:[{type:"text",children:[(await s.json()).title]}]}}),{headers:{"content-type":"application/json","cache-control":"max-age=60"}})}return new Response(JSON.stringify({error:'Integration does not handle "'+a.type+'" events'}),{status:406,headers:{"content-type":"application/json"}})}};export{n as default};`

const name = "Weather-CLI"

const publish = () =>
  send(
    "POST",
    `/integrations/${name}`,
    JSON.stringify({
      runtime: "v2",
      title: "Weather",
      description: "Tells what it is like outside",
      scopes: ["space:content:read"],
      blocks: [{ id: "weather", title: "Weather" }],
      visibility: "private",
      organization: server.ready.organization.hostname,
      previewImages: [],
      script
    })
  )

const render = (city: string) =>
  send(
    "POST",
    `/integrations/${name}/render`,
    JSON.stringify({
      componentId: "weather",
      props: { city },
      context: { type: "document", spaceId: server.ready.space.id, editable: false, theme: "light" }
    })
  )

describe("The hosted service's command line", () => {
  it("signs in with a token and says who that is", async () => {
    const user = await send("GET", "/user")
    assert.deepStrictEqual(
      [user.id, user.displayName, user.email],
      [server.ready.user.id, server.ready.user.displayName, server.ready.user.email]
    )
    const refused = await send("GET", "/user", undefined, "wrong").catch(({ message }: Error) => message)
    assert.match(refused, /^GitBook API failed with \[401\] http.*: \w/)
  })

  it("publishes an integration and a new version of it, follows its events, and unpublishes it", async () => {
    const { name: published, urls, version } = await publish()
    assert.deepStrictEqual([published, version], [name, 1])
    assert.isString(urls.app)
    assert.strictEqual((await publish()).version, 2)
    const { organization, space } = server.ready
    await send("POST", `/integrations/${name}/installations`, JSON.stringify({ organization: organization.id }))
    const drawn = await render("Oslo")
    assert.strictEqual(drawn.element.children[0].children[0], space.title)

    // It asks for two events every 10 seconds, and for each that it has not seen.
    for (;;) {
      const { items } = await send("GET", `/integrations/${name}/events?limit=2`)
      const found = items.find(({ payload }: any) => payload.type === "ui_render")
      if (found === undefined) continue
      assert.isAtMost(items.length, 2)
      assert.strictEqual(found.status, "success")
      assert.isFalse(Number.isNaN(Date.parse(found.createdAt)))
      const { event, trace } = await send("GET", `/integrations/${name}/events/${found.id}`)
      assert.strictEqual(event.id, found.id)
      assert.deepStrictEqual(
        trace.logs.map(({ level, message }: any) => [level, message]),
        [["info", "rendering Oslo"]]
      )
      break
    }

    assert.isUndefined(await send("DELETE", `/integrations/${name}`))
    const gone = await send("GET", `/integrations/${name}`).catch(({ message }: Error) => message)
    assert.match(gone, /^GitBook API failed with \[404\]/)
  })

  it("sends events to a developer's tunnel until it is interrupted, or the tunnel is gone", async () => {
    await publish()
    await send(
      "POST",
      `/integrations/${name}/installations`,
      JSON.stringify({ organization: server.ready.organization.id })
    )
    // Else its setup may be what finds out that the tunnel is gone.
    for (;;) {
      const { items } = await send("GET", `/integrations/${name}/events?limit=2`)
      if (items.some(({ payload, status }: any) => payload.type === "installation_setup" && status === "success")) break
    }
    const asked: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string }> = []
    const tunnel = await listen(
      createServer(async (request, answer) => {
        let body = ""
        for await (const part of request.setEncoding("utf8")) body += part
        asked.push({ headers: request.headers, body })
        answer.setHeader("content-type", "application/json")
        answer.end(JSON.stringify({ type: "complete", returnValue: { here: "on my machine" } }))
      })
    )
    const begin = (tunnelUrl: string) =>
      send("PUT", `/integrations/${name}/dev`, JSON.stringify({ tunnelUrl, all: false }))
    // The program that makes the tunnel gives it such a name, always.
    assert.isUndefined(await begin("https://some-words-of-its-own.trycloudflare.com"))
    assert.isUndefined(await begin(tunnel.url))
    assert.deepStrictEqual((await render("Rome")).returnValue, { here: "on my machine" })
    const [{ headers, body }] = asked as [(typeof asked)[number]]
    assert.match(headers["content-type"] ?? "", /^multipart\/form-data; boundary=/)
    for (const part of ["event", "environment"]) assert.include(body, `name="${part}"`)
    assert.isUndefined(await send("DELETE", `/integrations/${name}/dev`))
    assert.strictEqual((await render("Paris")).element.type, "block")

    // Interrupted, it says nothing: its tunnel is gone, which the next event finds out.
    await begin(tunnel.url)
    await tunnel.close()
    const lost = await render("Madrid").catch(({ message }: Error) => message)
    assert.match(lost, /\[502\].*tunnel can't be reached/)
    assert.strictEqual((await render("Lisbon")).element.type, "block")
    await send("DELETE", `/integrations/${name}`)
  })

  it("publishes a spec, as text or by its URL", async () => {
    const spec = JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths: {} })
    const source = await listen(createServer((_, answer) => answer.end(spec)))
    const path = `/orgs/${server.ready.organization.id}/openapi`
    for (const [slug, from] of [
      ["pets", { text: spec }],
      ["pets-by-url", { url: `${source.url}/spec.json` }]
    ] as const) {
      const { urls } = await send("PUT", `${path}/${slug}`, JSON.stringify({ source: from }))
      assert.isString(urls.app)
    }
    await source.close()
  })
})
