/** Starts the examples in `hosts/` whose frameworks are installed, and calls the handlers that the others export. */
import { mkdtempSync } from "node:fs"
import type { Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { openHelp } from "./hosts/help.ts"

/** Folder of the databases. It is removed with the folder of the run, since the programs never close Lectern. */
const databases = mkdtempSync(join(tmpdir(), "lectern-hosts-"))

beforeEach(({ task }) => {
  vi.stubEnv("DATABASE", join(databases, `${task.id}.db`))
})

afterEach(() => {
  vi.unstubAllEnvs()
})

type Fetch = (path: string, init?: RequestInit) => Promise<Response>

const urlsIn = (text: string) => Array.from(text.matchAll(/ (?:href|src|action)="([^"#][^"]*)"/g), ([, url]) => url!)

/** Checks the site at `/help`, whose origin is that of the request. */
const checkSite = async (fetch: Fetch, origin: string) => {
  for (const path of ["/help", "/help/repair", "/help/repair/", "/help/~search?q=unplug"]) {
    const response = await fetch(path)
    const text = await response.text()
    assert.strictEqual(response.status, 200, path)
    assert.deepStrictEqual(
      urlsIn(text).filter((url) => !/^(?:data:|\/help(?:\/|$))/.test(url) && !url.startsWith(`${origin}/help`)),
      [],
      path
    )
    for (const url of urlsIn(text).filter((url) => /\.(?:css|js)$/.test(url))) assert.isTrue((await fetch(url)).ok, url)
  }
  assert.include(await (await fetch("/help/repair")).text(), `<link rel="canonical" href="${origin}/help/repair">`)
  assert.include(await (await fetch("/help/sitemap.xml")).text(), `<loc>${origin}/help/repair</loc>`)
  assert.strictEqual((await fetch("/help/nothing")).status, 404)
}

/** Checks the API at `/api/lectern`. */
const checkApi = async (fetch: Fetch) => {
  assert.strictEqual((await fetch("/api/lectern/healthz")).status, 200)
  const headers = { "content-type": "application/json" }
  const refused = await fetch("/api/lectern/v1/orgs", { method: "POST", headers, body: '{"title":"Acme"}' })
  assert.strictEqual(refused.status, 401)
  assert.nestedPropertyVal(await refused.json(), "error.code", 401)
}

describe("Servers", () => {
  it.each(["express", "fastify", "hono"])("%s", async (name) => {
    const printed = Promise.withResolvers<string>()
    const log = vi.spyOn(console, "log").mockImplementation(printed.resolve)
    vi.stubEnv("PORT", "0")
    const { server } = (await import(`./hosts/${name}.ts`)) as { readonly server: Server }
    try {
      const { origin, pathname } = new URL(await printed.promise)
      assert.strictEqual(pathname, "/help")
      const ask: Fetch = (path, init) => fetch(new URL(path, origin), init)
      await checkSite(ask, origin)
      await checkApi(ask)
      assert.strictEqual(await (await ask("/")).text(), "The application's own page\n")
      assert.strictEqual((await ask("/elsewhere")).status, 404)
    } finally {
      log.mockRestore()
      server.close()
      server.closeAllConnections()
    }
  })
})

describe("Exported handlers", () => {
  const origin = "http://localhost:3000"
  const own = () => new Response("The application's own page\n")

  it("Next.js", async () => {
    const site = await import("./hosts/next/app/help/[[...path]]/route.ts")
    const api = await import("./hosts/next/app/api/lectern/[[...path]]/route.ts")
    const { help } = await import("./hosts/next/lectern.ts")
    await checkSite((path) => site.GET(new Request(origin + path)), origin)
    await checkApi((path, init) => api[(init?.method ?? "GET") as "GET" | "POST"](new Request(origin + path, init)))
    assert.strictEqual((await site.GET(new Request(`${origin}/elsewhere`))).status, 404)

    // A later start uses the site of the first one.
    const { lectern, site: id } = await help()
    await lectern.close()
    const again = await openHelp()
    assert.strictEqual(again.site, id)
    await again.lectern.close()
  })

  it("SvelteKit", async () => {
    const { handle } = await import("./hosts/sveltekit/src/hooks.server.ts")
    const ask: Fetch = (path, init) => handle({ event: { request: new Request(origin + path, init) }, resolve: own })
    await checkSite(ask, origin)
    await checkApi(ask)
    assert.strictEqual(await (await ask("/elsewhere")).text(), await own().text())
  })

  it("Astro", async () => {
    const { ALL, prerender } = await import("./hosts/astro/src/pages/help/[...path].ts")
    assert.isFalse(prerender)
    await checkSite((path) => ALL({ request: new Request(origin + path) }), origin)
  })

  it.each(["bun", "deno"])("%s", async (name) => {
    const served = Promise.withResolvers<(request: Request) => Promise<Response>>()
    const runtimes = globalThis as Record<string, unknown>
    runtimes["Bun"] = {
      serve: ({ fetch }: { readonly fetch: (request: Request) => Promise<Response> }) => {
        served.resolve(fetch)
        return { url: new URL(origin) }
      }
    }
    runtimes["Deno"] = {
      serve: (_: object, fetch: (request: Request) => Promise<Response>) => {
        served.resolve(fetch)
        return { addr: { port: 3000 } }
      }
    }
    const log = vi.spyOn(console, "log").mockReturnValue()
    try {
      await import(`./hosts/${name}.ts`)
      const fetch = await served.promise
      const ask: Fetch = (path, init) => fetch(new Request(origin + path, init))
      await checkSite(ask, origin)
      await checkApi(ask)
      assert.strictEqual(await (await ask("/")).text(), await own().text())
    } finally {
      log.mockRestore()
      delete runtimes["Bun"]
      delete runtimes["Deno"]
    }
  })
})
