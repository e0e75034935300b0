/** Queries find what they should, and hidden pages make no difference to the result. */
import { assert, describe, it } from "@effect/vitest"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import * as PageMatches from "@lectern/core/search/PageMatches"
import { wordsOf } from "@lectern/core/search/PageWords"
import type * as SpaceLookups from "@lectern/core/search/SpaceLookups"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { InvertedIndex } from "@lectern/core/storage/InvertedIndex"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

interface Text {
  readonly title: string
  readonly text: string
  /** Titles of the pages above it. */
  readonly above?: ReadonlyArray<string>
}

const words = ({ title, text }: Text) => wordsOf({ title }, [{ anchor: undefined, title: "", text }], "en")

const space = { id: "s", language: "en", hidden: new Set<string>(), unindexed: undefined } as const

const inIndex = <A, E>(body: Effect.Effect<A, E, SearchIndex>) =>
  Effect.provide(body, Layer.fresh(MemoryStorage.testLayer))

const noTitles: PageMatches.LoadTitles = (pages) => Effect.succeed(pages.map(() => undefined))

const namedFinding = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  query: string,
  ...spaces: ReadonlyArray<SpaceLookups.SearchedSpace>
) {
  return yield* titledFinding(index, query, noTitles, ...spaces)
})

const titledFinding = Effect.fnUntraced(function* (
  index: SearchIndex["Service"],
  query: string,
  titlesOf: PageMatches.LoadTitles,
  ...spaces: ReadonlyArray<SpaceLookups.SearchedSpace>
) {
  const { pages, words } = yield* PageMatches.find(index, query, spaces, titlesOf)
  const names = yield* PageMatches.pageIds(index, spaces, pages)
  return { words, pages: pages.map((page, i) => ({ ...page, page: names[i] })) }
})

/** Pages that a query finds, named by their index; `isHidden` names those that are hidden. */
const finding = (pages: ReadonlyArray<Text>, query: string, hidden: ReadonlySet<string> = new Set()) =>
  inIndex(
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change(
        "s",
        pages.map((page, i) => ({ page: String(i), words: words(page) }))
      )
      const titlesOf: PageMatches.LoadTitles = (found) =>
        Effect.map(PageMatches.pageIds(index, [{ ...space, hidden }], found), (names) =>
          names.map((name) => {
            const { title, above: ancestors = [] } = pages[Number(name)]!
            return { title, ancestors }
          })
        )
      return yield* titledFinding(index, query, titlesOf, { ...space, hidden })
    })
  )

const found = (pages: ReadonlyArray<Text>, query: string) =>
  Effect.map(finding(pages, query), ({ pages }) => pages.map(({ page }) => Number(page)))

const page = (title: string, text = ""): Text => ({ title, text })

describe("PageMatches", () => {
  it.effect("ranks by how rare a word is, where it stands, how often, and how much of the query there is", () =>
    Effect.gen(function* () {
      const filler = "Many other words stand in this page as well. ".repeat(200)
      const pages = [
        page("Other", `${filler} The webhook.`),
        page("More", `${filler} The webhook calls a webhook behind a webhook.`),
        page("Webhook", filler),
        page("The token", filler),
        page("The end", "Token and webhook."),
        page("Nothing", filler)
      ]
      assert.deepStrictEqual(yield* found(pages, "webhook"), [2, 1, 4, 0])
      assert.deepStrictEqual((yield* found(pages, "webhook calls")).slice(0, 2), [1, 2])
      assert.deepStrictEqual(yield* found(pages, "webhok"), [2, 1, 4, 0])
      assert.deepStrictEqual(yield* found(pages, "webh"), [2, 1, 4, 0])
    })
  )

  it.effect("counts the titles above a page, and prefers the page whose title is all requested", () =>
    Effect.gen(function* () {
      const long = "A voice turns a text to speech, as that of ElevenLabs does. ".repeat(3)
      const pages = [
        page("Voices", long),
        page("Speakers", long),
        { ...page("ElevenLabs", "Enter the key."), above: ["Integrations", "Text-to-Speech"] },
        { ...page("ElevenLabs", "Enter the key."), above: ["Integrations", "Transcripts"] },
        ...Array.from({ length: 20 }, (_, i) => page(`Page ${i}`, "How to go to pages and transcripts."))
      ]
      assert.strictEqual((yield* found(pages, "text to speech elevenlabs"))[0], 2)
      assert.strictEqual((yield* found(pages, "transcripts elevenlabs"))[0], 3)
    })
  )

  it.effect("ranks pages that are not in the index together with those that are, each once", () =>
    inIndex(
      Effect.gen(function* () {
        const index = yield* SearchIndex
        yield* index.change("s", [
          { page: "both", words: words(page("Pets")) },
          { page: "stored", words: words(page("Stored", "Pets and others")) }
        ])
        const table = new InvertedIndex()
        table.add(0, words(page("Pets", "All about pets. Pets, pets, pets.")))
        table.add(1, words(page("Computed", "Pets and others, adopted")))
        const others: SpaceLookups.UnindexedPages = {
          pages: ["both", "computed"],
          read: (lookup) => table.read(lookup),
          similar: (word) => table.similar(word)
        }
        const search = (query: string) =>
          Effect.map(namedFinding(index, query, { ...space, unindexed: others }), ({ pages }) => pages)
        const pets = yield* search("pet")
        assert.deepStrictEqual(
          pets.map(({ page }) => page),
          ["both", "stored", "computed"]
        )
        assert.deepStrictEqual(
          pets.map(({ position }) => position),
          pets.map(({ position }) => position).sort()
        )
        assert.deepStrictEqual(
          (yield* search("adopetd")).map(({ page }) => page),
          ["computed"]
        )
      })
    )
  )

  it.effect("ranks the pages of several spaces as it ranks those of one", () =>
    inIndex(
      Effect.gen(function* () {
        const index = yield* SearchIndex
        const pages = [
          page("The gateway", "It opens."),
          page("Tokens", "Behind a gateway, the gateways and the wall."),
          page("Wall", "A wall has a gateway."),
          page("Doors", "No way, but a gatewax.")
        ]
        const change = (space: string, of: ReadonlyArray<Text>) =>
          index.change(
            space,
            of.map((page) => ({ page: page.title, words: words(page) }))
          )
        yield* change("s", pages)
        // The rest of the alphabet, so that the spaces differ in how rare the word is in each.
        yield* change("b", [pages[0]!, pages[3]!])
        yield* change("a", [pages[1]!])
        yield* change("c", [pages[2]!])
        const [a, b, c] = ["a", "b", "c"].map((id) => ({ ...space, id }))
        const shown = ({ page, score }: { readonly page: string | undefined; readonly score: number }) => [page, score]
        for (const query of ["gateway", "wall gateway", "gatewya", "gatew", "nothing"]) {
          const alone = yield* namedFinding(index, query, space)
          const among = yield* namedFinding(index, query, c!, a!, b!)
          assert.sameDeepMembers(among.pages.map(shown), alone.pages.map(shown), query)
          assert.deepStrictEqual(
            among.pages.map(({ score }) => score),
            alone.pages.map(({ score }) => score)
          )
          assert.deepStrictEqual(among.words, alone.words, query)
          // In whichever order the spaces are named.
          const again = yield* namedFinding(index, query, b!, c!, a!)
          assert.deepStrictEqual(
            again.pages.map(({ position }) => position),
            among.pages.map(({ position }) => position).toSorted()
          )
        }
        assert.deepStrictEqual((yield* PageMatches.find(index, "gateway", [], noTitles)).pages, [])
      })
    )
  )

  it.effect("knows the forms of words in each space's language", () =>
    inIndex(
      Effect.gen(function* () {
        const index = yield* SearchIndex
        const german = { ...space, id: "t", language: "de" } as const
        const text = (title: string, language: "en" | "de") => ({
          page: title,
          words: wordsOf({ title }, [], language)
        })
        yield* index.change("s", [text("Houses", "en"), text("Häuser", "en")])
        yield* index.change("t", [text("Häuser", "de"), text("Houses", "de")])
        const { pages } = yield* namedFinding(index, "häusern", space, german)
        assert.deepStrictEqual(
          pages.map(({ space, page }) => [space, page]),
          [[1, "Häuser"]]
        )
      })
    )
  )

  const word = fc.constantFrom("secret", "secrets", "secrte", "server", "serves", "the", "a", "use", "useState", "東京")
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "))
  const texts = fc.array(fc.record({ title: text, text, isHidden: fc.boolean() }), { maxLength: 8 })

  it("finds the same, and as good, whatever the pages say that are hidden", () =>
    fc.assert(
      fc.asyncProperty(texts, text, async (all, query) => {
        const hidden = new Set(all.flatMap(({ isHidden }, i) => (isHidden ? [String(i)] : [])))
        const among = await Effect.runPromise(finding(all, query, hidden))
        const alone = await Effect.runPromise(
          finding(
            all.filter(({ isHidden }) => !isHidden),
            query
          )
        )
        const places = all.flatMap(({ isHidden }, i) => (isHidden ? [] : [String(i)]))
        assert.deepStrictEqual(
          among.pages.map(({ page, score }) => [page, score]),
          alone.pages.map(({ page, score }) => [places[Number(page)], score])
        )
        assert.deepStrictEqual(among.words, alone.words)
      }),
      runs(100)
    ))
})
