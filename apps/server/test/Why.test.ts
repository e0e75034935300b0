/** `lectern why`, and the reason in the access log of a server. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, lectern, lecternJson, temporaryFolder } from "./LecternProcess.ts"
import { ok } from "./PublishedSites.ts"

describe("lectern why", () => {
  afterEach(cleanUp)

  it("names the rule that decides, and the access log its reason", async () => {
    const log = join(temporaryFolder(), "access.log")
    const server = await begunServer({ env: { LECTERN_ACCESS_LOG: log } })
    const { data, organization, space } = server.ready
    const sites = `/v1/orgs/${organization.id}/sites`
    const { id } = await ok(server, "POST", sites, { title: "Docs", basename: "why", spaces: [space.id] })
    const url = `${server.url}/sites/why/`
    const why = (...args: ReadonlyArray<string>) => lecternJson(["why", url, ...args, "--data", data])
    assert.deepInclude((await why()).decision, { rule: "published", reason: "site-unpublished" })
    assert.strictEqual((await fetch(url)).status, 404)

    await ok(server, "PATCH", `${sites}/${id}`, { visibility: "visitor-auth" })
    await ok(server, "POST", `${sites}/${id}/publish`)
    assert.deepInclude((await why()).decision, { rule: "sign-in", reason: "sign-in-required" })
    const claims = join(temporaryFolder(), "claims.json")
    writeFileSync(claims, JSON.stringify({ plan: "pro" }))
    const signedIn = await why("--as", claims)
    assert.deepStrictEqual(signedIn.visitor, { claims: { plan: "pro" } })
    assert.strictEqual((await why("--as", "ada@example.com")).visible, signedIn.visible)

    const { code, stdout } = await lectern(["why", url, "--data", data])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^The visitor gets a 404\.\nsign-in-required: The `visibility` of the site is `visitor-auth`/)
    assert.match(stdout, /^ok {2}The site is published\.$/m)

    for (const [args, message] of [
      [["why", `${server.url}/sites/none/`], /^No site has the address 127\.0\.0\.1:\d+\/sites\/none\//],
      [["why", "not a URL"], /^not a URL is not a URL$/],
      [["why", url, "--as", join(data, "missing.json")], /missing\.json can't be read/]
    ] as const) {
      const failed = await lectern([...args, "--data", data, "--json"])
      assert.strictEqual(failed.code, 1)
      assert.match(JSON.parse(failed.stdout).error.message, message)
    }

    server.child.kill("SIGTERM")
    await server.finished
    const line = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text))
      .find(({ route }) => route === "site")
    assert.deepInclude(line, { status: 404, reason: "site-unpublished" })
  })
})
