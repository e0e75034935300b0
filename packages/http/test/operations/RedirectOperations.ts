/** Redirects of a site, one by one and many at once, and where each leads. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { addSection, createSite, json, ledFrom, ofSite, publishedSite, siteSpacesOf, spaceOf } from "../SiteSteps.ts"
import { createSpace } from "../Steps.ts"

const Redirects = Shapes.listOf(Shapes.Redirect)

export const redirectOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("redirects paths of a site, and tells where each leads now", () =>
    Effect.gen(function* () {
      const space = yield* spaceOf("Docs", ["Start", "Guide"])
      const { id: site, urls } = yield* publishedSite([space.id])
      const section = yield* addSection(site, (yield* createSpace()).id, "Other part")
      const [siteSpace] = yield* siteSpacesOf(site)
      const make = (source: string, destination: unknown) => ofSite(site, "POST", "/redirects", { source, destination })
      const toSpace = { kind: "site-space", siteSpaceId: siteSpace!.id } as const
      const toPage = { kind: "site-page", siteSpaceId: siteSpace!.id, pageId: space.idOf("Guide") } as const
      const toSection = { kind: "site-section", siteSectionId: section.id } as const
      const redirect = yield* make("/old/Start", toSection).pipe(answers(201, Shapes.Redirect))
      assert.deepInclude(redirect, { source: "/old/Start", destination: toSection })
      yield* make("/OLD/start", toSpace).pipe(refused(409))
      for (const destination of [
        { ...toSpace, siteSpaceId: "unknown" },
        { ...toSection, siteSectionId: siteSpace!.id },
        { kind: "url", url: "https://example.com" },
        null
      ]) {
        yield* make("/wrong", destination).pipe(refused(400))
      }
      for (const source of [
        "old",
        "/",
        "",
        "/a b",
        "/a?b",
        "//a",
        "/a/",
        "https://example.com",
        "/" + "x".repeat(512)
      ]) {
        yield* make(source, toSpace).pipe(refused(400))
      }
      yield* make("/Guide-old", toPage).pipe(has(201))
      const sources = ["/a", "/a%20b", "/a.b", "/a/b"]
      for (const source of sources) yield* make(source, toSpace).pipe(has(201))
      const list = (query: string) => ofSite(site, "GET", `/redirects?${query}`).pipe(answers(200, Redirects))
      const seen: Array<string> = []
      let next: string | undefined = ""
      while (next !== undefined) {
        const page: typeof Redirects.Type = yield* list(
          `limit=1${next === "" ? "" : `&page=${encodeURIComponent(next)}`}`
        )
        assert.strictEqual(page.count, 6)
        seen.push(...page.items.map(({ source }) => source))
        next = page.next?.page
      }
      assert.deepStrictEqual(seen, ["/a", "/a%20b", "/a.b", "/a/b", "/Guide-old", "/old/Start"])
      assert.deepStrictEqual(
        (yield* list("search=OLD")).items.map(({ source }) => source),
        ["/Guide-old", "/old/Start"]
      )

      const leads = (source: string) => ofSite(site, "GET", `/redirect?source=${encodeURIComponent(source)}`)
      const led = yield* leads("/old/START").pipe(answers(200, Shapes.RedirectTarget))
      assert.deepStrictEqual(led.redirect, redirect)
      assert.strictEqual(
        (yield* leads("/guide-old").pipe(answers(200, Shapes.RedirectTarget))).target,
        `${urls.published}guide`
      )
      assert.strictEqual(yield* ledFrom(`${urls.published}guide-OLD?a=1`), `${urls.published}guide?a=1`)
      yield* leads("/nowhere").pipe(refused(404))
      yield* ofSite(site, "GET", "/redirect").pipe(refused(400))

      const path = `/redirects/${redirect.id}`
      const patched = yield* ofSite(site, "PATCH", path, { destination: toSpace }).pipe(answers(200, Shapes.Redirect))
      assert.deepInclude(patched, { destination: toSpace, source: redirect.source, createdAt: redirect.createdAt })
      assert.isDefined(patched.updatedAt)
      yield* ofSite(site, "PATCH", path, { source: "/new" }).pipe(answers(200, Shapes.Redirect))
      yield* ofSite(site, "PATCH", path, { source: "/GUIDE-old" }).pipe(refused(409))
      yield* ofSite(site, "PATCH", path, { source: null }).pipe(refused(400))
      yield* ofSite(site, "PATCH", "/redirects/unknown", {}).pipe(refused(404))
      yield* leads("/old/start").pipe(refused(404))
      assert.strictEqual((yield* leads("/new").pipe(answers(200, Shapes.RedirectTarget))).target, urls.published)
      for (let i = 0; i < 2; i++) yield* ofSite(site, "DELETE", path).pipe(has(204))
      yield* leads("/new").pipe(refused(404))
      yield* ofSite(site, "POST", "/unpublish").pipe(has(200))
      yield* leads("/a").pipe(refused(404))
    })
  )

  it.effect("writes many redirects at once, each done or refused by itself", () =>
    Effect.gen(function* () {
      const { id: space } = yield* createSpace()
      const { id: site } = yield* createSite([space])
      const put = (redirects: ReadonlyArray<unknown>) => ofSite(site, "PUT", "/redirects", { redirects })
      const results = (redirects: ReadonlyArray<unknown>) =>
        Effect.map(put(redirects).pipe(json(200)), (all) => all.results)
      const list = Effect.map(ofSite(site, "GET", "/redirects?limit=1000").pipe(json(200)), ({ items }) =>
        items.map((row: any) => [row.source, row.destination.url, row.draft, row.permanent])
      )
      const to = (name: string) => ({ kind: "external", url: `https://example.com/${name}` })
      const [a, b, draft, lost, gone, early] = yield* results([
        { source: "/a", destination: to("a"), permanent: true },
        { source: "/b/*", destination: to("b"), captureWildcard: true },
        { source: "/A", intent: "draft", destination: to("draft") },
        { source: "/c", destination: { kind: "site-section", siteSectionId: "none" } },
        { source: "/none", destination: null },
        { source: "/b/*", intent: "publish" }
      ])
      assert.deepInclude(a, { status: "created", source: "/a", draft: false })
      assert.deepInclude(b, { status: "created" })
      assert.deepInclude(draft, { status: "created", draft: true })
      assert.deepInclude(lost, { status: "error", error: "The redirect leads to nothing on this site" })
      assert.deepInclude(gone, { status: "deleted", source: "/none", draft: false })
      assert.deepInclude(early, { status: "error", error: "There is no draft of a redirect from /b/*" })
      assert.sameDeepMembers(yield* list, [
        ["/a", "https://example.com/a", false, true],
        ["/b/*", "https://example.com/b", false, false],
        ["/A", "https://example.com/draft", true, false]
      ])
      // What was written keeps its id; one and the same source may come again.
      const [published, changed, removed] = yield* results([
        { source: "/a", intent: "publish" },
        { source: "/B/*", destination: to("new") },
        { source: "/a", intent: "draft", destination: null }
      ])
      assert.deepInclude(published, { status: "published", draft: false, id: a.id })
      assert.deepInclude(changed, { status: "updated", id: b.id })
      assert.deepInclude(removed, { status: "deleted", draft: true })
      assert.sameDeepMembers(yield* list, [
        ["/A", "https://example.com/draft", false, false],
        ["/B/*", "https://example.com/new", false, false]
      ])
      for (let from = 0; from < 998; from += 499) {
        const many = Array.from({ length: 499 }, (_, i) => ({ source: `/n${from + i}`, destination: to("x") }))
        assert.isTrue((yield* results(many)).every(({ status }: { status: string }) => status === "created"))
      }
      const [full, known] = yield* results([
        { source: "/full", destination: to("x") },
        { source: "/n1", destination: to("y") }
      ])
      assert.deepInclude(full, { status: "error", error: "A site has at most 1000 redirects" })
      assert.deepInclude(known, { status: "updated" })
      yield* put([]).pipe(refused(400))
      yield* put(Array.from({ length: 501 }, (_, i) => ({ source: `/m${i}`, destination: null }))).pipe(refused(400))
      yield* put([{ source: "no path", destination: null }]).pipe(refused(400))
      yield* put([{ source: "/a" }]).pipe(refused(400))
    })
  )

  it.effect("redirects what begins so, elsewhere too, and keeps drafts to itself", () =>
    Effect.gen(function* () {
      const { id: site, urls } = yield* publishedSite([(yield* spaceOf("Docs", ["Start"])).id])
      const make = (source: string, url: string, more: Record<string, unknown> = {}) =>
        ofSite(site, "POST", "/redirects", { source, destination: { kind: "external", url }, ...more })
      const leads = (source: string) => ofSite(site, "GET", `/redirect?source=${encodeURIComponent(source)}`)
      const led = (source: string) =>
        Effect.map(leads(source).pipe(answers(200, Shapes.RedirectTarget)), (to) => to.target)

      const made = yield* make("/blog", "https://blog.example.com/").pipe(answers(201, Shapes.Redirect))
      assert.deepInclude(made, { draft: false, permanent: false, captureWildcard: false })
      assert.strictEqual(yield* ledFrom(`${urls.published}BLOG`), "https://blog.example.com/")
      const all = { captureWildcard: true, permanent: true }
      yield* make("/v1/*", "https://old.example.com/docs/", all).pipe(has(201))
      yield* make("/v1/api*", "https://api.example.com").pipe(has(201))
      assert.strictEqual(yield* led("/v1/Some/Page"), "https://old.example.com/docs/Some/Page")
      assert.strictEqual(yield* led("/v1/a/%2e%2e/b%20c"), "https://old.example.com/docs/a/b%20c")
      assert.strictEqual(yield* led("/v1"), "https://old.example.com/docs/")
      // The longer one counts, and doesn't append.
      assert.strictEqual(yield* led("/v1/apis/x"), "https://api.example.com")
      yield* leads("/v10").pipe(refused(404))
      yield* leads("/v1/*").pipe(has(200))

      const draft = yield* make("/blog", "https://new.example.com", { draft: true }).pipe(answers(201, Shapes.Redirect))
      yield* make("/blog", "https://new.example.com", { draft: true }).pipe(refused(409))
      assert.strictEqual(yield* led("/blog"), "https://blog.example.com/")
      const list = (query: string) => ofSite(site, "GET", `/redirects?${query}`).pipe(answers(200, Redirects))
      assert.deepStrictEqual((yield* list("draft=true")).items, [draft])
      assert.strictEqual((yield* list("draft=false")).count, 3)
      assert.strictEqual((yield* list("orderBy=createdAt")).count, 4)
      const path = `/redirects/${draft.id}`
      yield* ofSite(site, "PATCH", path, { draft: false }).pipe(refused(409))
      yield* ofSite(site, "PATCH", path, { source: "/news", draft: false }).pipe(has(200))
      assert.strictEqual(yield* led("/news"), "https://new.example.com")
      for (const url of ["javascript:alert(1)", "ftp://example.com", "nowhere"]) {
        yield* make("/wrong", url).pipe(refused(400))
      }
      for (const source of ["/*", "/a*b", "/a/*/b", "*"]) {
        yield* make(source, "https://example.com").pipe(refused(400))
      }
    })
  )
}
