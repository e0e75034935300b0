/** The edge of a running server: what it is told while it runs, and whom it believes. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, type Server, temporaryFolder } from "./LecternProcess.ts"

/** Waits until the server has said this since it was asked to listen. */
const listenTo = (server: Server) => {
  let said = ""
  let tell = () => {}
  server.child.stderr!.on("data", (chunk: Buffer) => {
    said += chunk
    tell()
  })
  return async (about: RegExp): Promise<string> => {
    while (!about.test(said)) await new Promise<void>((told) => (tell = told))
    const all = said
    said = ""
    return all
  }
}

describe("lectern serve at its edge", { timeout: 60_000 }, () => {
  let server: Server
  let config: string

  beforeAll(async () => {
    config = join(temporaryFolder(), "settings.toml")
    writeFileSync(config, "rate-limit = 1000\n")
    server = await begunServer({ args: ["--config", config] })
  })
  afterAll(cleanUp)

  it("SIGHUP: reads again what may change, tells of it, and goes on with what it had where that can't be meant", async () => {
    const said = listenTo(server)
    const tell = (settings: string) => {
      writeFileSync(config, settings)
      server.child.kill("SIGHUP")
    }
    const limit = async () => (await fetch(`${server.url}/v1/user`)).headers.get("x-ratelimit-limit")
    const fetched = async (slug: string) =>
      JSON.stringify(
        await server.call("POST", `/v1/orgs/${server.ready.organization.id}/openapi`, {
          slug,
          source: { url: `${server.url}/openapi.json` }
        })
      )
    assert.strictEqual(await limit(), "1000")
    assert.include(await fetched("one"), "private network")

    tell(`rate-limit = 2000\nlog-level = "debug"\nport = 1\nallowed-private-hosts = ["127.0.0.1"]\n`)
    const changes = await said(/setting rate-limit is/)
    assert.include(changes, `The setting rate-limit is \\"2000\\" and was \\"1000\\"`)
    assert.notInclude(changes, "The setting port")
    assert.strictEqual(await limit(), "2000")
    await said(/"message":"request".*"status":401/s)
    assert.notInclude(await fetched("two"), "private network")

    tell("rate-limit = 3000\nlog-level = loud\n")
    assert.include(await said(/stay as they were/), "is no TOML, line 2")
    tell("rate-limit = 3000\ncheck-links = true\nrate-limits = 1\n")
    assert.include(await said(/stay as they were/), "did you mean rate-limit?")
    assert.strictEqual(await limit(), "2000")

    tell("rate-limit = 3000\ncheck-links = true\n")
    const later = await said(/setting rate-limit is/)
    assert.match(later, /check-links is \\"on\\" and was \\"off\\": it counts after a restart/)
    assert.strictEqual(await limit(), "3000")
    assert.include(await fetched("three"), "private network")
  })
})
