/** Paths of a site that are no pages: search, feedback, PDFs. */
import { PdfTable } from "@lectern/core/pdf/Pdf"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { has, onMemory } from "../../http/test/Harness.ts"
import { addSection, createSite, json, ofSite, publishedSite, publishSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish, spaceWith } from "../../http/test/Steps.ts"
import { html } from "../src/html/Html.ts"
import { SnippetCache } from "../src/rendering/SnippetCache.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields).toString()
})

const formHeaders = (fields: Record<string, string>) => ({
  "content-type": "application/x-www-form-urlencoded",
  "content-length": String(new URLSearchParams(fields).toString().length)
})

onMemory("A site", (it) => {
  it.effect("is searched by a form, and shows the words in their forms by page and section", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({
        Start: "Nothing here.",
        Subscriptions: "First.\n\n## Tom & the subscription\n\nEnd it at once."
      })
      const { urls } = yield* publishedSite([space], { title: "Acme" })
      const page = (yield* ask(`${urls.published}~search?q=subscription`).pipe(hasStatus(200))).text
      assert.include(page, `<meta name="robots" content="noindex">`)
      assert.include(page, `value="subscription"`)
      assert.include(page, "<strong><mark>Subscriptions</mark></strong>")
      assert.match(page, /href="[^"]*subscriptions#tom-[^"]*"><strong>Tom &amp; the <mark>subscription<\/mark>/)
      const part = (yield* ask(`${urls.published}~search?q=subscription&part=results`).pipe(hasStatus(200))).text
      assert.isTrue(part.startsWith(`<p class="found-count">1 page found</p>`), part)
      const hostile = `<script>alert(1)</script>"'`
      const none = (yield* ask(`${urls.published}~search?q=${encodeURIComponent(hostile)}`).pipe(hasStatus(200))).text
      assert.notInclude(none, "<script>alert")
      yield* ask(`${urls.published}~search`).pipe(hasStatus(200))
      yield* ask(`${urls.published}~search?q=${"x".repeat(600)}`).pipe(hasStatus(200))
    })
  )

  it.effect("has its icons on pages of its own", () =>
    Effect.gen(function* () {
      const ask = yield* asking.pipe(
        Effect.provideService(SnippetCache, {
          snippets: (style) => ({
            highlight: () => undefined,
            formula: () => undefined,
            icon: (name) => html`<svg data-icon="${name} ${style}"></svg>`,
            isComplete: () => true,
            pending: () => undefined
          })
        })
      )
      const { id, urls } = yield* publishedSite([(yield* spaceWith({ Start: "Here." })).space])
      const socialAccounts = [{ platform: "github", handle: "acme", display: { footer: true, header: false } }]
      yield* ofSite(id, "PUT", "/customization", { socialAccounts, styling: { icons: "solid" } }).pipe(json(200))
      for (const path of ["", "~search?q=start"]) {
        const { text } = yield* ask(`${urls.published}${path}`).pipe(hasStatus(200))
        assert.include(text, `<svg data-icon="github solid"></svg>`)
      }
    })
  )

  it.effect("finds nothing that is not published on it, and in its sections as far as is asked", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const [one, two, other] = [
        (yield* spaceWith({ Apples: "Fruit" })).space,
        (yield* spaceWith({ Pears: "Fruit" })).space,
        (yield* spaceWith({ Plums: "Fruit" })).space
      ]
      const { id } = yield* createSite([one])
      yield* addSection(id, (yield* spaceWith({ Cherries: "Stones" })).space, "First")
      yield* addSection(id, two, "Second")
      const { urls } = yield* publishSite(id)
      const find = (more: string) => Effect.map(ask(`${urls.published}~search?q=fruit${more}`), ({ text }) => text)
      const all = yield* find("")
      assert.match(all, /Apples/)
      assert.match(all, /Pears/)
      assert.notMatch(all, /Plums/)
      const here = yield* find("&scope=here")
      assert.match(here, /Apples/)
      assert.notMatch(here, /Pears/)
      yield* ofSite(id, "PATCH", "", { visibility: "share-link" }).pipe(has(200))
      yield* ask(`${urls.published}~search?q=fruit`).pipe(hasStatus(404))
      assert.isString(other)
    })
  )

  it.effect("takes feedback where its settings ask for it, keeps it, and leads back to thanks", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [insertPage("Start", "")])
      const { idOf } = yield* publish(space.id, [insertPage("Guide", "Words")])
      const { id, urls } = yield* publishedSite([space.id])
      const send = (fields: Record<string, string>) =>
        ask(`${urls.published}~feedback`, formHeaders(fields), form(fields))
      const fields = { page: idOf("Guide"), rating: "good", comment: "Clear & short" }
      yield* send(fields).pipe(hasStatus(404))
      yield* ofSite(id, "PUT", "/customization", { feedback: { enabled: true } }).pipe(has(200))
      const sent = yield* send(fields).pipe(hasStatus(303))
      assert.match(sent.headers.get("location") ?? "", /\/guide#~thanks$/)
      yield* send({ ...fields, comment: "", rating: "bad" }).pipe(hasStatus(303))
      for (const wrong of [
        { ...fields, rating: "best" },
        { ...fields, page: "elsewhere" },
        { ...fields, comment: "x".repeat(9_000) }
      ]) {
        yield* send(wrong).pipe(hasStatus(404))
      }
      for (const elsewhere of [{ "sec-fetch-site": "cross-site" }, { origin: "https://elsewhere.example" }]) {
        const headers = { ...formHeaders(fields), ...elsewhere }
        yield* ask(`${urls.published}~feedback`, headers, form(fields)).pipe(hasStatus(404))
        yield* ask(`${urls.published}~search`, { ...headers }, form({ q: "guide" })).pipe(hasStatus(404))
      }
      const sumsBy = (column: string) =>
        ofSite(id, "POST", "/insights/events/aggregate", {
          select: [{ column }, { column: "eventsCount" }],
          order: { by: { column }, direction: "asc" },
          range: "last24Hours"
        }).pipe(
          json(200),
          Effect.map(({ columns }) => columns.map(({ values }: { readonly values: unknown }) => values))
        )
      assert.deepStrictEqual(yield* sumsBy("eventPageFeedbackRating"), [
        ["bad", "good"],
        [1, 1]
      ])
      assert.deepStrictEqual(yield* sumsBy("eventPageFeedbackComment"), [["Clear & short"], [1]])
    })
  )

  it.effect("finds what is left out of the navigation, and nothing that is left out of search", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [
        insertPage("Apples", "Fruit"),
        insertPage("Pears", "Fruit", { hidden: true }),
        insertPage("Plums", "Fruit", { noIndex: true })
      ])
      const { urls } = yield* publishedSite([space.id])
      const { text } = yield* ask(`${urls.published}~search?q=fruit&part=results`).pipe(hasStatus(200))
      assert.deepStrictEqual(
        ["Apples", "Pears", "Plums"].map((title) => text.includes(title)),
        [true, true, false]
      )
    })
  )

  it.effect("keeps what was searched for, and what was opened of it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space, idOf } = yield* spaceWith({ Apples: "Fruit", Pears: "More fruit" })
      const { id, urls } = yield* publishedSite([space])
      const search = `${urls.published}~search`
      const told = (fields: Record<string, string>) => ask(search, formHeaders(fields), form(fields))
      yield* ask(`${search}?q=fruit`).pipe(hasStatus(200))
      // What shows while one types is no question yet.
      yield* ask(`${search}?q=fr&part=results`).pipe(hasStatus(200))
      yield* ask(search).pipe(hasStatus(200))
      yield* told({ q: "more", opened: new URL(`${urls.published}pears`).pathname }).pipe(hasStatus(204))
      yield* told({ q: "none", opened: "https://elsewhere.example/" }).pipe(hasStatus(204))
      yield* told({ q: " ", opened: "" }).pipe(hasStatus(404))
      const { columns } = yield* ofSite(id, "POST", "/insights/events/aggregate", {
        select: [
          { column: "eventType" },
          { column: "eventSearchQuery" },
          { column: "page" },
          { column: "eventsCount" }
        ],
        range: "last24Hours"
      }).pipe(json(200))
      const [types, queries, pages, counts] = columns.map(
        ({ values }: { readonly values: ReadonlyArray<unknown> }) => values
      )
      const rows = types
        .map((type: string, i: number) =>
          [type, queries[i], (pages[i] as { readonly page?: string } | null)?.page, counts[i]].join(" ")
        )
        .sort()
      assert.deepStrictEqual(rows, [
        `search_open_result more ${idOf("Pears")} 1`,
        "search_type_query fruit  1",
        "search_type_query more  1",
        "search_type_query none  1"
      ])
    })
  )

  it.effect("makes a PDF of a page for who may read it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      const { idOf } = yield* publish(space.id, [insertPage("Start", "Words")])
      const { id, urls } = yield* publishedSite([space.id])
      const asked = yield* ask(`${urls.published}~pdf?page=${idOf("Start")}`).pipe(hasStatus(200))
      assert.include(["application/pdf", "text/html; charset=utf-8"], asked.headers.get("content-type"))
      yield* ask(`${urls.published}~pdf?page=elsewhere`).pipe(hasStatus(404))
      yield* ofSite(id, "PUT", "/customization", { internationalization: { locale: "de" } }).pipe(has(200))
      yield* ask(`${urls.published}~pdf?page=${idOf("Start")}`).pipe(hasStatus(200))
      const made = yield* (yield* Storage).repository(PdfTable).list({ where: { space: space.id } })
      assert.deepStrictEqual(made.map(({ locale }) => locale).toSorted(), ["de", undefined])
      // Ten of a space are made at once; who comes then is asked to wait.
      const more = Array.from({ length: 12 }, (_, i) => insertPage(`More ${i}`, "Words"))
      const { idOf: moreIdOf } = yield* publish(space.id, more)
      const answers = yield* Effect.forEach(more, (_, i) => ask(`${urls.published}~pdf?page=${moreIdOf(`More ${i}`)}`))
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200, 503])
      assert.isNotNull(answers.at(-1)!.headers.get("retry-after"))
      yield* ask(`${urls.published}~pdf`).pipe(hasStatus(404))
      yield* ofSite(id, "PUT", "/customization", { pdf: { enabled: false } }).pipe(has(200))
      yield* ask(`${urls.published}~pdf?page=${idOf("Start")}`).pipe(hasStatus(404))
    })
  )
})
