/**
 * Whom sites are published to, how they look and where their URLs lead: each operation once, with
 * its status and the shape of its answer.
 */
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { SiteId } from "@lectern/core/site/Site"
import { SiteStore } from "@lectern/core/site/store/SiteStore"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, refused, type Services, start } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import {
  json,
  addSection,
  ask,
  createShareLink,
  createSite,
  isNoPage,
  isNowhere,
  ofSite,
  patchSection,
  patchSite,
  patchSiteSpace,
  pathOfSite,
  publishedSite,
  publishSite,
  reading,
  siteSpacesOf,
  spaceOf
} from "../SiteSteps.ts"
import { createSpace, insertPage, publish } from "../Steps.ts"

const Redirects = Shapes.listOf(Shapes.Redirect)

const placeAt = (url: string) => ask(url).pipe(answers(200, Shapes.PublishedUrl))
const ledFrom = (url: string) =>
  ask(url).pipe(
    answers(200, Shapes.PublishedRedirect),
    Effect.map(({ redirect }) => redirect)
  )

export const publishingOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("hands out the files of what is published", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      yield* publish(space, [
        { operation: "insert_files", files: [{ name: "notes.txt", ref: "notes", base64: btoa("Some notes") }] },
        insertPage("Home", "[Notes](/files/notes)")
      ])
      const { id, urls } = yield* publishedSite([space])
      const { apiToken } = yield* placeAt(urls.published!)
      const { items } = yield* reading(apiToken, `/spaces/${space}/content/files`).pipe(
        answers(200, Shapes.listOf(Shapes.File))
      )
      const { downloadURL } = items[0]!
      assert.strictEqual((yield* call("nobody", "GET", downloadURL).pipe(has(200))).text, "Some notes")
      yield* ofSite(id, "POST", "/unpublish").pipe(has(200))
      yield* call("nobody", "GET", downloadURL).pipe(refused(404))
    })
  )

  it.effect("makes, lists, changes and revokes share links", () =>
    Effect.gen(function* () {
      const { id: site } = yield* createSite([], { visibility: "share-link" })
      const make = (body: unknown) => ofSite(site, "POST", "/share-links", body)
      const link = yield* make({ name: "Partners" }).pipe(answers(201, Shapes.ShareLink))
      assert.deepInclude(link, { name: "Partners", active: true })
      yield* TestClock.adjust("1 second")
      const other = yield* make({ name: "é".repeat(50) }).pipe(answers(201, Shapes.ShareLink))
      assert.notStrictEqual(link.urls.published, other.urls.published)
      for (const wrong of [{}, { name: null }, { name: "x".repeat(51) }]) yield* make(wrong).pipe(refused(400))
      const path = `/share-links/${link.id}`
      const changed = yield* ofSite(site, "PATCH", path, { name: "All", active: false }).pipe(
        answers(200, Shapes.ShareLink)
      )
      assert.deepStrictEqual(changed, { ...link, name: "All", active: false })
      yield* ofSite(site, "PATCH", path, { active: null }).pipe(refused(400))
      yield* ofSite(site, "PATCH", "/share-links/unknown", {}).pipe(refused(404))
      const list = yield* ofSite(site, "GET", "/share-links").pipe(answers(200, Shapes.listOf(Shapes.ShareLink)))
      assert.deepStrictEqual(list, { count: 2, items: [changed, other] })
      for (let i = 0; i < 2; i++) yield* ofSite(site, "DELETE", path).pipe(has(204))
      yield* ofSite(site, "PATCH", path, { active: true }).pipe(refused(404))
    })
  )

  it.effect("tells where a space is published on a site of share links to who has the key, and others nothing", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* createSpace({ title: "Shared" })
      const { id: site } = yield* createSite([space.id], { visibility: "share-link" })
      yield* addSection(site, space.id, "Section")
      const link = yield* createShareLink(site)
      yield* publishSite(site)
      const told = (query: string) =>
        Effect.gen(function* () {
          const { urls } = yield* call("read", "GET", `/v1/spaces/${space.id}${query}`).pipe(answers(200, Shapes.Space))
          const path = yield* pathOfSite(site)
          const at = (list: string) => call("read", "GET", `${path}/${list}${query}`)
          const [section] = (yield* at("sections").pipe(answers(200, Shapes.listOf(Shapes.SiteSection)))).items
          const [siteSpace] = (yield* at("site-spaces").pipe(answers(200, Shapes.listOf(Shapes.SiteSpace)))).items
          const { structure } = yield* at("structure").pipe(answers(200, Shapes.Structure))
          const published = yield* at("published").pipe(answers(200, Shapes.PublishedSite))
          const shown = [urls, section!.urls, siteSpace!.urls, siteSpace!.space.urls, section!.siteSpaces[0]!.urls]
          return [...shown, (structure[0] as typeof section)!.urls, published.site.urls].map((one) => one.published)
        })
      const hidden = Array.from({ length: 7 }, () => undefined)
      const shown = Array.from({ length: 7 }, () => link.url)
      assert.deepStrictEqual(yield* told(""), hidden)
      assert.deepStrictEqual(yield* told("?shareKey=wrong"), hidden)
      assert.deepStrictEqual(yield* told("?shareKey="), hidden)
      assert.deepStrictEqual(yield* told(`?shareKey=${link.key}`), shown)
      yield* ofSite(site, "PATCH", `/share-links/${link.id}`, { active: false }).pipe(has(200))
      assert.deepStrictEqual(yield* told(`?shareKey=${link.key}`), hidden)
      const { urls } = yield* ofSite(site, "PATCH", "", { visibility: "public" }).pipe(answers(200, Shapes.Site))
      assert.deepStrictEqual(
        yield* told("?shareKey=wrong"),
        Array.from({ length: 7 }, () => urls.published)
      )
    })
  )

  it.effect("shows and changes how visitors sign on, and makes a new key", () =>
    Effect.gen(function* () {
      const { id: site } = yield* createSite([], { visibility: "visitor-auth" })
      const path = "/publishing/auth"
      const first = yield* ofSite(site, "GET", path).pipe(answers(200, Shapes.PublishingAuth))
      assert.isUndefined(first.fallbackURL)
      const fallbackURL = "https://login.example.com/start?x=1"
      const patched = yield* ofSite(site, "PATCH", path, {
        backend: "custom",
        fallbackURL,
        logoutURL: "https://login.example.com/end"
      }).pipe(answers(200, Shapes.PublishingAuth))
      assert.deepStrictEqual(patched, { ...first, fallbackURL, logoutURL: "https://login.example.com/end" })
      for (const wrong of [
        { fallbackURL: "javascript:alert(1)" },
        { fallbackURL: "" },
        { logoutURL: "data:text/html,x" },
        { backend: null }
      ]) {
        yield* ofSite(site, "PATCH", path, wrong).pipe(refused(400))
      }
      // There is no integration on it.
      yield* ofSite(site, "PATCH", path, { backend: "integration" }).pipe(refused(409))
      const renewed = yield* ofSite(site, "POST", `${path}/regenerate`).pipe(answers(200, Shapes.PublishingAuth))
      assert.notStrictEqual(renewed.privateKey, first.privateKey)
      assert.strictEqual(renewed.fallbackURL, fallbackURL)
      const cleared = yield* ofSite(site, "PATCH", path, { fallbackURL: null, logoutURL: null }).pipe(
        answers(200, Shapes.PublishingAuth)
      )
      assert.deepStrictEqual(cleared, { object: "publishing-auth", backend: "custom", privateKey: renewed.privateKey })
      assert.deepStrictEqual(yield* ofSite(site, "GET", path).pipe(answers(200, Shapes.PublishingAuth)), cleared)
    })
  )

  it.effect("takes in what visitors of a site see", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: site } = yield* publishedSite([])
      const session = { visitorId: "v", sessionId: "s", cookies: {}, userAgent: "", language: null, referrer: null }
      const place = { siteSection: null, siteSpace: null, siteShareKey: null, space: null, revision: null, page: null }
      const event = { type: "page_view", session, location: { url: "https://docs.example.com/", ...place } }
      yield* call("nobody", "POST", `/v1/orgs/${organization}/sites/${site}/insights/events`, { events: [event] }).pipe(
        has(204)
      )
    })
  )

  it.effect("shows and replaces the adaptive schema, and makes conditions of it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: site } = yield* createSite([])
      const path = "/adaptive-schema"
      const conditions = ofSite(site, "GET", `${path}/template-conditions`).pipe(
        answers(200, Shapes.TemplateConditions),
        Effect.map(({ items }) => items.map(({ condition }) => condition))
      )
      const first = yield* ofSite(site, "GET", path).pipe(answers(200, Shapes.AdaptiveSchema))
      assert.deepStrictEqual(Object.keys(first.jsonSchema.properties), ["unsigned"])
      assert.deepStrictEqual(yield* conditions, [])
      const jsonSchema = {
        type: "object",
        properties: { beta: { type: "boolean" }, plan: { type: "string", enum: ["free", "pro"] } },
        additionalProperties: false
      } as const
      const put = yield* ofSite(site, "PUT", path, { jsonSchema }).pipe(answers(200, Shapes.AdaptiveSchema))
      assert.deepStrictEqual(put.jsonSchema, jsonSchema)
      assert.deepStrictEqual(yield* ofSite(site, "GET", path).pipe(answers(200, Shapes.AdaptiveSchema)), put)
      const made = yield* conditions
      assert.includeMembers(made, ["visitor.claims.beta === true", `visitor.claims.plan === "pro"`])
      const { id: section } = yield* addSection(site, (yield* createSpace()).id, "Section")
      for (const condition of made) yield* patchSection(site, section, { condition })
      const shown = yield* call("read", "GET", yield* pathOfSite(site)).pipe(answers(200, Shapes.Site))
      assert.isTrue(shown.adaptiveContent.enabled)
      for (const wrong of [
        {},
        { jsonSchema: null },
        { jsonSchema: { type: "array" } },
        { jsonSchema: { ...jsonSchema, additionalProperties: true } }
      ]) {
        yield* ofSite(site, "PUT", path, wrong).pipe(refused(400))
      }
      assert.deepStrictEqual(yield* ofSite(site, "GET", path).pipe(answers(200, Shapes.AdaptiveSchema)), put)
    })
  )

  it.effect("sets how a site looks, and one of its site spaces otherwise", () =>
    Effect.gen(function* () {
      const spaces = yield* Effect.forEach(["One", "Two"], (title) => createSpace({ title }))
      const { id: site } = yield* createSite(spaces.map(({ id }) => id))
      const get = ofSite(site, "GET", "/customization").pipe(answers(200, Shapes.Customization))
      const first = yield* get
      assert.isUndefined(first.title)
      const put = yield* ofSite(site, "PUT", "/customization", {
        title: "Looks",
        styling: { theme: "bold" },
        privacyPolicy: { url: "https://example.com/privacy" }
      }).pipe(answers(200, Shapes.Customization))
      assert.deepStrictEqual(put, {
        ...first,
        title: "Looks",
        styling: { ...first.styling, theme: "bold" },
        privacyPolicy: { url: "https://example.com/privacy" }
      })
      assert.deepStrictEqual(yield* get, put)

      const [own, other] = yield* siteSpacesOf(site)
      const path = `/site-spaces/${own!.id}/customization`
      const ofOwn = ofSite(site, "GET", path).pipe(answers(200, Shapes.SiteSpaceCustomization))
      assert.deepStrictEqual(yield* ofOwn, { ...put, hasOverrides: false })
      const patched = yield* ofSite(site, "PATCH", path, { title: "Own", pdf: { enabled: false } }).pipe(
        answers(200, Shapes.SiteSpaceCustomization)
      )
      assert.deepStrictEqual(patched, { ...put, title: "Own", pdf: { enabled: false }, hasOverrides: true })
      assert.deepStrictEqual(yield* ofOwn, patched)
      yield* publishSite(site)
      const { customizations } = yield* ofSite(site, "GET", "/published").pipe(answers(200, Shapes.PublishedSite))
      assert.deepStrictEqual(customizations.site, put)
      assert.deepStrictEqual(Object.keys(customizations.siteSpaces), [own!.id])
      assert.strictEqual(customizations.siteSpaces[own!.id]?.title, "Own")
      assert.isFalse(
        (yield* ofSite(site, "GET", `/site-spaces/${other!.id}/customization`).pipe(
          answers(200, Shapes.SiteSpaceCustomization)
        )).hasOverrides
      )
      const back = yield* ofSite(site, "PATCH", path, { title: null }).pipe(answers(200, Shapes.SiteSpaceCustomization))
      assert.deepInclude(back, { title: "Looks", hasOverrides: true })
      for (let i = 0; i < 2; i++) yield* ofSite(site, "DELETE", path).pipe(has(204))
      assert.isFalse((yield* ofOwn).hasOverrides)

      yield* ofSite(site, "GET", "/site-spaces/unknown/customization").pipe(refused(404))
      yield* ofSite(site, "PATCH", "/site-spaces/unknown/customization", {}).pipe(refused(404))
      yield* ofSite(site, "DELETE", "/site-spaces/unknown/customization").pipe(has(204))
      for (const wrong of [{ styling: { theme: "loud" } }, { title: 1 }, { privacyPolicy: { url: "javascript:1" } }]) {
        yield* ofSite(site, "PUT", "/customization", wrong).pipe(refused(400))
        yield* ofSite(site, "PATCH", path, wrong).pipe(refused(400))
      }
      assert.deepStrictEqual(
        yield* ofSite(site, "PUT", "/customization", {}).pipe(answers(200, Shapes.Customization)),
        first
      )
    })
  )

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

  it.effect("sums up what visitors of a site did", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const site = yield* publishedSite([space])
      const sums = yield* ofSite(site.id, "POST", "/insights/events/aggregate", {
        select: [{ column: "datetime", interval: "day" }, { column: "eventsCount" }],
        range: "last7Days"
      }).pipe(json(200))
      assert.deepStrictEqual(sums, {
        columns: [
          { column: "datetime", values: [] },
          { column: "eventsCount", values: [] }
        ]
      })
      const path = `${yield* pathOfSite(site.id)}/insights/events/aggregate`
      yield* call("edit", "POST", path, { range: "last7Days" }).pipe(has(200))
      yield* call("comment", "POST", path, { range: "last7Days" }).pipe(refused(403))
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

  it.effect("answers all of a site that is published, as a visitor sees it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [open, hidden] = [yield* spaceOf("Open", ["Start"]), yield* spaceOf("Hidden", ["Secret"])]
      const { id: site } = yield* createSite([open.id, hidden.id])
      const path = `${yield* pathOfSite(site)}/published`
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* publishSite(site)
      const [, second] = yield* siteSpacesOf(site)
      yield* patchSiteSpace(site, second!.id, { condition: "visitor.claims.staff" })
      const shown = yield* call("admin", "GET", path).pipe(answers(200, Shapes.PublishedSite))
      assert.deepInclude(shown.site, { id: site, published: true })
      if (shown.structure.type !== "siteSpaces") return assert.fail("It has no sections")
      assert.deepStrictEqual(
        shown.structure.structure.map(({ title, urls }) => [title, urls.published]),
        [["Open", shown.site.urls.published]]
      )
      const { apiToken } = yield* placeAt(shown.site.urls.published!)
      const read = yield* reading(apiToken, path.slice(3)).pipe(answers(200, Shapes.PublishedSite))
      assert.deepStrictEqual(read.structure, shown.structure)
      yield* ofSite(site, "POST", "/unpublish").pipe(has(200))
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* reading(apiToken, path.slice(3)).pipe(refused(404))
    })
  )

  it.effect("tells where a URL of a site leads: the place, or on to where that is now", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const docs = yield* spaceOf("Docs", ["Start", "Guide"])
      const { id: site, basename, urls } = yield* publishedSite([docs.id])
      const section = yield* addSection(site, docs.id, "Main")
      const other = yield* addSection(site, (yield* spaceOf("API", ["Calls"])).id, "Reference")
      const base = urls.published!
      const place = yield* placeAt(`${base}guide`)
      assert.deepInclude(place, {
        organization,
        site,
        siteSection: section.id,
        siteSpace: section.siteSpaces[0]!.id,
        space: docs.id,
        page: docs.idOf("Guide"),
        pathname: "/guide",
        canonicalUrl: `${base}guide`,
        complete: true
      })
      assert.strictEqual((yield* placeAt(`${base}Reference/calls`)).siteSection, other.id)
      const query = new URLSearchParams({ url: `${base}guide`, visitorAuthToken: "none" })
      const asked = yield* call("outsider", "GET", `/v1/urls/published?${query}`).pipe(
        answers(200, Shapes.PublishedUrl)
      )
      assert.deepStrictEqual(asked, place)
      yield* call("read", "GET", "/v1/urls/published?url=nowhere").pipe(refused(400))
      yield* isNoPage(`${base}nothing/here`)
      for (const wrong of [{}, { url: "" }, { url: "ftp://example.com/" }, { url: 1 }, { url: "x".repeat(5000) }]) {
        yield* call("read", "POST", "/v1/urls/published", wrong).pipe(refused(400))
      }

      yield* patchSection(site, other.id, { path: "api" })
      assert.strictEqual(yield* ledFrom(`${base}reference/calls`), `${base}api/calls`)

      const next = `next-${site.toLowerCase()}`
      const moved = yield* patchSite(site, { basename: next })
      assert.strictEqual(moved.urls.published, base.replace(`/${basename}/`, `/${next}/`))
      assert.strictEqual(yield* ledFrom(`${base}api/calls?a=b`), `${moved.urls.published}api/calls?a=b`)
      const second = yield* publishedSite([docs.id], {})
      yield* patchSite(second.id, { basename: basename.toUpperCase() })
      assert.strictEqual((yield* placeAt(`${base}guide`)).site, second.id)
    })
  )

  it.effect("gives each hostname, basename and proxy to one site, and shows and takes back a hostname", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const docs = yield* spaceOf("Docs", ["Start"])
      const [one, two] = [yield* publishedSite([docs.id]), yield* createSite([docs.id])]
      const name = one.id.toLowerCase()
      const hostname = `docs-${name}.example.com`
      const taken = { hostname, basename: `Own-${one.id}`, proxy: `www-${name}.example.com/docs` }
      yield* ofSite(one.id, "PATCH", "", taken).pipe(has(200))
      const same = { ...taken, basename: taken.basename.toLowerCase(), proxy: taken.proxy.toUpperCase() }
      for (const [field, value] of Object.entries(same)) {
        yield* ofSite(two.id, "PATCH", "", { [field]: value }).pipe(refused(409))
        yield* ofSite(one.id, "PATCH", "", { [field]: value }).pipe(has(200))
      }
      for (const wrong of [
        { hostname: "example.com" },
        { hostname: "Docs.example.com" },
        { hostname: "" },
        { proxy: "example.com" },
        { proxy: "https://example.com/docs" },
        { basename: null },
        { basename: "a/b" },
        { visibility: "private" }
      ]) {
        yield* ofSite(one.id, "PATCH", "", wrong).pipe(refused(400))
      }
      yield* ofSite(one.id, "PATCH", "", { proxy: null }).pipe(has(200))
      assert.strictEqual((yield* placeAt(`https://${hostname}/start`)).site, one.id)

      const path = `/v1/custom-hostnames/${hostname}`
      const shown = yield* call("read", "GET", path).pipe(answers(200, Shapes.CustomHostname))
      assert.deepInclude(shown, { hostname, target: { type: "site", site: one.id }, isActive: true })
      yield* call("read", "GET", "/v1/custom-hostnames/unknown.example.com").pipe(refused(404))
      const site = yield* pathOfSite(one.id)
      yield* call("admin", "POST", `${site}/permissions`, { users: [users.guest], role: "admin" }).pipe(has(204))
      yield* call("guest", "PATCH", site, { title: "Theirs" }).pipe(has(200))
      for (const value of [`new-${name}.example.com`, null]) {
        yield* call("guest", "PATCH", site, { hostname: value }).pipe(refused(403))
      }
      yield* call("guest", "DELETE", path).pipe(refused(403))
      yield* call("outsider", "DELETE", path).pipe(has(204))
      assert.strictEqual(
        (yield* call("read", "GET", path).pipe(answers(200, Shapes.CustomHostname))).hostname,
        hostname
      )
      for (let i = 0; i < 2; i++) yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("read", "GET", path).pipe(refused(404))
      const without = yield* call("read", "GET", site).pipe(answers(200, Shapes.Site))
      assert.isUndefined(without.hostname)
      assert.strictEqual(yield* ledFrom(`https://${hostname}/start`), `${without.urls.published}start`)
      yield* ofSite(two.id, "PATCH", "", { hostname }).pipe(has(200))
      yield* isNowhere(`https://${hostname}/start`)
      const long = `${`${"a".repeat(60)}.`.repeat(8)}example.com`
      yield* ofSite(two.id, "PATCH", "", { hostname: long }).pipe(has(200))
      const { hostname: told } = yield* call("read", "GET", `/v1/custom-hostnames/${long}`).pipe(
        answers(200, Shapes.CustomHostname)
      )
      assert.strictEqual(told, long)

      // What waited for a proof is there with the next look once none is wanted any more.
      const waited = `waited-${name}.example.com`
      const sites = yield* SiteStore
      const claims = { hostname: { name: waited, since: Timestamps.at(start), checks: 0 } }
      yield* (yield* Storage)
        .transaction(
          Effect.gen(function* () {
            const kept = yield* sites.get(SiteId.make(two.id))
            yield* sites.update(kept!.site, { claims })
          })
        )
        .pipe(Effect.orDie)
      yield* call("read", "PATCH", `/v1/custom-hostnames/${waited}`).pipe(refused(404))
      yield* call("admin", "PATCH", `/v1/custom-hostnames/${waited}`).pipe(has(204))
      const proved = yield* call("read", "GET", `/v1/custom-hostnames/${waited}`).pipe(
        answers(200, Shapes.CustomHostname)
      )
      assert.strictEqual(proved.status, "dns_passed")
    })
  )
}
