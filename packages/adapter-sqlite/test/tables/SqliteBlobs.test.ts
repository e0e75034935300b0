/** Large blobs as files of a `BlobFolder`: what a crash or a full disk leaves behind never counts as there. */
import { existsSync, readdirSync, truncateSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { largeBlob } from "@lectern/adapter-sqlite/tables/SqliteBlobs"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

const hash = "large" as BlobHash
const bytes = Uint8Array.from({ length: largeBlob }, (_, i) => (i * 7) % 251)

const onFile = <A, E>(body: (filename: string, folder: string) => Effect.Effect<A, E, BlobStore | Storage>) =>
  Effect.flatMap(temporaryFile, (filename) =>
    Effect.provide(body(filename, `${filename}-blobs`), SqliteStorage.layer({ filename }), { local: true })
  )

describe("SqliteBlobs", () => {
  it.effect("large ones are files in a folder beside the database, small ones are not", () =>
    onFile((_, folder) =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        yield* blobs.put("small" as BlobHash, bytes.subarray(1))
        assert.isFalse(existsSync(folder))
        yield* blobs.put(hash, bytes)
        assert.deepStrictEqual(readdirSync(folder), [hash])
        yield* blobs.remove([hash], Number.MAX_SAFE_INTEGER)
        assert.deepStrictEqual(readdirSync(folder), [])
      })
    )
  )

  it.effect("one whose writer ended early is not there, and the next writer makes it whole", () =>
    onFile((filename, folder) =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        yield* blobs.put(hash, bytes)
        const db = new Database(filename)
        db.exec("UPDATE lectern_blob SET place = 2")
        db.close()
        truncateSync(join(folder, hash), 5)
        assert.isUndefined(yield* blobs.get(hash))
        yield* blobs.put(hash, bytes)
        assert.deepStrictEqual(yield* blobs.get(hash), bytes)
      })
    )
  )

  it.effect("one whose file is gone is a failure, and put again it is there", () =>
    onFile((_, folder) =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        yield* blobs.put(hash, bytes)
        unlinkSync(join(folder, hash))
        assert.strictEqual((yield* Effect.flip(blobs.get(hash))).reason, "failed")
        yield* blobs.put(hash, bytes)
        assert.deepStrictEqual(yield* blobs.get(hash), bytes)
      })
    )
  )

  it.effect("one that can't be written fails, and is collected like any other", () =>
    onFile((_, folder) =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        writeFileSync(folder, "in the way")
        assert.strictEqual((yield* Effect.flip(blobs.put(hash, bytes))).reason, "failed")
        assert.isUndefined(yield* blobs.get(hash))
        unlinkSync(folder)
        assert.strictEqual(yield* blobs.remove([hash], Number.MAX_SAFE_INTEGER), 1)
      })
    )
  )

  it.effect("one that was announced and comes in a transaction is there with its commit", () =>
    onFile((filename, folder) =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const storage = yield* Storage
        writeFileSync(folder, "in the way")
        yield* Effect.flip(blobs.put(hash, bytes))
        yield* storage.transaction(blobs.put(hash, bytes))
        assert.deepStrictEqual(yield* blobs.get(hash), bytes)
        const db = new Database(filename, { readonly: true })
        assert.strictEqual(db.prepare("SELECT place FROM lectern_blob").pluck().get(), 0)
        db.close()
      })
    )
  )
})
