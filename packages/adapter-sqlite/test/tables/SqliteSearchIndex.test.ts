/** Numbers of spaces in the search index: behind all others, and those that are free once the last is taken. */
import { assert, describe, it } from "@effect/vitest"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

const page = (text: string) => ({ page: "a", words: [[text]] })

describe("SqliteSearchIndex", () => {
  it.effect("counts the pages of a space as they are, whoever wrote last", () =>
    Effect.flatMap(temporaryFile, (filename) =>
      Effect.provide(
        Effect.gen(function* () {
          const index = yield* SearchIndex
          const asked = [{ space: "a", lookups: [], hidden: new Set<string>() }]
          const pages = Effect.map(index.read(asked), ([reading]) => reading!.pages)
          assert.strictEqual(yield* pages, 0)
          yield* index.change("a", [page("word")])
          assert.strictEqual(yield* pages, 1)
          yield* Effect.provide(
            Effect.flatMap(SearchIndex, (other) => other.change("a", [{ page: "b", words: [["word"]] }])),
            SqliteStorage.layer({ filename }),
            { local: true }
          )
          assert.strictEqual(yield* pages, 2)
        }),
        SqliteStorage.layer({ filename })
      )
    )
  )

  it.effect("numbers spaces one behind the other, and takes what became free where there is no number left", () =>
    Effect.flatMap(temporaryFile, (filename) =>
      Effect.provide(
        Effect.gen(function* () {
          const index = yield* SearchIndex
          const file = new Database(filename)
          const numbers = () =>
            file.prepare("SELECT space, number FROM lectern_search_space ORDER BY number").raw().all()
          for (const space of ["a", "b", "c"]) yield* index.change(space, [page("word")])
          yield* index.change("a", [{ page: "a", words: undefined }])
          yield* index.change("d", [page("word")])
          assert.deepStrictEqual(numbers(), [
            ["b", 1],
            ["c", 2],
            ["d", 3]
          ])
          file.prepare("INSERT INTO lectern_search_space (number, space, pages) VALUES (999999, 'last', 1)").run()
          for (const space of ["e", "f"]) yield* index.change(space, [page("word")])
          assert.deepStrictEqual(numbers(), [
            ["e", 0],
            ["b", 1],
            ["c", 2],
            ["d", 3],
            ["f", 4],
            ["last", 999_999]
          ])
          file.close()
        }),
        SqliteStorage.layer({ filename }),
        { local: true }
      )
    )
  )
})
