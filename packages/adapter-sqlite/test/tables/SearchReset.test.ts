/** Making the search index anew, where its tables are damaged so that SQLite can't drop them. */
import { closeSync, openSync, writeSync } from "node:fs"
import * as FileCheck from "@lectern/adapter-sqlite/tables/FileCheck"
import * as SearchReset from "@lectern/adapter-sqlite/tables/SearchReset"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Schema } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

const NoteTable = Table.make("note", Schema.Struct({ id: Schema.String }), { key: ["id"] })

const over =
  (filename: string) =>
  <A, E>(body: Effect.Effect<A, E, Storage | SearchIndex>) =>
    Effect.provide(body, SqliteStorage.layer({ filename }), { local: true })

/** Writes over the first page of a table or an index, as a disk would. */
const overwrite = (name: string) => (filename: string) => {
  const database = new Database(filename, { readonly: true })
  const first = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(name) as number
  const size = database.pragma("page_size", { simple: true }) as number
  database.close()
  const file = openSync(filename, "r+")
  writeSync(file, Buffer.alloc(size), 0, size, (first - 1) * size)
  closeSync(file)
}

const change = (sql: string) => (filename: string) => {
  const database = new Database(filename)
  database.unsafeMode(true)
  database.pragma("writable_schema = ON")
  database.exec(sql)
  database.close()
}

const index = (space: string) =>
  Effect.flatMap(SearchIndex, (search) => search.change(space, [{ page: "page", words: [["hello"]] }]))

it.effect.each([
  ["a table of the full-text index", overwrite("lectern_search_data")],
  ["its settings", overwrite("lectern_search_config")],
  ["its version", change("UPDATE lectern_search_config SET v = 99 WHERE k = 'version'")],
  ["its name", change("DELETE FROM sqlite_schema WHERE name = 'lectern_search'")],
  ["the table of pages", overwrite("lectern_search_page")],
  ["an index of spaces", overwrite("sqlite_autoindex_lectern_search_space_1")],
  ["nothing", () => {}]
] as const)("makes it anew where this is damaged: %s", ([, damage]) =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    yield* over(filename)(
      Effect.gen(function* () {
        yield* (yield* Storage).repository(NoteTable).insert({ id: "kept" })
        yield* index("space")
      })
    )
    damage(filename)
    yield* SearchReset.reset(filename)
    yield* over(filename)(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* (yield* Storage).repository(NoteTable).list({ where: {} }), [{ id: "kept" }])
        yield* index("space")
      })
    )
    assert.deepInclude(yield* FileCheck.check(filename), { faults: [], searchFaults: [] })
  })
)
