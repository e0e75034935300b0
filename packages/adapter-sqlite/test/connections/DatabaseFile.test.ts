/** The file under a database that is open: gone, replaced, cut off; and the one that was there before. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { basename, dirname } from "node:path"
import { inventTable } from "@lectern/adapter-contract/Invented"
import { wideFiles } from "@lectern/adapter-sqlite/connections/DatabaseFile"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

type Options = Parameters<typeof SqliteStorage.layer>[0]

const table = inventTable("item")
const items = Effect.map(Storage, (storage) => storage.repository(table))
const insert = (id: string) => Effect.flatMap(items, (rows) => rows.insert({ id, body: "x".repeat(3_000) }))
const many = Effect.forEach(
  Array.from({ length: 50 }, (_, i) => `i${i}`),
  insert
)
const count = Effect.flatMap(items, (rows) => rows.count({}))
const probe = Effect.flatMap(Storage, (storage) => storage.probe)

const using = <A, E, R>(options: Options, body: Effect.Effect<A, E, R>) =>
  Effect.provide(body, SqliteStorage.layer(options), { local: true })

const refusal = <A, R>(effect: Effect.Effect<A, unknown, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    const { reason, message } = error as StorageError
    return `${reason}: ${message}`
  })

/** Changes a file that is in use, as another program would. */
const onDisk = (change: () => void) => Effect.sync(change)

/** Brings the log into the file, as another program does that writes this. */
const checkpoint = (filename: string, sql = "") =>
  Effect.sync(() => {
    const db = new Database(filename)
    db.exec(sql)
    db.pragma("wal_checkpoint(TRUNCATE)")
    db.close()
  })

describe("A database file", () => {
  for (const [what, change, about] of [
    ["removed", (file: string) => rmSync(file), /^damaged: The database was removed/],
    ["moved away", (file: string) => renameSync(file, `${file}.old`), /^damaged: The database was removed/],
    [
      "replaced by a copy",
      (file: string) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
      /^damaged: The database was replaced/
    ],
    ["emptied", (file: string) => truncateSync(file, 0), /^damaged: The database was cut off/],
    ["cut off", (file: string) => truncateSync(file, 8192), /^damaged: The database was cut off/],
    ["left without its log", (file: string) => rmSync(`${file}-wal`), /^damaged: The log of the database was removed/]
  ] as const) {
    it.effect(`takes no writes any more once it is ${what}, and is not well`, () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* using(
          { filename },
          Effect.gen(function* () {
            yield* many
            yield* checkpoint(filename)
            yield* insert("before")
            yield* probe
            yield* onDisk(() => change(filename))
            assert.match(yield* refusal(insert("after")), about)
            assert.match(yield* refusal(probe), about)
            const storage = yield* Storage
            assert.match(yield* refusal(storage.transaction(insert("after"))), about)
            assert.notInclude(yield* refusal(probe), dirname(filename))
          })
        )
      })
    )
  }

  it.effect("says that it was cut off to whoever reads what is gone, too", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using(
        { filename },
        Effect.gen(function* () {
          yield* many
          const all = Effect.flatMap(items, (rows) => rows.list({ where: {} }))
          // All pages have to be read anew behind a commit of others.
          yield* checkpoint(filename, "CREATE TABLE others (id TEXT)")
          yield* onDisk(() => truncateSync(filename, 8192))
          assert.match(yield* refusal(all), /^damaged: The database was cut off/)
          assert.match(yield* refusal(probe), /^damaged: The database was cut off/)
        })
      )
    })
  )

  it.effect("goes on where it was moved away and back, and where somebody has tidied it up", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using(
        { filename },
        Effect.gen(function* () {
          yield* many
          yield* checkpoint(filename)
          yield* insert("one")
          yield* onDisk(() => renameSync(filename, `${filename}.away`))
          assert.match(yield* refusal(insert("two")), /removed/)
          yield* onDisk(() => renameSync(`${filename}.away`, filename))
          yield* insert("two")
          yield* Effect.flatMap(items, (rows) => rows.remove({}))
          yield* checkpoint(filename, "VACUUM")
          yield* insert("three")
          yield* probe
          assert.strictEqual(yield* count, 1)
        })
      )
    })
  )

  it.effect("is damaged for good once SQLite has found it so", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, many)
      const bytes = readFileSync(filename)
      bytes.fill(0xa5, 6 * 4096)
      yield* onDisk(() => writeFileSync(filename, bytes))
      yield* using(
        { filename },
        Effect.gen(function* () {
          assert.match(yield* refusal(Effect.flatMap(items, (rows) => rows.list({ where: {} }))), /^damaged: /)
          assert.match(yield* refusal(insert("after")), /^damaged: /)
          assert.match(yield* refusal(probe), /^damaged: /)
        })
      )
    })
  )

  it.effect("is asked whether it is well without a trace for what is kept in memory", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using(
        { filename },
        Effect.gen(function* () {
          const { generation } = yield* Storage
          yield* insert("one")
          const before = yield* generation
          yield* probe
          yield* probe
          assert.strictEqual(yield* generation, before)
          yield* insert("two")
          assert.notStrictEqual(yield* generation, before)
        })
      )
      const db = new Database(filename)
      assert.strictEqual(db.prepare("SELECT count FROM lectern_probe").pluck().get(), 2)
      db.close()
    })
  )

  it.effect("that may not be written to, or has no room, is not well", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, insert("one"))
      assert.match(yield* refusal(using({ filename, readonly: true }, probe)), /^read-only: /)
      const full = yield* temporaryFile
      yield* using({ filename: full }, insert("one"))
      const pages = statSync(full).size / 4096
      const fill = Effect.forEach(
        Array.from({ length: 50 }, (_, i) => `f${i}`),
        insert
      )
      assert.match(yield* refusal(using({ filename: full, maxPages: pages + 4 }, fill)), /^full: /)
    })
  )
})

describe("A data folder that was used", () => {
  const blob = BlobHash.make("a".repeat(43))
  const withBlob = Effect.gen(function* () {
    yield* insert("one")
    yield* (yield* BlobStore).put(blob, new Uint8Array(2 * 1024 * 1024))
    yield* (yield* SecretKey).store(Redacted.make("k".repeat(43)))
  })

  for (const [what, change, about] of [
    ["without its database", (file: string) => rmSync(file), /lectern\.db is gone, though lectern\.db-\w+ is there/],
    ["with an empty one", (file: string) => writeFileSync(file, ""), /lectern\.db is empty/],
    [
      "with nothing but large files",
      (file: string) => {
        rmSync(file)
        rmSync(`${file}-key`)
      },
      /lectern\.db is gone, though lectern\.db-blobs is there/
    ],
    [
      "with nothing but the log of another",
      (file: string) => {
        rmSync(file)
        rmSync(`${file}-key`)
        rmSync(`${file}-blobs`, { recursive: true })
        writeFileSync(`${file}-wal`, "the end of another database")
      },
      /lectern\.db is gone, though lectern\.db-wal is there/
    ]
  ] as const) {
    it.effect(`is not begun anew ${what}, unless that is wanted`, () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* using({ filename }, withBlob)
        yield* onDisk(() => change(filename))
        const before = readdirSync(dirname(filename))
        const said = yield* refusal(using({ filename }, count))
        assert.match(said, about)
        assert.match(said, /--first-start/)
        assert.notInclude(said, dirname(filename))
        assert.deepStrictEqual(readdirSync(dirname(filename)), before)

        assert.strictEqual(yield* using({ filename, firstStart: true }, count), 0)
        yield* using({ filename }, insert("two"))
        assert.strictEqual(yield* using({ filename }, count), 1)
      })
    )
  }

  it.effect("keeps the log of a database that is gone", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(`${filename}-wal`, "what was written last")
      yield* using({ filename, firstStart: true }, insert("one"))
      const kept = readdirSync(dirname(filename)).find((name) => name.startsWith(`${basename(filename)}-wal-`))
      assert.strictEqual(readFileSync(`${dirname(filename)}/${kept}`, "utf8"), "what was written last")
    })
  )
})

describe("The files of a database", () => {
  it.effect("are their owner's alone, whatever the umask, and a wider one is told of", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const umask = process.umask(0)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(umask)))
      yield* using(
        { filename },
        Effect.gen(function* () {
          yield* insert("one")
          yield* (yield* BlobStore).put(BlobHash.make("b".repeat(43)), new Uint8Array(2 * 1024 * 1024))
          yield* (yield* SecretKey).store(Redacted.make("k".repeat(43)))
          for (const name of readdirSync(dirname(filename), { recursive: true, encoding: "utf8" })) {
            assert.strictEqual(statSync(`${dirname(filename)}/${name}`).mode & 0o077, 0, name)
          }
          assert.isTrue(existsSync(`${filename}-wal`))
          assert.deepStrictEqual(wideFiles(filename), [])
          yield* onDisk(() => {
            chmodSync(dirname(filename), 0o755)
            chmodSync(filename, 0o644)
            chmodSync(`${filename}-key`, 0o640)
          })
          assert.deepStrictEqual(
            wideFiles(filename).map(({ path, mode, expectedMode }) => [path, mode, expectedMode]),
            [
              [dirname(filename), "755", "700"],
              [filename, "644", "600"],
              [`${filename}-key`, "640", "600"]
            ]
          )
        })
      )
    })
  )
})
