/** Tests the front page of a space, and the URLs of groups, which have no page of their own. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite, resolve, siteSpacesOf } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish } from "../../http/test/Steps.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const group = (title: string, more: Record<string, unknown> = {}) => ({
  operation: "insert_page",
  type: "group",
  title,
  ref: title,
  ...more
})
const link = (title: string) => ({
  operation: "insert_page",
  type: "link",
  title,
  target: { kind: "url", url: "https://example.com/" }
})
const into = (title: string) => ({ into: title })

onMemory("The front of a site", (it) => {
  it.effect("is the first document, where groups and links come before it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      const { idOf } = yield* publish(space.id, [
        link("Elsewhere"),
        group("Empty"),
        group("Introduction"),
        insertPage("Welcome", "Come in", into("Introduction")),
        insertPage("Second", "More", into("Introduction")),
        group("More"),
        insertPage("Third", "Third", into("More")),
        insertPage("Last", "The end")
      ])
      const { urls } = yield* publishedSite([space.id])
      const base = urls.published ?? ""
      const front = yield* ask(base).pipe(hasStatus(200))
      assert.match(front.text, /<h1[^>]*>Welcome/)
      assert.include(front.text, "Come in")
      assert.include(front.text, `<link rel="canonical" href="${base}">`)
      assert.strictEqual((yield* resolve(base)).page, idOf("Welcome"))
      assert.include((yield* ask(`${base}index.md`).pipe(hasStatus(200))).text, "# Welcome")
      assert.include((yield* ask(`${base}llms.txt`)).text, `[Welcome](${base}index.md)`)
      const own = yield* ask(`${base}introduction/welcome`).pipe(hasStatus(200))
      assert.include(own.text, `<link rel="canonical" href="${base}">`)
      for (const [path, to] of [
        ["introduction", ""],
        ["introduction/", ""],
        ["more", "more/third"],
        ["more/", "more/third"],
        ["more?q=1", "more/third?q=1"]
      ] as const) {
        const { headers } = yield* ask(base + path).pipe(hasStatus(307))
        assert.strictEqual(headers.get("location"), new URL(base + to).href.slice(new URL(base).origin.length))
      }
      assert.include((yield* ask(`${base}more.md`).pipe(hasStatus(307))).headers.get("location"), "more/third.md")
      yield* ask(`${base}empty`).pipe(hasStatus(404))
    })
  )

  it.effect("skips what is not for a visitor", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      const condition = "visitor.claims.unsigned.beta"
      yield* publish(space.id, [
        group("Beta", { condition }),
        insertPage("Secret", "For few", into("Beta")),
        group("Guides"),
        insertPage("Not yet", "For few", { ...into("Guides"), condition }),
        insertPage("Guide", "For all", into("Guides")),
        group("Others"),
        insertPage("Not there", "For few", { ...into("Others"), condition }),
        insertPage("Other", "For all", into("Others"))
      ])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      assert.match((yield* ask(base).pipe(hasStatus(200))).text, /<h1[^>]*>Guide/)
      assert.include((yield* ask(`${base}others`).pipe(hasStatus(307))).headers.get("location"), "others/other")
      yield* ask(`${base}beta`).pipe(hasStatus(404))
    })
  )

  it.effect("is one of each section, and links to the first document lead there", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const [one, two] = [yield* createSpace({ title: "One" }), yield* createSpace({ title: "Two" })]
      const { idOf } = yield* publish(two.id, [group("Part"), insertPage("Inner", "Text", into("Part"))])
      yield* publish(one.id, [insertPage("Outer", `[in](/spaces/${two.id}/pages/${idOf("Inner")})`)])
      const { id, urls } = yield* publishedSite([one.id, two.id])
      const [, second] = yield* siteSpacesOf(id)
      const base = second?.urls.published ?? ""
      assert.match((yield* ask(base).pipe(hasStatus(200))).text, /<h1[^>]*>Inner/)
      const { text } = yield* ask(urls.published ?? "").pipe(hasStatus(200))
      assert.include(text, `href="${base}">in</a>`)
    })
  )

  it.effect("of a site without a page says so, in its language", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs", language: "de" })
      yield* publish(space.id, [group("Empty")])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      const { text } = yield* ask(base).pipe(hasStatus(404))
      assert.include(text, "<h1>Hier gibt es noch keine Seiten</h1>")
    })
  )

  it.effect("and every page without a text shows the pages below it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [
        { ...insertPage("Part"), ref: "Part" },
        insertPage("First", "Text", { ...into("Part"), description: "What comes first", emoji: "1f680" }),
        insertPage("Hidden", "Text", { ...into("Part"), hidden: true }),
        { ...link("Elsewhere"), ...into("Part") },
        { ...insertPage("Told", "A text"), ref: "Told" },
        insertPage("Below", "Text", into("Told")),
        insertPage("Alone")
      ])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      const { text } = yield* ask(base).pipe(hasStatus(200))
      const cards = Array.from(text.matchAll(/<li class="card">.*?<\/li>/gs), ([card]) => card)
      assert.lengthOf(cards, 2)
      assert.match(cards[0]!, /🚀.*First<.*What comes first.*href="[^"]*part\/first" aria-label="First"/s)
      assert.include(cards[1]!, 'href="https://example.com/" aria-label="Elsewhere"')
      for (const path of ["told", "alone"]) assert.notInclude((yield* ask(base + path)).text, 'class="card"')
    })
  )
})
