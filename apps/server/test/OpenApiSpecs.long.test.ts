/** Specs on a server that runs: fetched for real, from where the operator allows it. */
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { large, small, yaml } from "../../../packages/core/test/openapi/SpecTexts.ts"
import { begunServer, cleanUp, serve, type Server } from "./LecternProcess.ts"

afterEach(cleanUp)

/** Answers of the server outside, by path. */
const answers = new Map<string, { readonly status?: number; readonly location?: string; readonly body?: string }>()
let outside: HttpServer
let base: string

beforeAll(async () => {
  outside = createServer((request, response) => {
    const { status = 200, location, body = "" } = answers.get(request.url ?? "") ?? { status: 404 }
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  })
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve))
  base = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
})

afterAll(() => {
  outside.closeAllConnections()
  outside.close()
})

/** Asks until the spec is processed. */
const processed = async (server: Server, path: string): Promise<any> => {
  for (;;) {
    const { status, body } = await server.call("GET", path)
    assert.strictEqual(status, 200)
    if (body.processingState === "complete") return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const specsOf = (server: Server) => `/v1/orgs/${server.ready.organization.id}/openapi`

describe("A server with specs", () => {
  it("fetches, refreshes and publishes them, and keeps them through a restart", async () => {
    const env = { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }
    const server = await begunServer({ env })
    const specs = specsOf(server)
    answers.set("/pets.yaml", { body: yaml })
    answers.set("/moved", { status: 302, location: "/pets.yaml" })
    const source = { url: `${base}/moved` }
    assert.strictEqual((await server.call("POST", specs, { slug: "pets", source })).status, 201)
    const first = await processed(server, `${specs}/pets`)
    assert.notProperty(first, "lastProcessErrorCode")
    const raw = await server.call("GET", `${specs}/pets/versions/latest/content/raw`)
    assert.deepStrictEqual(raw.body, { text: yaml, format: "yaml" })

    answers.set("/pets.yaml", { body: small("Newer") })
    assert.strictEqual((await server.call("PUT", `${specs}/pets`, { source })).status, 200)
    const second = await processed(server, `${specs}/pets`)
    assert.notStrictEqual(second.lastVersion, first.lastVersion)

    answers.set("/pets.yaml", { body: "<html>" })
    await server.call("PUT", `${specs}/pets`, { source })
    const third = await processed(server, `${specs}/pets`)
    assert.strictEqual(third.lastProcessErrorCode, "PARSE_ERROR")
    assert.strictEqual(third.lastVersion, second.lastVersion)

    // To where the operator allows nothing.
    answers.set("/away", { status: 302, location: "http://127.0.0.2:1/secret" })
    await server.call("PUT", `${specs}/away`, { source: { url: `${base}/away` } })
    assert.strictEqual((await processed(server, `${specs}/away`)).lastProcessErrorCode, "FETCH_ERROR")

    const { body } = await server.call("PATCH", `${specs}/pets`, { visibility: "public" })
    await server.signal("SIGTERM")
    const again = await serve(server.ready.data, { env, token: server.token })
    assert.strictEqual((await again.call("GET", `${specs}/pets/versions`)).body.count, 2)
    const published = await fetch(again.url + new URL(body.urls.published).pathname)
    assert.deepInclude(await published.json(), { openapi: "3.1.0" })
  })

  it("fetches nothing from its own network unless it is told to", async () => {
    const server = await begunServer()
    const specs = specsOf(server)
    const refused = await server.call("POST", specs, { slug: "pets", source: { url: `${base}/pets.yaml` } })
    assert.strictEqual(refused.status, 400)
    assert.strictEqual(refused.body.error.issues[0].path, "body.source.url")
    assert.strictEqual((await server.call("GET", specs)).body.count, 0)
  })

  it("answers others while it processes a spec of 5 MB", async () => {
    const server = await begunServer({ env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } })
    const specs = specsOf(server)
    answers.set("/large", { body: large(5 * 1024 * 1024) })
    await server.call("POST", specs, { slug: "large", source: { url: `${base}/large` } })
    let answered = 0
    const spec = await (async () => {
      for (;;) {
        const { body } = await server.call("GET", `${specs}/large`)
        if (body.processingState === "complete") return body
        answered++
      }
    })()
    assert.notProperty(spec, "lastProcessErrorCode")
    assert.isAbove(answered, 20)
    const content = await server.call("GET", `${specs}/large/versions/latest/content`)
    assert.isDefined(content.body.filesystem[0].specification.components.schemas.Thing0)
  })
})
