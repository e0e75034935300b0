/** Folders that are made, and files that root makes in the data of a server that runs as somebody else. */
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Backup from "@lectern/adapter-sqlite/durability/Backup"
import { restore } from "@lectern/adapter-sqlite/durability/Restore"
import { makeFolder } from "@lectern/adapter-sqlite/connections/PrivateFiles"
import { nextKeyFileOf, secretKeyFile } from "@lectern/adapter-sqlite/connections/SecretKeyFile"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { largeBlob } from "@lectern/adapter-sqlite/tables/SqliteBlobs"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

const server = 65_532

/** A database in a folder that is the server's. */
const dataOfServer = Effect.map(temporaryFile, (filename) => {
  chownSync(dirname(filename), server, server)
  return filename
})

const putLarge = Effect.gen(function* () {
  const bytes = new Uint8Array(largeBlob)
  const hash = (yield* Hasher).sha256(bytes) as BlobHash
  yield* (yield* BlobStore).put(hash, bytes)
  return hash
})

const opened = <A, E>(filename: string, body: Effect.Effect<A, E, BlobStore | Hasher>) =>
  body.pipe(Effect.provide([SqliteStorage.layer({ filename }), NodeHasher.layer], { local: true }))

/** Names of what is in a folder, at any depth, that is not the server's. */
const others = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => lstatSync(join(folder, name)).uid !== server
  )

// Only root may give files away.
describe.skipIf(process.geteuid?.() !== 0)("Files that root makes", () => {
  it.effect("a database, its key and its large files are those of the owner of their folder", () =>
    Effect.gen(function* () {
      const filename = yield* dataOfServer
      yield* opened(filename, putLarge)
      const key = secretKeyFile(filename)
      yield* key.prepare(Redacted.make("k".repeat(44)))
      assert.include(readdirSync(dirname(filename)), "lectern.db-blobs")
      assert.strictEqual(lstatSync(nextKeyFileOf(filename)).uid, server)
      yield* key.replace
      assert.deepStrictEqual(others(dirname(filename)), [])
    })
  )

  it.effect("so is what is restored into a folder of the server's", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* opened(filename, putLarge)
      const folder = join(dirname(filename), "backup")
      yield* Backup.make({ filename, folder })
      const target = join(dirname(filename), "target")
      mkdirSync(target)
      chownSync(target, server, server)
      yield* restore({ folder, filename: join(target, "lectern.db") })
      assert.include(readdirSync(target), "lectern.db-blobs")
      assert.deepStrictEqual(others(target), [])
    })
  )

  it.effect("what a link leads to is neither written nor given away", () =>
    Effect.gen(function* () {
      const filename = yield* dataOfServer
      const outside = join(dirname(yield* temporaryFile), "outside")
      writeFileSync(outside, "mine")
      yield* opened(
        filename,
        Effect.gen(function* () {
          const hash = (yield* Hasher).sha256(new Uint8Array(largeBlob))
          mkdirSync(`${filename}-blobs`)
          symlinkSync(outside, join(`${filename}-blobs`, hash))
          yield* Effect.flip(putLarge)
        })
      )
      const { uid, size } = lstatSync(outside)
      assert.deepStrictEqual({ uid, size }, { uid: 0, size: 4 })
    })
  )
})

it("a folder is made for its owner alone, with those that it is in, and may be there", async () => {
  const root = mkdtempSync(join(tmpdir(), "lectern-folder-"))
  try {
    const folder = join(root, "one", "two", "three")
    const made = await Promise.all([makeFolder(folder), makeFolder(folder)])
    const all = [join(root, "one"), join(root, "one", "two"), folder]
    assert.deepStrictEqual(made.flat().sort(), all)
    assert.deepStrictEqual(await makeFolder(folder), [])
    assert.strictEqual(statSync(join(root, "one")).mode & 0o777, 0o700)
    assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
  } finally {
    rmSync(root, { recursive: true })
  }
})

it.runIf(existsSync("/proc"))("a folder that none can be made in is told of", async () => {
  const code = await makeFolder("/proc/one/two").catch((thrown: NodeJS.ErrnoException) => thrown.code)
  assert.strictEqual(code, "ENOENT")
})
