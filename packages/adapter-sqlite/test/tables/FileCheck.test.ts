/** Faults of a database that `FileCheck` and `RowCheck` find. */
import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import * as FileCheck from "@lectern/adapter-sqlite/tables/FileCheck"
import { largeBlob } from "@lectern/adapter-sqlite/tables/SqliteBlobs"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import Database from "better-sqlite3"
import { Effect, Schema } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

const Note = Schema.Struct({ id: Schema.String })
const NoteTable = Table.make("note", Note, { key: ["id"] })

/** A file of its own content, under its hash. */
const putLarge = Effect.gen(function* () {
  const bytes = new Uint8Array(randomBytes(largeBlob))
  const hash = (yield* Hasher).sha256(bytes) as BlobHash
  yield* (yield* BlobStore).put(hash, bytes)
  return { hash, bytes }
})

const note = (id: string) => Effect.flatMap(Storage, (storage) => storage.repository(NoteTable).insert({ id }))

const over =
  (filename: string) =>
  <A, E>(body: Effect.Effect<A, E, Storage | BlobStore | Hasher | SearchIndex>) =>
    body.pipe(Effect.provide([SqliteStorage.layer({ filename }), NodeHasher.layer], { local: true }))

/** Returns the path of a new database, and a folder for copies. */
const place = Effect.map(temporaryFile, (file) => {
  const folder = dirname(file)
  mkdirSync(join(folder, "data"))
  return { filename: join(folder, "data", "lectern.db"), folder }
})

const Labelled = Schema.Struct({ id: Schema.String, title: Schema.String, labels: Schema.Array(Schema.String) })
type Labelled = typeof Labelled.Type
const LabelledTable = Table.make("labelledNote", Labelled, {
  key: ["id"],
  derived: { folded: (row: Labelled) => row.title.toLowerCase() },
  lists: { labels: (row: Labelled) => row.labels },
  indexes: [["folded"]]
})

describe("FileCheck", () => {
  it.effect("finds what is wrong with a file: a page that was overwritten, a row that is no JSON, a stray file", () =>
    Effect.gen(function* () {
      const { filename } = yield* place
      yield* over(filename)(Effect.andThen(putLarge, note("one")))
      writeFileSync(join(`${filename}-blobs`, "stray"), "")
      const database = new Database(filename)
      database.exec("UPDATE t_note SET doc = '{'")
      database.close()
      const { faults, strayFiles } = yield* FileCheck.check(filename)
      assert.deepStrictEqual(faults, ["1 rows of t_note are no JSON"])
      assert.deepStrictEqual(strayFiles, ["stray"])
    })
  )

  it.effect("finds rows that say otherwise than what they are found by, and the rest of the faults beside them", () =>
    Effect.gen(function* () {
      const { filename } = yield* place
      yield* over(filename)(
        Effect.gen(function* () {
          const rows = (yield* Storage).repository(LabelledTable)
          for (const id of ["one", "two", "three", "four", "five"]) {
            yield* rows.insert({ id, title: id.toUpperCase(), labels: ["a", id] })
          }
        })
      )
      assert.deepStrictEqual(yield* FileCheck.check(filename), {
        isReadable: true,
        faults: [],
        searchFaults: [],
        strayFiles: []
      })
      const damage = (sql: string) => {
        const database = new Database(filename)
        database.exec(sql)
        database.close()
        return FileCheck.check(filename)
      }
      const name = "t_labelled_note"
      const column = yield* damage(`UPDATE ${name} SET f_folded = 'x' WHERE rid = 1`)
      assert.deepStrictEqual(column.faults, [`The row 1 of ${name} is found by another folded than it has`])
      assert.isTrue(column.isReadable)
      const list = yield* damage(`DELETE FROM "l_labelled_note.labels" WHERE rid = 2 AND value = 'a'`)
      assert.include(list.faults, `The row 2 of ${name} is found by another labels than it has`)
      assert.isTrue(list.isReadable)
      const key = yield* damage(`UPDATE ${name} SET f_id = 'x' WHERE rid = 3`)
      assert.include(key.faults, `The row 3 of ${name} is found by another id than it has`)
      assert.isFalse(key.isReadable)
      const empty = yield* damage(`UPDATE ${name} SET doc = '{}' WHERE rid = 4`)
      assert.include(empty.faults, `The row 4 of ${name} is none of that table`)
      const broken = yield* damage(`UPDATE ${name} SET doc = '{' WHERE rid = 5`)
      assert.deepStrictEqual(broken.faults, [`1 rows of ${name} are no JSON`, ...empty.faults])
      const gone = yield* damage(`DROP TABLE "l_labelled_note.labels"; DROP TABLE ${name}`)
      assert.deepStrictEqual(gone.faults, [`The table ${name} is missing`])
    })
  )

  it.effect("tells damage of the file in the search index alone, which can be made anew, from any other", () =>
    Effect.gen(function* () {
      const { filename } = yield* place
      const words = [Array.from({ length: 2_000 }, (_, i) => `word${i}`)]
      yield* over(filename)(
        Effect.gen(function* () {
          const storage = yield* Storage
          yield* storage.transaction((yield* SearchIndex).change("space", [{ page: "one", words }]))
          for (let i = 0; i < 200; i++) yield* note(`${i}`)
        })
      )
      const database = new Database(filename)
      database.pragma("wal_checkpoint(TRUNCATE)")
      const leafOf = database.prepare("SELECT max(pageno) FROM dbstat WHERE name = ? AND pagetype = 'leaf'").pluck()
      const pages = ["lectern_search_word", "t_note"].map((table) => leafOf.get(table) as number)
      database.close()
      const whole = readFileSync(filename)
      const reports = []
      for (const page of pages) {
        const bytes = Buffer.from(whole)
        // Overwrites the pointers to the cells of the page, so that they point outside of it.
        bytes.fill(0xff, (page - 1) * 4096 + 8, (page - 1) * 4096 + 64)
        writeFileSync(filename, bytes)
        reports.push(yield* FileCheck.check(filename))
      }
      assert.deepStrictEqual(reports[0]!.faults, [])
      assert.match(reports[0]!.searchFaults[0] ?? "", /^In the tables of the search index: /)
      assert.isAbove(reports[1]!.faults.length, 0)
      assert.deepStrictEqual(reports[1]!.searchFaults, [])
    })
  )

  it.effect("finds pages of the search index that have no words, and words that are of no page", () =>
    Effect.gen(function* () {
      const { filename } = yield* place
      yield* over(filename)(
        Effect.gen(function* () {
          const pages = ["one", "two"].map((page) => ({ page, words: [["word"]] }))
          yield* (yield* Storage).transaction((yield* SearchIndex).change("space", pages))
        })
      )
      assert.deepStrictEqual((yield* FileCheck.check(filename)).faults, [])
      const database = new Database(filename)
      database.exec("DELETE FROM lectern_search_page WHERE page = 'one'")
      database.exec("DELETE FROM lectern_search WHERE rowid = (SELECT rid FROM lectern_search_page)")
      database.close()
      assert.deepStrictEqual((yield* FileCheck.check(filename)).searchFaults, [
        "1 spaces of the search index have other pages than it counts",
        "1 pages of the search index have no words",
        "1 entries of the search index are of no page"
      ])
    })
  )
})
