/** Readers of published sites, and what they are told: of every audience, by every kind of reader. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Audience, audiences, makeSite, type Made } from "../../http/test/AudienceSites.ts"
import { has, onMemory } from "../../http/test/Harness.ts"
import {
  addSection,
  createSite,
  goodToken,
  nowInSeconds,
  ofSite,
  patchSection,
  patchSite,
  publishedSite,
  publishSite,
  siteSpacesOf,
  spaceOf,
  token
} from "../../http/test/SiteSteps.ts"
import { insertPage, publish, spaceWith } from "../../http/test/Steps.ts"
import { type Answered, asking, hasStatus } from "./SiteHarness.ts"

type Ask = Effect.Success<typeof asking>

const cookiesOf = ({ headers }: Answered) => headers.getSetCookie()

/** The cookie that an answer sets, as it is sent back, and its attributes. */
const cookieOf = (answer: Answered, name: string) => {
  const found = cookiesOf(answer).find((cookie) => cookie.startsWith(`${name}=`))
  const [pair = "", ...attributes] = (found ?? "").split("; ")
  return { pair, attributes: new Set(attributes.map((one) => one.replace(/^Max-Age=.*/, "Max-Age"))) }
}

/** Signs on, and gives the cookie. */
const signOn = Effect.fnUntraced(function* (ask: Ask, site: Made, claims: Record<string, unknown> = {}) {
  const { pair } = cookieOf(
    yield* ask(`${site.base}setup?jwt_token=${yield* goodToken(site.id, claims)}`),
    "lectern-visitor"
  )
  return pair
})

/** A browser keeps no longer one, and says nothing of it. */
const maxCookie = 4096

const told = ({ status, headers, text }: Answered) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id")),
  text
})

onMemory("Readers of sites", (it) => {
  it.effect("come to headings by the names that HTML gave them, and see none of it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: '[Old](#old-name)\n\n<a id="old-name"></a>\n\n## New name' })
      const { text } = yield* ask((yield* publishedSite([space])).urls.published ?? "").pipe(hasStatus(200))
      assert.include(text, '<a href="#new-name">Old</a>')
      assert.notInclude(text, "old-name")
    })
  )

  it.effect("get an outline of the headings that say something", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: "## First\n\n##\n\n### &nbsp;\n\n## Last\n" })
      const { text } = yield* ask((yield* publishedSite([space])).urls.published ?? "").pipe(hasStatus(200))
      const [, outline = ""] = /<lectern-outline\b(.*?)<\/lectern-outline>/s.exec(text) ?? []
      assert.deepStrictEqual(
        Array.from(outline.matchAll(/<a [^>]*>([^<]*)<\/a>/g), ([, title]) => title),
        ["First", "Last"]
      )
    })
  )

  it.effect.each(audiences)("read a site of visibility %s as it is meant for them", (visibility) =>
    Effect.gen(function* () {
      const ask = yield* asking
      const site = yield* makeSite(visibility)
      const other = yield* makeSite("visitor-auth")
      const session = yield* signOn(ask, site)
      const others = yield* signOn(ask, other)
      const shows: Record<string, { url: string; headers: Record<string, string>; isFor: ReadonlyArray<Audience> }> = {
        anonymous: { url: site.base, headers: {}, isFor: ["public", "unlisted"] },
        // Who works on the site is a reader like any other on it.
        member: { url: site.base, headers: { authorization: "Bearer x" }, isFor: ["public", "unlisted"] },
        "holder of a link": { url: site.link.url, headers: {}, isFor: ["share-link"] },
        "holder of a link that is closed": { url: site.inactive.url, headers: {}, isFor: [] },
        visitor: { url: site.base, headers: { cookie: session }, isFor: ["public", "unlisted", "visitor-auth"] },
        "visitor of another site": { url: site.base, headers: { cookie: others }, isFor: ["public", "unlisted"] },
        "with a token that is none": {
          url: site.base,
          headers: { cookie: "lectern-visitor=x" },
          isFor: ["public", "unlisted"]
        }
      }
      const nothing = told(yield* ask("http://127.0.0.1:4000/sites/no-such-site/setup").pipe(hasStatus(404)))
      for (const [name, { url, headers, isFor }] of Object.entries(shows)) {
        const answer = yield* ask(`${url}setup`, headers)
        if (isFor.includes(visibility)) {
          assert.strictEqual(answer.status, 200, name)
          assert.include(answer.text, "<h1>Setup</h1>", name)
          assert.strictEqual(answer.headers.has("x-robots-tag"), visibility !== "public", name)
          // Who has signed on is offered to sign off, which is not for others.
          const isShared = (visibility === "public" || visibility === "unlisted") && name !== "visitor"
          assert.strictEqual(answer.headers.get("cache-control"), isShared ? "public, no-cache" : "private, no-cache")
          assert.strictEqual(answer.text.includes(`${new URL(site.base).pathname}~sign-off"`), name === "visitor", name)
          assert.match(answer.headers.get("vary") ?? "", /cookie/i)
          continue
        }
        // To those who read the site, what leads nowhere is a page that is missing.
        const isRead = visibility === "public" || visibility === "unlisted"
        if (isRead) assert.include(answer.text, `href="/sites/`, name)
        else assert.deepStrictEqual(told(answer), nothing, name)
      }
      yield* ofSite(site.id, "POST", "/unpublish").pipe(has(200))
      for (const [name, { url, headers }] of Object.entries(shows))
        assert.deepStrictEqual(told(yield* ask(`${url}setup`, headers)), nothing, name)
    })
  )

  it.effect("are led to where they sign on, on a site for everybody that shows some more", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const site = yield* makeSite("public")
      const leads = /<a href="(https:[^"]*)" rel="nofollow">Sign in<\/a>/
      const onPage = (headers = {}) =>
        Effect.map(ask(`${site.base}setup`, headers), ({ text }) => leads.exec(text)?.[1])
      yield* ofSite(site.id, "PATCH", "", { adaptiveContent: { enabled: true } }).pipe(has(200))
      assert.isUndefined(yield* onPage())
      yield* ofSite(site.id, "PATCH", "/publishing/auth", { fallbackURL: "https://app.example.com/sign-on" }).pipe(
        has(200)
      )
      const location = encodeURIComponent(new URL(`${site.base}setup`).pathname)
      assert.strictEqual(yield* onPage(), `https://app.example.com/sign-on?location=${location}`)
      assert.isUndefined(yield* onPage({ cookie: yield* signOn(ask, site) }))
      yield* ofSite(site.id, "PATCH", "", { adaptiveContent: { enabled: false } }).pipe(has(200))
      assert.isUndefined(yield* onPage())
    })
  )

  it.effect("sign on by a token in the URL, which then stands in it no more", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const site = yield* makeSite("visitor-auth")
      const fallbackURL = "https://app.example.com/sign-on"
      yield* ofSite(site.id, "PATCH", "/publishing/auth", { fallbackURL }).pipe(has(200))
      const { pathname } = new URL(site.base)
      const away = yield* ask(`${site.base}setup?a=1`).pipe(hasStatus(307))
      assert.strictEqual(
        away.headers.get("location"),
        `${fallbackURL}?location=${encodeURIComponent(`${pathname}setup?a=1`)}`
      )
      assert.deepStrictEqual(cookiesOf(away), [])
      // In its history a browser goes by what it keeps: a visitor who has signed on since would be sent away once more.
      assert.strictEqual(away.headers.get("cache-control"), "private, no-store")

      const back = yield* ask(`${site.base}setup?a=1&jwt_token=${yield* goodToken(site.id)}`).pipe(hasStatus(307))
      assert.strictEqual(back.headers.get("location"), `${pathname}setup?a=1`)
      assert.strictEqual(back.headers.get("cache-control"), "private, no-store")
      const { pair, attributes } = cookieOf(back, "lectern-visitor")
      assert.deepStrictEqual(attributes, new Set(["Max-Age", `Path=${pathname}`, "HttpOnly", "SameSite=Lax"]))
      yield* ask(`${site.base}setup`, { cookie: pair }).pipe(hasStatus(200))
      const bad = token("x".repeat(40), { exp: (yield* nowInSeconds) + 3600 })
      // To be sent there once more would be a circle.
      const inFrench = { "accept-language": "fr" }
      const failed = yield* ask(`${site.base}setup?jwt_token=${bad}`, inFrench).pipe(hasStatus(403))
      assert.deepStrictEqual(cookiesOf(failed), [])
      assert.include(failed.text, "La connexion a échoué")
      assert.include(failed.text, `href="${fallbackURL}?location=${encodeURIComponent(`${pathname}setup`)}"`)
      assert.strictEqual(failed.headers.get("cache-control"), "private, no-store")
      yield* ask(`${site.base}setup?jwt_token=${bad}`, { cookie: pair }).pipe(hasStatus(307))
    })
  )

  it.effect("stay signed on with as much as a token may say, in a URL and in the cookies that browsers keep", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const site = yield* makeSite("visitor-auth")
      const groups = Array.from({ length: 260 }, (_, i) => `group-${i}`)
      for (const claims of [
        { plan: "pro", groups: groups.slice(0, 180) },
        { plan: "pro", groups, text: "x".repeat(2530) }
      ]) {
        const answer = yield* ask(`${site.base}setup?jwt_token=${yield* goodToken(site.id, claims)}`).pipe(
          hasStatus(307)
        )
        const { pair } = cookieOf(answer, "lectern-visitor")
        assert.isAtMost(pair.length, maxCookie)
        yield* ask(`${site.base}setup`, { cookie: pair }).pipe(hasStatus(200))
      }
      const open = yield* makeSite("public")
      const answer = yield* ask(`${open.base}setup?visitor.a=${"x".repeat(2000)}&visitor.b=${"y".repeat(1500)}`)
      assert.isAtMost(cookieOf(answer, "lectern-claims").pair.length, maxCookie)
    })
  )

  it.effect("see what their claims show them, and nobody else does", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const site = yield* makeSite("visitor-auth")
      const sections = yield* siteSpacesOf(site.id)
      const reference = sections.find(({ space }) => space.id !== site.space)!
      yield* patchSection(site.id, reference.section!, { condition: 'visitor.claims.plan == "pro"' })
      const pro = yield* signOn(ask, site, { plan: "pro" })
      const free = yield* signOn(ask, site, { plan: "free" })
      for (let i = 0; i < 2; i++) {
        const [first, second] = [
          yield* ask(`${site.base}setup`, { cookie: pro }).pipe(hasStatus(200)),
          yield* ask(`${site.base}setup`, { cookie: free }).pipe(hasStatus(200))
        ]
        assert.include(first.text, "Reference")
        assert.notInclude(second.text, "Reference")
        yield* ask(`${site.base}reference/calls`, { cookie: pro }).pipe(hasStatus(200))
        const hidden = yield* ask(`${site.base}reference/calls`, { cookie: free }).pipe(hasStatus(404))
        const none = yield* ask(`${site.base}nothing/there`, { cookie: free }).pipe(hasStatus(404))
        assert.deepStrictEqual(
          hidden.text.replaceAll("reference/calls", "…"),
          none.text.replaceAll("nothing/there", "…")
        )
      }
    })
  )

  it.effect("are remembered by what a URL says of them, on that site alone", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const site = yield* makeSite("public")
      const [, reference] = yield* siteSpacesOf(site.id)
      yield* patchSection(site.id, reference!.section!, { condition: 'visitor.claims.unsigned.plan == "pro"' })
      assert.notInclude((yield* ask(`${site.base}setup`)).text, "Reference")
      const told = yield* ask(`${site.base}setup?visitor.plan=pro`).pipe(hasStatus(200))
      assert.include(told.text, "Reference")
      const { pair, attributes } = cookieOf(told, "lectern-claims")
      assert.isTrue(attributes.has(`Path=${new URL(site.base).pathname}`) && attributes.has("HttpOnly"))
      const again = yield* ask(`${site.base}setup`, { cookie: pair })
      assert.include(again.text, "Reference")
      assert.strictEqual(again.headers.get("cache-control"), "private, no-cache")
      assert.deepStrictEqual(cookiesOf(again), [])
      const more = yield* ask(`${site.base}setup?visitor.beta=true`, { cookie: pair })
      assert.include(more.text, "Reference")
      for (const cookie of ["lectern-claims=x", "lectern-claims=W10", `lectern-claims=${"A".repeat(20_000)}`])
        assert.notInclude((yield* ask(`${site.base}setup`, { cookie }).pipe(hasStatus(200))).text, "Reference")
    })
  )

  it.effect("are led to the one URL of a page, and on by redirects", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* spaceOf("Guide", ["Home", "Setup"])
      yield* publish(space.id, [insertPage("Über uns")])
      const { id, urls } = yield* publishedSite([space.id])
      const base = urls.published!
      const { pathname } = new URL(base)
      const leadsTo = (path: string, to: string, status: number) =>
        Effect.map(ask(base.slice(0, -1) + path).pipe(hasStatus(status)), ({ headers }) => {
          assert.strictEqual(headers.get("location"), to, path)
          assert.strictEqual(headers.get("cache-control"), "private, no-store")
        })
      yield* leadsTo("", pathname, 308)
      yield* leadsTo("/setup/", `${pathname}setup`, 308)
      yield* leadsTo("/Setup?x=1", `${pathname}setup?x=1`, 308)
      yield* leadsTo("//setup", `${pathname}setup`, 308)
      yield* ask(`${base}ueber-uns`).pipe(hasStatus(200))
      yield* ask(`${base}%73etup`).pipe(hasStatus(200))
      yield* ask(`${base}%E0%A4%A`).pipe(hasStatus(404))
      const to = { kind: "external", url: "https://elsewhere.example/" }
      yield* ofSite(id, "POST", "/redirects", { source: "/gone", destination: to, permanent: true }).pipe(has(201))
      yield* ofSite(id, "POST", "/redirects", { source: "/away", destination: to }).pipe(has(201))
      yield* leadsTo("/gone", to.url, 308)
      yield* leadsTo("/away", to.url, 307)
      yield* patchSite(id, { basename: "renamed" })
      yield* leadsTo("/setup", "/sites/renamed/setup", 307)
    })
  )

  it.effect("are led on to URLs as headers say them, however they were entered", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const site = yield* makeSite("visitor-auth")
      const cookie = yield* signOn(ask, site)
      const urls = [
        ["https://elsewhere.example/日?é#ü", "https://elsewhere.example/%E6%97%A5?%C3%A9#%C3%BC"],
        ["https://bücher.example", "https://xn--bcher-kva.example/"],
        ["https:elsewhere.example", "https://elsewhere.example/"],
        ["https:\\\\elsewhere.example\\x", "https://elsewhere.example/x"],
        ["HTTPS://Elsewhere.example?x", "HTTPS://Elsewhere.example?x"]
      ] as const
      for (const [i, [url, sent]] of urls.entries()) {
        const destination = { kind: "external", url }
        yield* ofSite(site.id, "POST", "/redirects", { source: `/away${i}`, destination }).pipe(has(201))
        const { headers } = yield* ask(`${site.base}away${i}`, { cookie }).pipe(hasStatus(307))
        assert.strictEqual(headers.get("location"), sent)
        yield* ofSite(site.id, "PATCH", "/publishing/auth", { fallbackURL: url, logoutURL: url }).pipe(has(200))
        const off = yield* ask(`${site.base}~sign-off`, { cookie }).pipe(hasStatus(303))
        assert.strictEqual(off.headers.get("location"), sent)
        const on = yield* ask(`${site.base}setup`).pipe(hasStatus(307))
        assert.strictEqual(new URL(on.headers.get("location")!).host, new URL(url).host)
      }
    })
  )

  it.effect("come to one page by every spelling of its path, and to none by others", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const guide = yield* spaceOf("Guide", ["Home", "Setup", "A & B"])
      const reference = yield* spaceOf("Reference", ["Calls", "Setup"])
      const { id } = yield* createSite([guide.id])
      yield* addSection(id, guide.id, "Guide")
      yield* addSection(id, reference.id, "Reference")
      const { urls } = yield* publishSite(id)
      const base = urls.published!
      const { pathname } = new URL(base)
      const markdown = { accept: "text/markdown" }
      /** The path below the site, what is asked for, the status, and where it leads below the site. */
      const table: ReadonlyArray<
        readonly [path: string, status: number, to?: string | undefined, headers?: Record<string, string>]
      > = [
        ["", 200],
        ["setup", 200],
        ["setup/", 308, "setup"],
        ["setup//", 308, "setup"],
        ["SETUP", 308, "setup"],
        ["%73etup", 200],
        ["%53etup", 308, "setup"],
        ["setup?x=1&y=%20", 200],
        ["setup/?x=1&y=%20", 308, "setup?x=1&y=%20"],
        // The front page and the default section have paths of their own too, and are told apart by canonical links alone.
        ["home", 200],
        ["guide/setup", 200],
        ["reference/setup", 200],
        ["Reference/Setup/", 308, "reference/setup"],
        ["reference", 308, "reference/"],
        ["reference/calls", 200],
        ["./setup", 200],
        ["reference/../setup", 200],
        ["setup%2F", 404],
        ["reference%2Fsetup", 404],
        ["%2e%2e/setup", 404],
        ["%2573etup", 404],
        ["setup%00", 404],
        ["%E0%A4%A", 404],
        ["setup.html", 404],
        ["setup.md", 200],
        ["Setup.md", 200],
        ["setup.MD", 404],
        ["index.md", 200],
        ["reference/index.md", 200],
        ["reference/setup.md", 200],
        ["home.md", 200],
        ["nothing.md", 404],
        ["setup", 200, undefined, markdown],
        ["setup/", 200, undefined, markdown],
        ["nothing", 404, undefined, markdown]
      ]
      const told: Array<unknown> = []
      for (const [path, , , headers] of table) {
        const { status, headers: sent } = yield* ask(base + path, headers)
        const location = sent.get("location")
        const to = location === null ? undefined : location.replace(pathname, "")
        told.push([path, status, ...(to === undefined ? [] : [to])])
      }
      assert.deepStrictEqual(
        told,
        table.map(([path, status, to]) => [path, status, ...(to === undefined ? [] : [to])])
      )
    })
  )

  it.effect("ask by GET and HEAD alone, and have no body for HEAD", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* spaceOf("Guide", ["Home"])
      const { urls } = yield* publishedSite([space.id])
      const base = urls.published!
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const { headers } = yield* ask(base, {}, { method }).pipe(hasStatus(405))
        assert.strictEqual(headers.get("allow"), "GET, HEAD")
      }
      const [page, head] = [yield* ask(base), yield* ask(base, {}, { method: "HEAD" }).pipe(hasStatus(200))]
      assert.strictEqual(head.text, "")
      assert.strictEqual(head.headers.get("etag"), page.headers.get("etag"))
      const etag = page.headers.get("etag")!
      for (const held of [etag, `W/${etag}`, `"x", ${etag.replace(/"$/, '-br"')}`, "*"]) {
        const same = yield* ask(base, { "if-none-match": held }).pipe(hasStatus(304))
        assert.strictEqual(same.text, "")
      }
      yield* ask(base, { "if-none-match": '"other"' }).pipe(hasStatus(200))
      yield* ask(`${base}${"x".repeat(5_000)}`).pipe(hasStatus(404))
      const hashed = /href="([^"]*\/~lectern\/[^"]*\.css)"/.exec(page.text)![1]!
      const file = yield* ask(new URL(hashed, base).href).pipe(hasStatus(200))
      assert.match(file.headers.get("cache-control")!, /immutable/)
      yield* ask(new URL(hashed.replace(/\.[\w-]{16}\./, ".aaaaaaaaaaaaaaaa."), base).href).pipe(hasStatus(404))
    })
  )

  it.effect("are suggested pages of the site, where there is none", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* spaceOf("Guide", ["Home", "Setup"])
      const { urls } = yield* publishedSite([space.id])
      const { text, headers } = yield* ask(`${urls.published}old/setup`).pipe(hasStatus(404))
      assert.match(text, /<a href="[^"]*\/setup">Setup<\/a>/)
      // In the look of the site, and with its search.
      for (const part of [`<header class="site-header">`, `class="search-page"`, `<title>There is nothing here | Site`])
        assert.include(text, part)
      assert.strictEqual(headers.get("x-robots-tag"), "noindex")
    })
  )
})

onMemory(
  "Readers behind a proxy",
  (it) => {
    it.effect("get links of the proxy, however they are passed on", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const space = yield* spaceOf("Guide", ["Home", "Setup"])
        const { id, basename } = yield* publishedSite([space.id])
        yield* patchSite(id, { proxy: "acme.example/docs" })
        const direct = `http://127.0.0.1:4000/sites/${basename}/`
        const whole = yield* ask("https://acme.example/docs/setup").pipe(hasStatus(200))
        assert.include(whole.text, `href="/docs/~lectern/`)
        const rewritten = yield* ask("https://acme.example/sites/acme/setup", {}, {}, `${direct}setup`)
        assert.strictEqual(rewritten.text, whole.text)
        const unknown = yield* ask(`${direct}setup`).pipe(hasStatus(200))
        assert.include(unknown.text, `href="https://acme.example/docs/~lectern/`)
        assert.match(unknown.headers.get("content-security-policy")!, /style-src 'self' https:\/\/acme\.example[ ;]/)
        const asPaths = (text: string) => text.replaceAll(`"https://acme.example/docs/`, `"/docs/`)
        assert.strictEqual(asPaths(unknown.text), asPaths(whole.text))
        const slash = yield* ask(`${direct}setup/`).pipe(hasStatus(308))
        assert.strictEqual(slash.headers.get("location"), "https://acme.example/docs/setup")
      })
    )

    it.effect("are led to no other host by a path that names one", () =>
      Effect.gen(function* () {
        const ask = yield* asking
        const { id } = yield* publishedSite([(yield* spaceOf("Guide", ["Home", "Setup"])).id])
        yield* patchSite(id, { hostname: "docs.acme.example" })
        for (const path of ["//evil.example/", "/\\evil.example/", "///evil.example/"]) {
          const { headers } = yield* ask(`https://docs.acme.example${path}?jwt_token=a&b=1`).pipe(hasStatus(307))
          assert.strictEqual(headers.get("location"), "/evil.example/?b=1")
        }
        // Applications send readers back to what they are told, with a token.
        yield* patchSite(id, { visibility: "visitor-auth" })
        const fallbackURL = "https://app.example.com/sign-on"
        yield* ofSite(id, "PATCH", "/publishing/auth", { fallbackURL }).pipe(has(200))
        const { headers } = yield* ask("https://docs.acme.example//evil.example/?b=1").pipe(hasStatus(307))
        const location = encodeURIComponent("/evil.example/?b=1")
        assert.strictEqual(headers.get("location"), `${fallbackURL}?location=${location}`)
      })
    )
  },
  { addressProof: "never" }
)
