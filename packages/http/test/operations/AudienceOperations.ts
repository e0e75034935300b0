/** Whom sites are published to, and what is known of visitors: each operation once, with its status and shape. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import {
  addSection,
  ask,
  createShareLink,
  createSite,
  ofSite,
  patchSection,
  pathOfSite,
  publishSite,
  spaceOf
} from "../SiteSteps.ts"
import { createSpace } from "../Steps.ts"

export const audienceOperations = (it: Vitest.MethodsNonLive<Services>) => {
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

  it.effect("opens previews of a site that is not published, which end where it is none", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* spaceOf("Docs", ["Home", "Setup"])
      const { id: site, basename } = yield* createSite([space.id])
      const of = (query: string) => ofSite(site, "GET", `/publishing/preview${query}`)
      const { url } = yield* of("").pipe(answers(200, Shapes.PreviewUrl))
      assert.include(url, `/sites/${basename}/~/preview/?token=`)
      const found = yield* ask(url).pipe(answers(200, Shapes.PublishedUrl))
      assert.deepStrictEqual([found.preview, found.session?.name, found.space], [true, "lectern-preview", space.id])
      const deep = yield* of("?target=/setup&claims=(plan:pro)&draft=true").pipe(answers(200, Shapes.PreviewUrl))
      const { page, contextId } = yield* ask(deep.url).pipe(answers(200, Shapes.PublishedUrl))
      assert.strictEqual(page, space.idOf("Setup"))
      assert.isDefined(contextId)
      yield* of("?target=/~/changes/7/").pipe(refused(404))
      yield* of("?claims=!(a)").pipe(refused(400))
      yield* call("outsider", "GET", `${yield* pathOfSite(site)}/publishing/preview`).pipe(refused(404))
      yield* ofSite(site, "DELETE", "").pipe(has(204))
      yield* ask(url).pipe(refused(404))
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
}
