/** Views of published pages: whom they are told of, and whom not. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onMemory } from "../../http/test/Harness.ts"
import * as Shapes from "../../http/test/IntegrationShapes.ts"
import { installed, program } from "../../http/test/IntegrationSteps.ts"
import { listOf } from "../../http/test/Shapes.ts"
import { json, ofSite, publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import { UnsafeRuntime } from "../../http/test/UnsafeRuntime.ts"
import { serving } from "./Serving.ts"

const person = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }

/** A site with an integration on it that hears of views. */
const heard = Effect.fnUntraced(function* (...scopes: ReadonlyArray<string>) {
  const { call } = yield* Harness
  const { space } = yield* spaceWith({ Start: "Words.", Next: "More." })
  const { id, urls } = yield* publishedSite([space])
  const { name, path } = yield* installed({
    target: "site",
    scopes: ["site:views:read", ...scopes],
    script: program("return new Response('OK')")
  })
  yield* call("admin", "POST", `${path}/sites`, { siteId: id }).pipe(has(201))
  /** Paths of what was read, by type, and how often. */
  const counted = (type: string) =>
    ofSite(id, "POST", "/insights/events/aggregate", {
      select: [{ column: "eventsCount" }, { column: "visitorsCount" }],
      where: [{ column: "eventType", values: [type] }],
      range: "last24Hours"
    }).pipe(
      json(200),
      Effect.map(({ columns }) => columns.map(({ values }: { readonly values: ReadonlyArray<number> }) => values[0]))
    )
  const told = Effect.gen(function* () {
    yield* (yield* JobWorker).runDue
    const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=100`).pipe(
      answers(200, listOf(Shapes.IntegrationEvent))
    )
    return items.flatMap(({ payload }) => (payload.type === "site_view" ? [payload] : []))
  })
  return { site: id, home: urls.published!, counted, told }
})

onMemory(
  "Views of pages",
  (it) => {
    it.effect("are told of each time that somebody looks, drawn or kept, in one write", () =>
      Effect.gen(function* () {
        const site = yield* heard()
        const { ask, isKept } = yield* serving(2 ** 20, 2 ** 20)
        const before = yield* (yield* Storage).generation
        const first = yield* ask(`${site.home}next`, person)
        // The reader's token is verified once, which asks for the time.
        yield* ask(`${site.home}next`, person)
        assert.isTrue(isKept(`${site.home}next`, person))
        yield* ask(`${site.home}next`, { ...person, "accept-language": "de" })
        const unchanged = yield* ask(`${site.home}next`, { ...person, "if-none-match": first.headers["etag"]! })
        assert.strictEqual(unchanged.status, 304)
        yield* ask(`${site.home}next?utm_source=letter`, { "user-agent": "Mozilla/5.0 (iPhone) Safari/1" })
        assert.strictEqual(yield* (yield* Storage).generation, before, "a request writes nothing by itself")
        assert.deepStrictEqual(yield* site.counted("page_view"), [6, 2])
        const views = yield* site.told
        assert.strictEqual(views.length, 6)
        assert.isTrue(views.every((view) => "url" in view && String(view.url).startsWith(`${site.home}next`)))
        assert.isTrue(isKept(`${site.home}next`, person), "a view makes no page be drawn anew")
      })
    )

    it.effect("are none of programs, of what is fetched ahead, and of what is no page", () =>
      Effect.gen(function* () {
        const site = yield* heard()
        const { ask } = yield* serving(2 ** 20, 2 ** 20)
        const read = (path: string, headers: Record<string, string> = {}, method = "GET") =>
          ask(`${site.home}${path}`, { ...person, ...headers }, method)
        yield* read("next", {}, "HEAD")
        yield* read("next", { "user-agent": "Mozilla/5.0 (compatible; Examplebot/2.1; +http://example.com/bot.html)" })
        yield* read("next", { "user-agent": "curl/8.0" })
        yield* read("next", { "sec-purpose": "prefetch" })
        yield* read("next", { "sec-fetch-dest": "empty" })
        yield* read("missing")
        yield* read("NEXT")
        assert.deepStrictEqual(yield* site.counted("page_view"), [0, 0])
        yield* read("next.md", { "user-agent": "curl/8.0" })
        yield* read("next", { "user-agent": "curl/8.0", accept: "text/markdown" })
        yield* read("llms.txt", { "user-agent": "curl/8.0" })
        assert.strictEqual((yield* site.counted("page_markdown_request"))[0], 2)
        assert.strictEqual((yield* site.counted("llms_request"))[0], 1)
        assert.deepStrictEqual(yield* site.told, [])
      })
    )

    it.effect("are counted, and told to nobody, where their reader doesn't want that", () =>
      Effect.gen(function* () {
        const site = yield* heard("site:script:inject", "site:script:cookies")
        const { ask } = yield* serving(2 ** 20, 2 ** 20)
        const agreed = { ...person, cookie: "lectern-consent=yes" }
        yield* ask(`${site.home}next`, person)
        yield* ask(`${site.home}next`, { ...person, cookie: "lectern-consent=no" })
        yield* ask(`${site.home}next`, { ...agreed, "sec-gpc": "1" })
        assert.deepStrictEqual(yield* site.told, [])
        yield* ask(`${site.home}next`, agreed)
        assert.strictEqual((yield* site.counted("page_view"))[0], 4)
        assert.strictEqual((yield* site.told).length, 1)
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
