import { assert, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { apiHandler } from "@lectern/http/fetch"
import { toNextHandler } from "@lectern/http/next"

it("exports a function for each method, and creates the handler at the first request", async () => {
  let created = 0
  const routes = toNextHandler(async () => {
    created++
    if (created === 1) throw new Error("The database is locked")
    const lectern = await MemoryLectern.open({ extensions: [Exchange.extension()] })
    return apiHandler(lectern, { at: "/api/lectern" })
  })
  assert.strictEqual(created, 0)
  const url = "http://localhost:3000/api/lectern/healthz"
  const error: unknown = await routes.GET(new Request(url)).catch((error: unknown) => error)
  assert.propertyVal(error, "message", "The database is locked")
  for (const [method, route] of Object.entries(routes)) {
    const { status } = await route(new Request(url, { method }))
    assert.strictEqual(status, method === "GET" || method === "HEAD" ? 200 : 405, method)
  }
  assert.strictEqual((await routes.GET(new Request("http://localhost:3000/api/other"))).status, 404)
  assert.strictEqual(created, 2)
})

it("passes on the host that the client requested, with the body", async () => {
  const { POST } = toNextHandler(async () => ({
    fetch: async (request) => new Response(`${request.method} ${request.url} ${await request.text()}`)
  }))
  const ask = async (host: string, url = "https://localhost:3000/help?a=1") => {
    const response = await POST(new Request(url, { method: "POST", headers: { host }, body: "words" }))
    return response.text()
  }
  assert.strictEqual(await ask("acme.com"), "POST https://acme.com/help?a=1 words")
  assert.strictEqual(await ask("localhost:3000"), "POST https://localhost:3000/help?a=1 words")
  assert.strictEqual(await ask("acme.com/other"), "POST https://localhost:3000/help?a=1 words")
})
