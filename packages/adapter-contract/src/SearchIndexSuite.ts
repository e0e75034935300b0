/** Suite of the search index. */
import { assert } from "@effect/vitest"
import { isSimilar } from "@lectern/core/storage/SimilarWord"
import {
  levelCount,
  type Lookup,
  maxSimilarWords,
  type PageWords,
  SearchIndex
} from "@lectern/core/storage/SearchIndex"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { Effect, Schema } from "effect"
import { suite } from "./Harness.ts"

const split = (text = "") => text.split(" ").filter((word) => word !== "")

/** Creates a change: a page with its words by level, best first. */
const page = (page: string, ...levels: ReadonlyArray<string>) => ({ page, words: levels.map(split) })

const removal = (page: string) => ({ page, words: undefined })

/** Creates a lookup: a prefix if the text ends with a star, otherwise a whole word. */
const lookup = (text: string): Lookup =>
  text.endsWith("*") ? { word: text.slice(0, -1), match: "beginning" } : { word: text, match: "whole" }

interface Where {
  readonly space?: string
  readonly hidden?: ReadonlyArray<string>
}

const readOne = (space: string, lookups: ReadonlyArray<Lookup>, hidden: ReadonlySet<string> = new Set()) =>
  SearchIndex.use((index) => Effect.map(index.read([{ space, lookups, hidden }]), ([reading]) => reading!))

const similarOf = (space: string, word: string) =>
  SearchIndex.use((index) => Effect.map(index.similar([{ space, word }]), ([words]) => words!))

const numberedIn = (space: string, numbers: ReadonlyArray<number>) =>
  SearchIndex.use((index) => index.pagesByNumber(numbers.map((number) => ({ space, number }))))

/** Returns the pages that each lookup finds with their best level, ordered by level and number. */
const readAll = Effect.fnUntraced(function* (texts: ReadonlyArray<string>, { space = "s", hidden = [] }: Where = {}) {
  const { pages, entries } = yield* readOne(space, texts.map(lookup), new Set(hidden))
  const numberedEntries: Array<ReadonlyArray<readonly [page: string, level: number]>> = []
  for (const levels of entries) {
    const bestLevels = new Map<number, number>()
    for (const [level, numbers] of levels.entries()) {
      for (const number of numbers.toSorted((a, b) => a - b)) if (!bestLevels.has(number)) bestLevels.set(number, level)
    }
    const pageIds = yield* numberedIn(space, [...bestLevels.keys()])
    numberedEntries.push([...bestLevels.values()].map((level, i) => [pageIds[i]!, level] as const))
  }
  return { pages, found: numberedEntries }
})

const leveled = (text: string, where?: Where) => Effect.map(readAll([text], where), ({ found }) => found[0]!)

const search = (text: string, where?: Where) => Effect.map(leveled(text, where), (pages) => pages.map(([name]) => name))

export const searchIndexSuite = suite("SearchIndex", (scenario) => {
  scenario("reads the pages that have a word, at the level of each, and how many pages there are", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [
        page("a", "install", "server", "guide"),
        page("b", "server", "", "", "", "", "", "", "install"),
        page("c", "", "installing nothing")
      ])
      assert.deepStrictEqual(yield* readAll(["install", "server", "missing", "instal", ""]), {
        pages: 3,
        found: [
          [
            ["a", 0],
            ["b", levelCount - 1]
          ],
          [
            ["b", 0],
            ["a", 1]
          ],
          [],
          [],
          []
        ]
      })
      assert.deepStrictEqual(yield* readAll([]), { pages: 3, found: [] })
      assert.deepStrictEqual(yield* readAll(["install"], { space: "unknown" }), { pages: 0, found: [[]] })
    })
  )

  scenario("reads what begins with something, each page at the best of its levels", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [
        page("body", "", "", "web"),
        page("longer", "", "webhooks"),
        page("both", "", "", "web webhooks", "website"),
        page("title", "webhook"),
        page("none", "we cobweb")
      ])
      for (const prefix of ["we*", "web*"]) {
        const shared = yield* leveled(prefix)
        assert.deepStrictEqual(
          shared.filter(([name]) => name !== "none"),
          [
            ["title", 0],
            ["longer", 1],
            ["body", 2],
            ["both", 2]
          ],
          prefix
        )
      }
      assert.deepStrictEqual(yield* search("w*"), ["title", "none", "longer", "body", "both"])
      assert.deepStrictEqual(yield* search("webhook*"), ["title", "longer", "both"])
      assert.deepStrictEqual(yield* search("webhooks*"), ["longer", "both"])
      assert.deepStrictEqual(yield* search("webhooksx*"), [])
      assert.deepStrictEqual(yield* search("*"), [])
    })
  )

  scenario("takes hidden pages for ones that are not there", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [page("a", "word"), page("b", "word secret"), page("c", "", "word")])
      const hidden = ["b", "never"]
      assert.deepStrictEqual(yield* readAll(["word", "wo*", "secret", "secr*"], { hidden }), {
        pages: 2,
        found: [
          [
            ["a", 0],
            ["c", 1]
          ],
          [
            ["a", 0],
            ["c", 1]
          ],
          [],
          []
        ]
      })
    })
  )

  scenario("finds the same words in every script, names with their signs, and beginnings of any length", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [
        page("ja", "東 京 東京 東京都 京都"),
        page("ko", "검 색 검색"),
        page("ru", "установка"),
        page("ar", "العربية"),
        page("hi", "हिन्दी"),
        page("math", "𝒳𝒴𝒵𝒲 x2"),
        page("like", "lecternxdata"),
        page("names", "--privileged .git/config c# c++ node.js @scope/name $path lectern_data a:b")
      ])
      for (const [text, expected] of [
        ["東京", "ja"],
        ["京", "ja"],
        ["東京都*", "ja"],
        ["검색", "ko"],
        ["у*", "ru"],
        ["ус*", "ru"],
        ["уст*", "ru"],
        ["уста*", "ru"],
        ["установка*", "ru"],
        ["العر*", "ar"],
        ["हि*", "hi"],
        ["𝒳*", "math"],
        ["𝒳𝒴𝒵*", "math"],
        ["𝒳𝒴𝒵𝒲*", "math"],
        ["x2", "math"],
        ["--privileged", "names"],
        ["--priv*", "names"],
        ["-*", "names"],
        [".git/config", "names"],
        ["c#", "names"],
        ["c++", "names"],
        ["c+*", "names"],
        ["node.js", "names"],
        ["@scope/name", "names"],
        ["$path", "names"],
        ["lectern_data", "names"],
        ["lectern_*", "names"],
        ["a:b", "names"]
      ] as const) {
        assert.deepStrictEqual(yield* search(text), [expected], text)
      }
      for (const text of ["京東", "privileged", "git", "node", "scope", "lectern"]) {
        assert.deepStrictEqual(yield* search(text), [], text)
      }
    })
  )

  scenario("knows the words that look like another: one slip away, and no further", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const words =
        "configuration configurations confguration oonfiguration configurtaion configuration2 onfiguration " +
        "ocnfiguration configuratino confiugration nothing --privileged установка 검색엔진 tree cat cut"
      yield* index.change("s", [page("a", words), page("b", "", "configuration")])
      yield* index.change("other", [page("a", "configurating")])
      const similar = (word: string) => similarOf("s", word)
      assert.deepStrictEqual(
        yield* similar("configuration"),
        [
          "configuratino",
          "configuration2",
          "configurations",
          "configurtaion",
          "confguration",
          "confiugration",
          "ocnfiguration",
          "onfiguration",
          "oonfiguration"
        ].sort()
      )
      for (const [word, expected] of [
        ["noting", ["nothing"]],
        ["nothin", ["nothing"]],
        ["nothingg", ["nothing"]],
        ["onthing", ["nothing"]],
        ["notihng", ["nothing"]],
        ["nothign", ["nothing"]],
        ["othing", ["nothing"]],
        ["xnothing", ["nothing"]],
        ["notthings", []],
        ["gnihton", []],
        ["--privleged", ["--privileged"]],
        ["устоновка", ["установка"]],
        ["검색앤진", ["검색엔진"]],
        ["treee", ["tree"]],
        ["cot", []],
        ["cats", []],
        ["Nothing", []],
        ["", []]
      ] as const) {
        assert.deepStrictEqual(yield* similar(word), expected, word)
      }
      assert.deepStrictEqual(yield* similarOf("unknown", "nothing"), [])
      yield* index.change("s", [removal("a")])
      assert.deepStrictEqual(yield* similar("nothingg"), [])
      assert.deepStrictEqual(yield* similar("configuratio"), ["configuration"])
      const similarWords = Array.from(
        { length: maxSimilarWords + 20 },
        (_, i) => `many${String.fromCodePoint(0x100 + i)}`
      )
      yield* index.change("s", [page("many", similarWords.join(" "))])
      assert.deepStrictEqual(yield* similar("manyx"), similarWords.slice(0, maxSimilarWords))
      // The order in UTF-16 would be the reverse of the expected order.
      yield* index.change("s", [page("planes", "plane\u{20000} plane\uffee")])
      assert.deepStrictEqual(yield* similar("planex"), ["plane\uffee", "plane\u{20000}"])
    })
  )

  scenario("keeps spaces apart", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [page("a", "word")])
      yield* index.change("t", [page("a", "other"), page("b", "word")])
      assert.deepStrictEqual(yield* search("word"), ["a"])
      assert.deepStrictEqual(yield* search("wo*", { space: "t" }), ["b"])
      assert.deepStrictEqual(yield* search("other"), [])
      assert.deepStrictEqual(yield* search("word", { space: "unknown" }), [])
      assert.deepStrictEqual(yield* index.pages("t", { limit: 9 }), ["a", "b"])
      const { entries } = yield* readOne("t", [lookup("word")])
      assert.deepStrictEqual(yield* numberedIn("unknown", entries.flat(2)), [undefined])
    })
  )

  scenario("reads several spaces at once, each by lookups and hidden pages of its own", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [page("a", "word"), page("b", "", "word")])
      yield* index.change("t", [page("a", "", "", "other"), page("c", "word")])
      const readings = yield* index.read([
        { space: "t", lookups: [lookup("oth*"), lookup("word")], hidden: new Set() },
        { space: "unknown", lookups: [lookup("word")], hidden: new Set() },
        { space: "s", lookups: [lookup("word")], hidden: new Set(["a", "c"]) },
        { space: "t", lookups: [], hidden: new Set(["a"]) }
      ])
      assert.deepStrictEqual(
        readings.map(({ pages }) => pages),
        [2, 0, 1, 1]
      )
      const [t, unknown, s] = readings.map(({ entries }) => entries)
      assert.deepStrictEqual(unknown!.flat(2), [])
      const numbers = [t![0]![2]![0]!, t![1]![0]![0]!, s![0]![1]![0]!]
      const pagesIn = (spaces: string) =>
        index.pagesByNumber(numbers.map((number, i) => ({ space: spaces[i]!, number })))
      assert.deepStrictEqual(yield* pagesIn("tts"), ["a", "c", "b"])
      assert.deepStrictEqual(yield* index.pagesByNumber([{ space: "unknown", number: numbers[0]! }]), [undefined])
      assert.deepStrictEqual(
        yield* index.similar([
          { space: "t", word: "otter" },
          { space: "s", word: "otter" },
          { space: "s", word: "wordy" }
        ]),
        [["other"], [], ["word"]]
      )
      assert.deepStrictEqual(
        [yield* index.read([]), yield* index.pagesByNumber([]), yield* index.similar([])],
        [[], [], []]
      )
    })
  )

  scenario("replaces and forgets what is known of a page, which keeps its number", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [page("a", "one"), page("b", "one"), page("c", "one")])
      const entryBefore = (yield* readOne("s", [lookup("one")])).entries[0]![0]!
      yield* index.change("s", [page("a", "one two"), removal("b"), removal("never")])
      const after = yield* readOne("s", [lookup("one")])
      assert.sameMembers([...after.entries[0]![0]!], [entryBefore[0]!, entryBefore[2]!])
      assert.strictEqual(after.pages, 2)
      assert.deepStrictEqual(yield* numberedIn("s", [...entryBefore, 1e9]), ["a", undefined, "c", undefined])
      yield* index.change("s", [page("a", "", "two")])
      assert.deepStrictEqual(yield* search("one"), ["c"])
      assert.deepStrictEqual(yield* leveled("two"), [["a", 1]])
      yield* index.change("s", [page("a", "x"), page("a", "y")])
      assert.deepStrictEqual(yield* search("x"), [])
      assert.deepStrictEqual(yield* search("y"), ["a"])
      assert.strictEqual((yield* readAll([])).pages, 2)
    })
  )

  scenario("lists the pages of a space in pages, and nothing is left of one that was emptied", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change(
        "s",
        ["c", "B", "a", "d"].map((name) => page(name, "words"))
      )
      const first = yield* index.pages("s", { limit: 3 })
      assert.deepStrictEqual(first, ["B", "a", "c"])
      assert.deepStrictEqual(yield* index.pages("s", { after: "c", limit: 3 }), ["d"])
      assert.deepStrictEqual(yield* index.pages("s", { limit: 0 }), [])
      yield* index.change("s", first.map(removal))
      yield* index.change("s", [removal("d")])
      assert.deepStrictEqual(yield* index.pages("s", { limit: 3 }), [])
      // A space that reuses the number of an emptied one has none of its words.
      yield* index.change("other", [page("new", "fresh")])
      for (const space of ["s", "other"]) {
        assert.deepStrictEqual(yield* search("words", { space }), [])
        assert.deepStrictEqual(yield* similarOf(space, "word"), [])
      }
    })
  )

  scenario("changes with the commit of a transaction: not before, and not without it", (store) =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const storage = yield* Storage
      yield* index.change("s", [page("a", "older")])
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* index.change("s", [page("a", "newer"), page("b", "newer")])
          assert.deepStrictEqual(yield* readAll(["newer"]), { pages: 1, found: [[]] })
          assert.deepStrictEqual(yield* search("older"), ["a"])
          assert.deepStrictEqual(yield* similarOf("s", "newerr"), [])
          assert.deepStrictEqual(yield* index.pages("s", { limit: 9 }), ["a"])
        })
      )
      assert.deepStrictEqual(yield* search("newer"), ["a", "b"])
      assert.deepStrictEqual(yield* search("older"), [])
      const failingChange = Effect.gen(function* () {
        yield* index.change("s", [removal("a"), page("lost", "newer")])
        // The removal is not committed, so the number still refers to the page.
        assert.include(yield* search("newer"), "a")
        return yield* Effect.fail("no")
      })
      yield* Effect.flip(storage.transaction(failingChange))
      yield* storage.transaction(
        Effect.gen(function* () {
          yield* index.change("s", [page("kept", "newer")])
          yield* Effect.flip(storage.transaction(failingChange))
          yield* index.change("s", [page("too", "newer")])
        })
      )
      assert.deepStrictEqual(yield* search("newer"), ["a", "b", "kept", "too"])
      store.failNextCommit()
      assert.instanceOf(yield* Effect.flip(index.change("s", [removal("a")])), StorageError)
      yield* index.change("s", [page("last", "newer")])
      assert.deepStrictEqual(yield* readAll(["newer"]), {
        pages: 5,
        found: [["a", "b", "kept", "too", "last"].map((name) => [name, 0] as const)]
      })
    })
  )

  scenario("refuses words that are not folded, with all of their call; asking for them finds nothing", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      yield* index.change("s", [page("a", "near title body rowid terms x")])
      const hostile = [
        "",
        "A",
        "a b",
        'a"',
        "a*",
        "(a",
        "a^",
        "^a",
        "~a",
        "a=0",
        "a>",
        "%",
        "\u0000",
        "\ud800",
        "a\u007f",
        "a".repeat(65)
      ]
      for (const word of hostile) {
        const changes = [page("b", "x"), { page: "c", words: [[], [word]] }]
        const error = yield* Effect.flip(index.change("s", changes))
        assert.strictEqual(error.reason, "invalid-row", JSON.stringify(word))
        for (const match of ["whole", "beginning"] as const) {
          const { entries } = yield* readOne("s", [{ word, match }])
          assert.deepStrictEqual(entries[0]!.flat(), [], JSON.stringify(word))
        }
        assert.deepStrictEqual(yield* similarOf("s", word), [], JSON.stringify(word))
      }
      assert.deepStrictEqual(yield* index.pages("s", { limit: 9 }), ["a"])
      for (const word of split("near title rowid terms bod*")) assert.deepStrictEqual(yield* search(word), ["a"])
      const invalidCalls = [
        [page("\ud800", "x")],
        [{ page: "b", words: Array.from({ length: levelCount + 1 }, (): ReadonlyArray<string> => []) }]
      ]
      for (const changes of invalidCalls) {
        assert.strictEqual((yield* Effect.flip(index.change("s", changes))).reason, "invalid-row")
      }
    })
  )

  scenario("reads many words at once, and the longest", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const manyWords = Array.from({ length: 512 }, (_, i) => `w${i}`)
      const long = "ж".repeat(64)
      yield* index.change("s", [page("a", [...manyWords, long].join(" "))])
      const { found: allEntries } = yield* readAll([...manyWords, "w51*", long, `${long.slice(1)}*`, "w512"])
      assert.deepStrictEqual(
        allEntries.map(([first]) => first),
        [...Array.from({ length: 515 }, () => ["a", 0] as const), undefined]
      )
      assert.deepStrictEqual(yield* similarOf("s", long.slice(1)), [long])
    })
  )

  scenario("reads among 10,000 pages", () =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const name = (i: number) => `p${String(i).padStart(5, "0")}`
      const allPages = Array.from({ length: 10_000 }, (_, i) => name(i))
      for (let start = 0; start < 10_000; start += 1_000) {
        yield* index.change(
          "s",
          allPages.slice(start, start + 1_000).map((name, n) => {
            const i = start + n
            return page(name, `page n${i}`, i % 10 === 0 ? "tenth" : "", `common ${i === 7_777 ? "rare" : ""}`)
          })
        )
      }
      assert.deepStrictEqual(yield* search("rare"), [name(7_777)])
      assert.deepStrictEqual(yield* search("ra*"), [name(7_777)])
      for (const text of ["common", "co*", "comm*"]) assert.deepStrictEqual(yield* search(text), allPages, text)
      assert.strictEqual((yield* search("tent*")).length, 1_000)
      assert.deepStrictEqual(yield* similarOf("s", "comon"), ["common"])
      assert.strictEqual((yield* index.pages("s", { limit: 20_000 })).length, 10_000)
    })
  )

  const Word = Schema.Literals(["a", "ab", "abc", "abcd", "abdc", "bbcd", "ab.d", "東", "東京都市", "東亰都市"])
  const Change = Schema.Struct({
    page: Schema.Literals(["p", "q", "r"]),
    /** Level of each word. */
    words: Schema.NullOr(Schema.Array(Schema.Tuple([Word, Schema.Literals([0, 1, 4, 7])])))
  })
  const Session = Schema.Struct({
    changes: Schema.Array(Change),
    word: Word,
    hidden: Schema.Array(Schema.Literals(["p", "r", "x"]))
  })

  scenario.law("finds what looking at every page finds", Session, ({ changes, word, hidden }) =>
    Effect.gen(function* () {
      const index = yield* SearchIndex
      const pages = new Map<string, Map<string, number>>()
      for (const { page, words } of changes) {
        const levels = new Map(words ?? [])
        const lists: PageWords = Array.from({ length: levelCount }, (_, level) =>
          [...levels].filter(([, at]) => at === level).map(([word]) => word)
        )
        yield* index.change("s", [{ page, words: words === null ? undefined : lists }])
        if (words === null) pages.delete(page)
        else pages.set(page, levels)
      }
      const visiblePages = [...pages].filter(([name]) => !hidden.includes(name as never))
      const expected = (matches: (word: string) => boolean) =>
        visiblePages.flatMap(([name, levels]) => {
          const search = [...levels].filter(([word]) => matches(word)).map(([, level]) => level)
          return search.length === 0 ? [] : [[name, Math.min(...search)] as const]
        })
      const { pages: count, found } = yield* readAll([word, `${word}*`], { hidden })
      assert.strictEqual(count, visiblePages.length)
      assert.sameDeepMembers(
        [...found[0]!],
        expected((indexedWord) => indexedWord === word)
      )
      assert.sameDeepMembers(
        [...found[1]!],
        expected((indexedWord) => indexedWord.startsWith(word))
      )
      const similar = new Set([...pages.values()].flatMap((levels) => [...levels.keys()]))
      assert.sameMembers(
        [...(yield* similarOf("s", word))],
        [...similar].filter((indexedWord) => isSimilar(indexedWord, word))
      )
    })
  )
})
