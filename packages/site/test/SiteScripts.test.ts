/** Scripts of integrations on pages, and what readers say about cookies. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onMemory } from "../../http/test/Harness.ts"
import { installed, program } from "../../http/test/IntegrationSteps.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import { UnsafeRuntime } from "../../http/test/UnsafeRuntime.ts"
import * as ScriptSources from "../src/server/ScriptSources.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const script = program(`return new Response("run()", { headers: { "content-type": "application/javascript" } })`)

const siteWith = Effect.fnUntraced(function* (...scopes: ReadonlyArray<string>) {
  const { call } = yield* Harness
  const { path } = yield* installed({
    target: "all",
    script,
    scopes: ["site:script:inject", ...scopes],
    contentSecurityPolicy: "script-src https://cdn.example.com; connect-src https://collect.example.com"
  })
  const { space } = yield* spaceWith({ Start: "Words.", Next: "More." })
  const { id, urls } = yield* publishedSite([space], { title: "Acme" })
  // On this site alone: others of the organization have theirs.
  yield* call("admin", "PATCH", path, { site_selection: "selected" }).pipe(has(200))
  yield* call("admin", "POST", `${path}/sites`, { siteId: id }).pipe(has(201))
  return { home: urls.published! }
})

const sending = (said: string, headers: Record<string, string> = {}) => {
  const body = `consent=${said}`
  return [
    { "content-type": "application/x-www-form-urlencoded", "content-length": String(body.length), ...headers },
    { method: "POST", body }
  ] as const
}

const loadsScript = (text: string) => /"src":"[^"]*\/~\/script\.js\?v=[^"]*"/.test(text)

onMemory(
  "A script of an integration on a site",
  (it) => {
    it.effect("is on every page, and its policy in that of the page, where it sets no cookies", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const { home } = yield* siteWith()
        const { text, headers } = yield* ask(`${home}next`).pipe(hasStatus(200))
        assert.isTrue(loadsScript(text))
        assert.notInclude(text, `class="consent"`)
        assert.notInclude(text, "~consent")
        const policy = headers.get("content-security-policy")!
        assert.match(
          policy,
          /script-src 'self' [^;]*'strict-dynamic' [^;]*\/~\/script\.js https:\/\/cdn\.example\.com;/
        )
        assert.match(policy, /connect-src 'self' https: wss: https:\/\/collect\.example\.com;/)
        // No element is left that such a policy would keep from loading anything.
        assert.notMatch(text, /<script [^>]*src=/)
        yield* ask(`${home}~consent`).pipe(hasStatus(404))
      })
    )

    it.effect("waits for its reader's consent where it may set cookies", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const { home } = yield* siteWith("site:script:cookies")
        const before = yield* ask(`${home}next`).pipe(hasStatus(200))
        assert.isFalse(loadsScript(before.text))
        assert.match(
          before.text,
          /<aside class="consent" aria-label="Cookies"><form method="post" action="[^"]*~consent">/
        )
        assert.notInclude(before.headers.get("content-security-policy")!, "cdn.example.com")
        const referer = `${home}next?a=b`
        for (const [said, isLoaded] of [
          ["yes", true],
          ["no", false]
        ] as const) {
          const sent = yield* ask(`${home}~consent`, ...sending(said, { referer })).pipe(hasStatus(303))
          assert.strictEqual(sent.headers.get("location"), `${new URL(home).pathname}next?a=b`)
          const [cookie, ...options] = sent.headers.get("set-cookie")!.split("; ")
          assert.strictEqual(cookie, `lectern-consent=${said}`)
          assert.includeMembers(options, ["HttpOnly", "SameSite=Lax", `Path=${new URL(home).pathname}`])
          const after = yield* ask(`${home}next`, { cookie: cookie! }).pipe(hasStatus(200))
          assert.strictEqual(loadsScript(after.text), isLoaded)
          assert.notInclude(after.text, `class="consent"`)
          // The footer leads to the question again.
          assert.match(after.text, /<footer.*href="[^"]*~consent">Cookies<\/a>/s)
          assert.notStrictEqual(after.headers.get("etag"), before.headers.get("etag"))
        }
        assert.include((yield* ask(`${home}~consent`).pipe(hasStatus(200))).text, `value="yes">Accept</button>`)
      })
    )

    it.effect("takes the answer from its own pages alone, and leads nowhere else", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const { home } = yield* siteWith("site:script:cookies")
        const to = `${home}~consent`
        yield* ask(to, ...sending("yes", { "sec-fetch-site": "cross-site" })).pipe(hasStatus(404))
        yield* ask(to, ...sending("yes", { origin: "https://evil.example" })).pipe(hasStatus(404))
        yield* ask(to, ...sending("maybe")).pipe(hasStatus(404))
        for (const referer of ["https://evil.example/", to, "nonsense", `${new URL(home).origin}/elsewhere`]) {
          const { headers } = yield* ask(to, ...sending("no", { referer })).pipe(hasStatus(303))
          assert.strictEqual(headers.get("location"), new URL(home).pathname)
        }
        const { text } = yield* ask(`${home}next`, { cookie: "lectern-consent=perhaps" }).pipe(hasStatus(200))
        assert.include(text, `class="consent"`)
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)

describe("sources for scripts", () => {
  const of = (contentSecurityPolicy: string) =>
    ScriptSources.sourcesFor([
      { script: "https://integrations.example/a/~/script.js?v=1", contentSecurityPolicy, cookies: false }
    ])

  it("are the hosts, schemes and hashes that a program names", () => {
    const sources = of("script-src https: *.example.com https://cdn.example.com:8443/a/ 'sha256-abc='; img-src data:")
    assert.deepStrictEqual(sources["script-src"], [
      "https://integrations.example/a/~/script.js",
      "https:",
      "*.example.com",
      "https://cdn.example.com:8443/a/",
      "'sha256-abc='"
    ])
    assert.deepStrictEqual(sources["img-src"], ["data:"])
    assert.deepStrictEqual(of("default-src a.example")["connect-src"], ["a.example"])
  })

  it("are any host by TLS where a program names any at all", () => {
    const sources = of("script-src *; connect-src a.example *; img-src *")
    assert.deepStrictEqual(sources["script-src"].slice(1), ["https:"])
    assert.deepStrictEqual(sources["connect-src"], ["a.example", "https:", "wss:"])
    assert.deepStrictEqual(sources["img-src"], ["https:"])
  })

  it("leave out whatever would let text in a page run", () => {
    const hostile =
      "script-src 'unsafe-inline' 'unsafe-eval' 'strict-dynamic' 'nonce-1' 'unsafe-hashes' data: blob: http: javascript: 'none' 'self' x,y a;b; style-src 'unsafe-inline'; base-uri *; frame-ancestors *; report-uri https://x; sandbox"
    const sources = of(hostile)
    assert.deepStrictEqual(sources["script-src"], ["https://integrations.example/a/~/script.js", "a"])
    assert.deepStrictEqual(sources["style-src"], [])
    assert.notInclude(Object.keys(sources), "base-uri")
  })
})
