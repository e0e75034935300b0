/** Parts of the full-text table: they become one while nobody writes, and nobody notices. */
import { assert, describe, it } from "@effect/vitest"
import { isWorthMerging } from "@lectern/adapter-sqlite/tables/SearchMerging"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { Storage } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../TemporaryFile.ts"

const batches = 40
const perBatch = 10

/** Words of a page: some that all have, some that few have, one of its own. */
const page = (n: number, edit = 0) => ({
  page: `p${n}`,
  words: [
    [`rare${n}`, `edit${edit}`],
    ["everywhere", ...Array.from({ length: 150 }, (_, i) => `word${((n + edit) * 61 + i * i) % 20_011}`)]
  ]
})

const write = Effect.fnUntraced(function* (from: number, count: number, edit = 0) {
  const index = yield* SearchIndex
  yield* index.change(
    "s",
    Array.from({ length: count }, (_, i) => page(from + i, edit))
  )
})

const load = Effect.gen(function* () {
  for (let batch = 0; batch < batches; batch++) yield* write(batch * perBatch, perBatch)
})

/** Everything that the index can say of some words. */
const answers = Effect.gen(function* () {
  const index = yield* SearchIndex
  const words = ["rare7", "rare312", "everywhere", "word7", "word700", "edit0", "edit3"]
  const lookups = words.flatMap((word) => [
    { word, match: "whole" as const },
    { word: word.slice(0, -1), match: "beginning" as const }
  ])
  const [reading] = yield* index.read([{ space: "s", lookups, hidden: new Set() }])
  const sorted = reading!.entries.map((levels) => levels.map((numbers) => numbers.toSorted((a, b) => a - b)))
  return { pages: reading!.pages, sorted, similar: yield* index.similar([{ space: "s", word: "rare4x2" }]) }
})

const generation = Effect.flatMap(Storage, (storage) => storage.generation)

/** A look at the file from beside. */
const looking = (filename: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Database(filename, { timeout: 0 })),
      (file) => Effect.sync(() => file.close())
    ),
    (file) => ({
      file,
      /** Sizes of the parts by their number. */
      parts: () =>
        new Map(
          file.prepare("SELECT segid, count(*) FROM lectern_search_idx GROUP BY segid").raw().all() as Array<
            [number, number]
          >
        ),
      /** Another number after each commit to the file. */
      version: () => file.pragma("data_version", { simple: true })
    })
  )

type Look = Effect.Success<ReturnType<typeof looking>>

const idle = TestClock.adjust("1 minute")

/** One use of a file, as one run of a process is. */
const using = <A, E>(filename: string, body: (look: Look) => Effect.Effect<A, E, SearchIndex | Storage>) =>
  Effect.provide(Effect.scoped(Effect.flatMap(looking(filename), body)), SqliteStorage.layer({ filename }), {
    local: true
  })

const onFile = <A, E>(body: (look: Look) => Effect.Effect<A, E, SearchIndex | Storage>) =>
  Effect.flatMap(temporaryFile, (filename) => using(filename, body))

describe("SearchMerging", () => {
  it.effect("leaves one part once nobody writes, the same answers, and then the file alone", () =>
    onFile(({ parts, version }) =>
      Effect.gen(function* () {
        yield* load
        const [before, generationBefore] = [yield* answers, yield* generation]
        assert.isAbove(parts().size, 2)
        yield* TestClock.adjust("900 millis")
        assert.isAbove(parts().size, 2)
        yield* idle
        assert.strictEqual(parts().size, 1)
        assert.deepStrictEqual(yield* answers, before)
        assert.strictEqual(yield* generation, generationBefore)
        const versionBefore = version()
        yield* TestClock.adjust("1 day")
        assert.strictEqual(version(), versionBefore)
      })
    )
  )

  it.effect("leaves a large part as it is until the small ones come to a sixteenth of it", () =>
    onFile(({ parts }) =>
      Effect.gen(function* () {
        yield* load
        yield* idle
        const [large] = [...parts()]
        let edits = 0
        for (; parts().has(large![0]); edits++) {
          yield* write(edits, 1, 1)
          const others = [...parts().values()].reduce((sum, size) => sum + size, -large![1])
          yield* idle
          if (parts().has(large![0])) continue
          assert.isAtLeast(others, large![1] / 16)
          assert.strictEqual(parts().size, 1)
        }
        assert.isAbove(edits, 2)
      })
    )
  )

  it.effect("lets others write between its steps, and waits for them", () =>
    onFile(({ file, parts }) =>
      Effect.gen(function* () {
        yield* load
        // Its first step, and no more of them.
        yield* TestClock.adjust("1 second")
        for (let edit = 1; edit <= 3; edit++) {
          yield* write(edit * 100, 20, edit)
          yield* TestClock.adjust("30 millis")
        }
        const between = yield* answers
        file.exec("BEGIN IMMEDIATE")
        const held = parts()
        yield* idle
        assert.deepStrictEqual(parts(), held)
        file.exec("COMMIT")
        yield* idle
        assert.strictEqual(parts().size, 1)
        assert.deepStrictEqual(yield* answers, between)
        file.exec("INSERT INTO lectern_search (lectern_search, rank) VALUES ('integrity-check', 0)")
      })
    )
  )

  it.effect("goes on where a process before it ended", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const before = yield* using(filename, () => Effect.andThen(load, answers))
      yield* using(filename, ({ parts }) =>
        Effect.gen(function* () {
          const loaded = parts().size
          yield* TestClock.adjust("1050 millis")
          assert.isAbove(parts().size, loaded)
        })
      )
      const after = yield* using(filename, ({ parts }) =>
        Effect.gen(function* () {
          yield* idle
          assert.strictEqual(parts().size, 1)
          return yield* answers
        })
      )
      assert.deepStrictEqual(after, before)
    })
  )

  it("weighs what it writes against what was added", () => {
    for (const parts of [[], [100], [100, 100], [1_000, 30, 30], [1_000, ...Array.from({ length: 12 }, () => 5)]]) {
      assert.isFalse(isWorthMerging(parts), parts.join(" "))
    }
    for (const parts of [
      [1, 1, 1],
      [30, 1_000, 33],
      [1_000, ...Array.from({ length: 13 }, () => 5)]
    ]) {
      assert.isTrue(isWorthMerging(parts), parts.join(" "))
    }
  })
})
