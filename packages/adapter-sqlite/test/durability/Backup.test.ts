/**
 * Backups of a database that is written to meanwhile: creating, checking, listing, deleting and restoring them.
 * Covers `Backup`, `BackupManifest`, `BlobCopies` and `Restore`.
 */
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import * as Backup from "@lectern/adapter-sqlite/durability/Backup"
import { BackupFailed } from "@lectern/adapter-sqlite/durability/BackupManifest"
import { restore, verify } from "@lectern/adapter-sqlite/durability/Restore"
import * as FileCheck from "@lectern/adapter-sqlite/tables/FileCheck"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { largeBlob } from "@lectern/adapter-sqlite/tables/SqliteBlobs"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Schema } from "effect"
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
  <A, E>(body: Effect.Effect<A, E, Storage | BlobStore | Hasher>) =>
    body.pipe(Effect.provide([SqliteStorage.layer({ filename }), NodeHasher.layer], { local: true }))

/** Returns the path of a new database, and a folder for backups and copies. */
const place = Effect.map(temporaryFile, (file) => {
  const folder = dirname(file)
  mkdirSync(join(folder, "data"))
  return { filename: join(folder, "data", "lectern.db"), folder }
})

const threeIn = (folder: string) => ({
  first: join(folder, "first"),
  second: join(folder, "second"),
  third: join(folder, "third")
})

const refusal = <A>(effect: Effect.Effect<A, BackupFailed>) => Effect.map(Effect.flip(effect), ({ message }) => message)

describe("Backup", () => {
  it.effect("is one moment of the data, whoever writes meanwhile, and restores as that", () =>
    Effect.gen(function* () {
      const { filename, folder } = yield* place
      const first = join(folder, "first")
      const restored = join(folder, "restored", "lectern.db")
      const large = yield* over(filename)(
        Effect.gen(function* () {
          for (let i = 0; i < 200; i++) yield* note(`before ${i}`)
          const large = yield* putLarge
          const writing = Effect.forEach(
            Array.from({ length: 100 }, (_, i) => `meanwhile ${i}`),
            note
          )
          yield* Effect.all([Backup.make({ filename, folder: first }), writing], { concurrency: 2 })
          yield* note("after")
          return large
        })
      )
      assert.strictEqual(statSync(first).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(first, "lectern.db")).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(join(first, "lectern.db-blobs")), [large.hash])
      assert.isFalse(readdirSync(first).some((name) => name.includes("key")))

      const manifest = yield* restore({ folder: first, filename: restored })
      assert.deepStrictEqual(yield* verify(first), manifest)
      yield* over(restored)(
        Effect.gen(function* () {
          const notes = (yield* Storage).repository(NoteTable)
          const ids = (yield* notes.list({ where: {} })).map(({ id }) => id)
          assert.strictEqual(ids.filter((id) => id.startsWith("before")).length, 200)
          // Commits that came first are there before those that came later.
          const meanwhile = ids.filter((id) => id.startsWith("meanwhile")).length
          for (let i = 0; i < meanwhile; i++) assert.include(ids, `meanwhile ${i}`)
          assert.notInclude(ids, "after")
          assert.deepStrictEqual(yield* (yield* BlobStore).get(large.hash), large.bytes)
        })
      )
      assert.deepStrictEqual(yield* FileCheck.check(restored), {
        isReadable: true,
        faults: [],
        searchFaults: [],
        strayFiles: []
      })
    })
  )

  it.effect(
    "links the large files of a former one, or those that it lies beside, and leaves out those that are gone",
    () =>
      Effect.gen(function* () {
        const { filename, folder } = yield* place
        const [first, second] = [join(folder, "first"), join(folder, "second")]
        yield* over(filename)(
          Effect.gen(function* () {
            const [kept, gone] = [yield* putLarge, yield* putLarge]
            yield* Backup.make({ filename, folder: first })
            yield* (yield* BlobStore).remove([gone.hash], Infinity)
            const added = yield* putLarge
            const { blobs } = yield* Backup.make({ filename, folder: second, previous: first })
            assert.sameMembers(
              blobs.map(({ hash }) => hash),
              [kept.hash, added.hash]
            )
            const inode = (of: string) => statSync(join(of, "lectern.db-blobs", kept.hash)).ino
            assert.strictEqual(inode(second), inode(first))
            yield* verify(second)
            const beside = join(folder, "beside")
            yield* Backup.make({ filename, folder: beside, linked: true })
            assert.strictEqual(inode(beside), statSync(join(`${filename}-blobs`, kept.hash)).ino)
            yield* verify(beside)
          })
        )
      })
  )

  it.effect("says why a database can't be read, of which SQLite tells that it can't be opened", () =>
    Effect.gen(function* () {
      const { filename, folder } = yield* place
      const backup = { filename, folder: join(folder, "first") }
      assert.strictEqual(
        yield* refusal(Backup.make(backup)),
        `The database ${filename} can't be read: it does not exist`
      )
      yield* over(filename)(note("one"))
      const data = dirname(filename)
      rmSync(`${filename}-shm`, { force: true })
      chmodSync(data, 0o500)
      // Nothing is forbidden to root.
      if (process.getuid?.() !== 0) {
        assert.match(yield* refusal(Backup.make(backup)), /nothing can be written there: permission denied\. Make the/)
      }
      chmodSync(data, 0o700)
      yield* Backup.make(backup)

      const second = { filename, folder: join(folder, "second") }
      truncateSync(filename, 3 * 4096)
      assert.strictEqual(yield* refusal(Backup.make(second)), `The database ${filename} can't be read: it is damaged`)
      truncateSync(filename, 0)
      assert.strictEqual(yield* refusal(Backup.make(second)), `The database ${filename} can't be read: it is empty`)
    })
  )

  it.effect("takes a volume that holds its own lost+found for an empty folder, while that is empty", () =>
    Effect.gen(function* () {
      const { filename, folder } = yield* place
      yield* over(filename)(note("one"))
      const [backup, restored] = [join(folder, "backup"), join(folder, "restored")]
      for (const volume of [backup, restored]) mkdirSync(join(volume, "lost+found"), { recursive: true })
      yield* Backup.make({ filename, folder: backup })
      writeFileSync(join(restored, "lost+found", "#12"), "")
      const target = { folder: backup, filename: join(restored, "lectern.db") }
      assert.match(yield* refusal(restore(target)), /is not empty: it holds lost\+found/)
      rmSync(join(restored, "lost+found", "#12"))
      yield* restore(target)
      assert.sameMembers(readdirSync(restored), ["lectern.db", "lost+found"])
    })
  )

  it.effect("takes from the data what is not whole in the former one any more", () =>
    Effect.gen(function* () {
      const { filename, folder } = yield* place
      const { first, second, third } = threeIn(folder)
      yield* over(filename)(
        Effect.gen(function* () {
          const [short, changed, gone] = [yield* putLarge, yield* putLarge, yield* putLarge]
          yield* Backup.make({ filename, folder: first })
          const inFirst = ({ hash }: { readonly hash: string }) => join(first, "lectern.db-blobs", hash)
          truncateSync(inFirst(short), 10)
          writeFileSync(inFirst(changed), changed.bytes.toReversed())
          unlinkSync(inFirst(gone))
          const { blobs, lost, inData } = yield* Backup.make({ filename, folder: second, previous: first })
          assert.isUndefined(lost)
          assert.isEmpty(inData)
          assert.deepStrictEqual(
            blobs.map(({ bytes }) => bytes),
            [largeBlob, largeBlob, largeBlob]
          )
          yield* verify(second)
          yield* Backup.make({ filename, folder: third, previous: second })
          yield* verify(third)
        })
      )
    })
  )

  it.effect("names the blobs that are not whole in the data, and holds all else", () =>
    Effect.gen(function* () {
      const { filename, folder } = yield* place
      const { first, second, third } = threeIn(folder)
      const restored = join(folder, "restored", "lectern.db")
      yield* over(filename)(
        Effect.gen(function* () {
          const former = yield* putLarge
          yield* Backup.make({ filename, folder: first })
          const [whole, short, gone] = [yield* putLarge, yield* putLarge, yield* putLarge]
          const inData = ({ hash }: { readonly hash: string }) => join(`${filename}-blobs`, hash)
          truncateSync(inData(former), 10)
          truncateSync(inData(short), 10)
          unlinkSync(inData(gone))
          const lost = [{ hash: short.hash, damaged: true } as const, { hash: gone.hash }]
          const { inData: warned, ...made } = yield* Backup.make({ filename, folder: second, previous: first })
          assert.sameDeepMembers([...made.lost!], lost)
          assert.deepStrictEqual(warned, [{ hash: former.hash, damaged: true }])
          assert.sameMembers(
            made.blobs.map(({ hash }) => hash),
            [former.hash, whole.hash]
          )
          assert.deepStrictEqual(yield* verify(second), made)
          yield* restore({ folder: second, filename: restored })
          assert.sameMembers(readdirSync(`${restored}-blobs`), [former.hash, whole.hash, short.hash])
          assert.strictEqual(statSync(join(`${restored}-blobs`, short.hash)).size, 10)

          // A backup of today inherits nothing that was lost yesterday.
          yield* (yield* BlobStore).put(short.hash, short.bytes)
          const later = yield* Backup.make({ filename, folder: third, previous: second })
          assert.deepStrictEqual(later.lost, [{ hash: gone.hash }])
          yield* verify(third)
        })
      )
      const beside = yield* Backup.make({ filename, folder: join(folder, "beside"), linked: true })
      assert.strictEqual(beside.lost?.length, 2)
    })
  )

  it.effect("takes back what it has put there when it fails, and the folders that it made", () =>
    Effect.gen(function* () {
      const { filename, folder } = yield* place
      const upgrades = join(folder, "before-upgrade")
      const deep = join(upgrades, "one")
      const given = join(folder, "given")
      yield* over(filename)(putLarge)
      const inFolder = (one: string, read: () => void) =>
        Effect.gen(function* () {
          const clock = yield* Clock.Clock
          // It is asked for the time once the large files are copied.
          const currentTimeMillis = Effect.suspend(() => (read(), Effect.die("The disk is gone")))
          const failing = Backup.make({ filename, folder: one })
          yield* Effect.exit(Effect.provideService(failing, Clock.Clock, { ...clock, currentTimeMillis }))
        })
      let copied: ReadonlyArray<string> = []
      yield* inFolder(deep, () => (copied = readdirSync(deep)))
      assert.include(copied, "lectern.db-blobs")
      assert.isFalse(existsSync(upgrades))
      // The operator's own folder stays, and so does what somebody has put beside.
      mkdirSync(given)
      yield* inFolder(given, () => {})
      assert.deepStrictEqual(readdirSync(given), [])
      yield* inFolder(deep, () => writeFileSync(join(upgrades, "notes"), ""))
      assert.deepStrictEqual(readdirSync(upgrades), ["notes"])

      const empty = join(folder, "empty.db")
      writeFileSync(empty, "")
      assert.match(yield* refusal(Backup.make({ filename: empty, folder: deep })), /it is empty/)
      assert.deepStrictEqual(readdirSync(upgrades), ["notes"])
    })
  )

  it.effect("of two in one folder finishes one, and leaves it to that", () =>
    Effect.gen(function* () {
      const { filename, folder } = yield* place
      const backup = join(folder, "backup")
      yield* over(filename)(Effect.all([putLarge, putLarge]))
      const one = Effect.exit(Backup.make({ filename, folder: backup }))
      const ends = yield* Effect.all([one, one], { concurrency: "unbounded" })
      assert.strictEqual(ends.filter(Exit.isSuccess).length, 1)
      assert.strictEqual((yield* verify(backup)).blobs.length, 2)
    })
  )

  it.effect("refuses what is damaged, unfinished or in the way, and leaves no database behind", () =>
    Effect.gen(function* () {
      const { filename, folder } = yield* place
      const backup = join(folder, "backup")
      const target = join(folder, "restored", "lectern.db")
      const { hash } = yield* over(filename)(Effect.tap(putLarge, () => Backup.make({ filename, folder: backup })))
      assert.match(yield* refusal(Backup.make({ filename, folder: backup })), /is not empty: it holds/)

      const accept = () => Effect.fail(new BackupFailed({ message: "not this one" }))
      assert.strictEqual(yield* refusal(restore({ folder: backup, filename: target, accept })), "not this one")
      assert.deepStrictEqual(readdirSync(dirname(target)), [])
      // What was begun and not finished is no obstacle, and a key that the operator has put there is the operator's.
      writeFileSync(`${target}-key`, "k")
      writeFileSync(`${target}-restored`, "")
      assert.strictEqual(yield* refusal(restore({ folder: backup, filename: target, accept })), "not this one")
      assert.deepStrictEqual(readdirSync(dirname(target)).sort(), ["lectern.db-key", "lectern.db-restored"])
      yield* restore({ folder: backup, filename: target })
      assert.match(yield* refusal(restore({ folder: backup, filename: target })), /is not empty: it holds lectern.db\b/)

      const file = join(backup, "lectern.db-blobs", hash)
      const bytes = readFileSync(file)
      writeFileSync(file, Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)]))
      assert.match(yield* refusal(verify(backup)), /is not what was written/)
      unlinkSync(file)
      const again = join(folder, "again", "lectern.db")
      for (const refused of [verify(backup), restore({ folder: backup, filename: again })]) {
        assert.strictEqual(yield* refusal(refused), `The backup is not whole: ${hash} is missing`)
      }
      writeFileSync(file, bytes)
      truncateSync(join(backup, "lectern.db"), 4096)
      for (const refused of [verify(backup), restore({ folder: backup, filename: again })]) {
        assert.strictEqual(yield* refusal(refused), "The backup is damaged: lectern.db is not what was written")
      }
      assert.deepStrictEqual(readdirSync(dirname(again)), [])
      const manifest = readFileSync(join(backup, "manifest.json"), "utf8")
      for (const [was, is] of [
        [/"begunAt": "\d/, '"begunAt": "x'],
        [hash, `../${hash.slice(3)}`]
      ] as const) {
        writeFileSync(join(backup, "manifest.json"), manifest.replace(was, is))
        assert.match(yield* refusal(verify(backup)), /manifest\.json in .* is damaged/)
      }
      rmSync(join(backup, "manifest.json"))
      assert.match(yield* refusal(verify(backup)), /no finished backup/)
    })
  )
})
