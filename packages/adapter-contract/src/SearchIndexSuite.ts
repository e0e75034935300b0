/** Finding pages by their words. */
import { assert } from "@effect/vitest"
import { SearchIndex, type SearchQuery } from "@lectern/core/storage/SearchIndex"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { Effect, Schema } from "effect"
import { suite } from "./Harness.ts"

interface Words {
  readonly title?: string
  readonly heading?: string
  readonly body?: string
}

const split = (text = "") => text.split(" ").filter((word) => word !== "")

const page = (page: string, { title, heading, body }: Words) => ({
  page,
  words: { title: split(title), heading: split(heading), body: split(body) }
})

const gone = (page: string) => ({ page, words: undefined })

/** The pages that have all of these words; the last one is a prefix where it ends with a star. */
const query = (text: string, more: Partial<SearchQuery> = {}): SearchQuery => {
  const words = split(text)
  const prefix = words.at(-1)?.endsWith("*") === true ? words.pop()!.slice(0, -1) : undefined
  return { space: "s", words, prefix, limit: 100, ...more }
}

const found = (text: string, more?: Partial<SearchQuery>) =>
  Effect.flatMap(SearchIndex, (index) =>
    Effect.map(index.find(query(text, more)), (hits) => hits.map((hit) => hit.page))
  )

export const searchIndexSuite = suite("SearchIndex", (scenario) => {
  scenario("finds the pages that have all the words, wherever each of them stands", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [
        page("a", { title: "install guide", body: "run the server" }),
        page("b", { title: "server", heading: "install" }),
        page("c", { body: "installing nothing" })
      ])
      assert.deepStrictEqual(yield* found("install server"), ["b", "a"])
      assert.deepStrictEqual(yield* found("server the"), ["a"])
      assert.deepStrictEqual(yield* found("server missing"), [])
      assert.deepStrictEqual(yield* found("instal"), [])
      assert.deepStrictEqual(yield* found(""), [])
    })
  )

  scenario("puts titles before headings before text, whole words before prefixes, and keeps the order", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [
        page("body-prefix", { body: "webhook" }),
        page("body", { body: "web" }),
        page("heading-prefix", { heading: "webhook" }),
        page("heading", { heading: "web" }),
        page("title-prefix", { title: "webhook" }),
        page("title", { title: "web" }),
        page("again", { title: "web" }),
        page("all", { title: "webhook", heading: "web", body: "web" })
      ])
      const hits = yield* index.find(query("web*"))
      assert.deepStrictEqual(
        hits.map((hit) => [hit.page, hit.rank]),
        [
          ["title", 0],
          ["again", 0],
          ["title-prefix", 1],
          ["all", 1],
          ["heading", 2],
          ["heading-prefix", 3],
          ["body", 4],
          ["body-prefix", 5]
        ]
      )
      const place = (hit: (typeof hits)[number]) => [hit.rank, hit.order] as const
      for (const [i, hit] of hits.slice(1).entries()) {
        const [rank, order] = place(hits[i]!)
        assert.isTrue(rank < hit.rank || (rank === hit.rank && order < hit.order))
      }
      assert.deepStrictEqual(yield* found("web*", { limit: 3 }), ["title", "again", "title-prefix"])
      assert.deepStrictEqual(yield* found("web*", { limit: 0 }), [])
    })
  )

  scenario("finds the same words in every script, and prefixes of any length", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [
        page("ja", { body: "東 京 東京 都 京都" }),
        page("ko", { body: "검 색 검색" }),
        page("ru", { body: "установка" }),
        page("ar", { body: "العربية" }),
        page("hi", { body: "हिन्दी" }),
        page("math", { body: "𝒳𝒴𝒵 x2" })
      ])
      for (const [text, expected] of [
        ["東京 京都", "ja"],
        ["京", "ja"],
        ["검색", "ko"],
        ["у*", "ru"],
        ["ус*", "ru"],
        ["уста*", "ru"],
        ["установка*", "ru"],
        ["العر*", "ar"],
        ["हि*", "hi"],
        ["𝒳*", "math"],
        ["𝒳𝒴*", "math"],
        ["x2", "math"]
      ] as const) {
        assert.deepStrictEqual(yield* found(text), [expected], text)
      }
      assert.deepStrictEqual(yield* found("京東"), [])
    })
  )

  scenario("keeps spaces apart", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [page("a", { title: "word" })])
      yield* index.change("t", [page("a", { title: "other" }), page("b", { title: "word" })])
      assert.deepStrictEqual(yield* found("word"), ["a"])
      assert.deepStrictEqual(yield* found("wo*", { space: "t" }), ["b"])
      assert.deepStrictEqual(yield* found("other"), [])
      assert.deepStrictEqual(yield* found("word", { space: "unknown" }), [])
      assert.deepStrictEqual(yield* index.pages("t", { limit: 9 }), ["a", "b"])
    })
  )

  scenario("replaces and forgets what is known of a page, which keeps its place", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [page("a", { title: "one" }), page("b", { title: "one" }), page("c", { title: "one" })])
      yield* index.change("s", [page("a", { title: "one two" }), gone("b"), gone("never")])
      assert.deepStrictEqual(yield* found("one"), ["a", "c"])
      yield* index.change("s", [page("a", { body: "two" })])
      assert.deepStrictEqual(yield* found("one"), ["c"])
      assert.deepStrictEqual(yield* found("two"), ["a"])
      yield* index.change("s", [page("a", { title: "x" }), page("a", { title: "y" })])
      assert.deepStrictEqual(yield* found("x"), [])
      assert.deepStrictEqual(yield* found("y"), ["a"])
    })
  )

  scenario("lists the pages of a space in pages, and nothing is left of one that was emptied", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change(
        "s",
        ["c", "B", "a", "d"].map((name) => page(name, { body: "word" }))
      )
      const first = yield* index.pages("s", { limit: 3 })
      assert.deepStrictEqual(first, ["B", "a", "c"])
      assert.deepStrictEqual(yield* index.pages("s", { after: "c", limit: 3 }), ["d"])
      assert.deepStrictEqual(yield* index.pages("s", { limit: 0 }), [])
      yield* index.change("s", first.map(gone))
      yield* index.change("s", [gone("d")])
      assert.deepStrictEqual(yield* index.pages("s", { limit: 3 }), [])
      // What takes the place of an emptied space has nothing of it.
      yield* index.change("other", [page("new", { body: "fresh" })])
      for (const space of ["s", "other"]) assert.deepStrictEqual(yield* found("word", { space }), [])
    })
  )

  scenario("changes with the commit of a transaction: not before, and not without it", (store) =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const storage = yield* Storage
      yield* index.change("s", [page("a", { title: "old" })])
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* index.change("s", [page("a", { title: "new" })])
          assert.deepStrictEqual(yield* found("new"), [])
          assert.deepStrictEqual(yield* found("old"), ["a"])
        })
      )
      assert.deepStrictEqual(yield* found("new"), ["a"])
      assert.deepStrictEqual(yield* found("old"), [])
      const lost = Effect.andThen(index.change("s", [gone("a"), page("lost", { title: "new" })]), Effect.fail("no"))
      yield* Effect.flip(storage.transaction(lost))
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* index.change("s", [page("kept", { title: "new" })])
          yield* Effect.flip(storage.transaction(lost))
          yield* index.change("s", [page("too", { title: "new" })])
        })
      )
      assert.deepStrictEqual(yield* found("new"), ["a", "kept", "too"])
      store.failNextCommit()
      assert.instanceOf(yield* Effect.flip(index.change("s", [gone("a")])), StorageError)
      yield* index.change("s", [page("last", { title: "new" })])
      assert.deepStrictEqual(yield* found("new"), ["a", "kept", "too", "last"])
    })
  )

  scenario("refuses words that are not folded, with all of their call; asking for them finds nothing", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [page("a", { title: "near title body rowid x" })])
      const hostile = [
        "",
        "A",
        "a b",
        'a"',
        "a*",
        "-a",
        "title:a",
        "(a",
        "a^",
        "\u0000",
        "\ud800",
        "a\u007f",
        "_",
        "a".repeat(65)
      ]
      for (const word of hostile) {
        const words = { title: [], heading: [], body: [word] }
        const error = yield* Effect.flip(index.change("s", [page("b", { title: "x" }), { page: "c", words }]))
        assert.strictEqual(error.reason, "invalid-row", JSON.stringify(word))
        for (const more of [{ words: [word] }, { words: ["x"], prefix: word }]) {
          assert.deepStrictEqual(yield* index.find({ space: "s", limit: 9, ...more }), [], JSON.stringify(word))
        }
      }
      assert.deepStrictEqual(yield* index.pages("s", { limit: 9 }), ["a"])
      assert.deepStrictEqual(yield* found("near title rowid body*"), ["a"])
      const [bad] = [yield* Effect.flip(index.change("s", [page("\ud800", { title: "x" })]))]
      assert.strictEqual(bad.reason, "invalid-row")
    })
  )

  scenario("takes as many words as a query can have, and the longest", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const many = Array.from({ length: 512 }, (_, i) => `w${i}`)
      const long = "ж".repeat(64)
      yield* index.change("s", [page("a", { body: [...many, long].join(" ") })])
      assert.deepStrictEqual(yield* found([...many, "w51*"].join(" ")), ["a"])
      assert.deepStrictEqual(yield* found(long), ["a"])
      assert.deepStrictEqual(yield* found(`${long.slice(1)}*`), ["a"])
      assert.deepStrictEqual(yield* found([...many, "w512"].join(" ")), [])
    })
  )

  scenario("finds among 10,000 pages, the best first", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const name = (i: number) => `p${String(i).padStart(5, "0")}`
      for (let start = 0; start < 10_000; start += 1_000) {
        yield* index.change(
          "s",
          Array.from({ length: 1_000 }, (_, n) => {
            const i = start + n
            return page(name(i), {
              title: `page n${i}`,
              heading: i % 10 === 0 ? "tenth" : "",
              body: `common ${i % 2 === 0 ? "even" : "odd"} ${i === 7_777 ? "rare" : ""}`
            })
          })
        )
      }
      assert.deepStrictEqual(yield* found("rare"), [name(7_777)])
      assert.deepStrictEqual(yield* found("ra*"), [name(7_777)])
      assert.deepStrictEqual(yield* found("common odd n4*", { limit: 2 }), [name(41), name(43)])
      const common = yield* found("co*", { limit: 1_000 })
      assert.deepStrictEqual(
        common,
        Array.from({ length: 1_000 }, (_, i) => name(i))
      )
      const tenth = yield* found("te*", { limit: 5_000 })
      assert.deepStrictEqual(
        tenth,
        Array.from({ length: 1_000 }, (_, i) => name(10 * i))
      )
      assert.strictEqual((yield* index.pages("s", { limit: 20_000 })).length, 10_000)
    })
  )

  const Word = Schema.Literals(["a", "ab", "abc", "b", "ba", "東", "東京"])
  const Change = Schema.Struct({
    page: Schema.Literals(["p", "q", "r"]),
    words: Schema.NullOr(
      Schema.Struct({ title: Schema.Array(Word), heading: Schema.Array(Word), body: Schema.Array(Word) })
    )
  })
  const Session = Schema.Struct({
    changes: Schema.Array(Change),
    words: Schema.Array(Word),
    prefix: Schema.NullOr(Word)
  })

  scenario.law("finds what looking at every page finds", Session, ({ changes, words, prefix }) =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const pages = new Map<string, NonNullable<(typeof changes)[number]["words"]>>()
      for (const change of changes) {
        yield* index.change("s", [{ page: change.page, words: change.words ?? undefined }])
        if (change.words === null) pages.delete(change.page)
        else pages.set(change.page, change.words)
      }
      const expected: Array<readonly [string, number]> = []
      for (const [name, { title, heading, body }] of pages) {
        const places = [title, [...title, ...heading], [...title, ...heading, ...body]]
        const rank = places.findIndex(
          (place) =>
            words.every((word) => place.includes(word)) &&
            (prefix === null || place.some((word) => word.startsWith(prefix)))
        )
        const isExact = rank !== -1 && (prefix === null || places[rank]!.includes(prefix as never))
        if (rank !== -1 && (words.length > 0 || prefix !== null)) expected.push([name, 2 * rank + (isExact ? 0 : 1)])
      }
      const hits = yield* index.find({ space: "s", words, ...(prefix !== null && { prefix }), limit: 9 })
      const ranked = hits.map((hit) => [hit.page, hit.rank] as const)
      assert.sameDeepMembers(ranked, expected)
      assert.deepStrictEqual(
        ranked,
        ranked.toSorted((a, b) => a[1] - b[1])
      )
    })
  )
})
