/**
 * Objects in SQLite: texts by hash, with the time of their last write. Texts from 64 KiB are compressed with zstd, in a
 * thread of Node's pool, so that a commit writes a tenth or less. Shorter texts are stored uncompressed, since reading
 * is faster. Inside a transaction the compression is synchronous.
 */
import { promisify } from "node:util"
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib"
import { type ObjectHash, ObjectStore, rejectIllFormed, type StoredObject } from "@lectern/core/storage/ObjectStore"
import { Slice } from "@lectern/core/storage/Slice"
import { StorageError } from "@lectern/core/storage/Storage"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import { Clock, Effect } from "effect"
import { limitClause } from "../connections/Connection.ts"
import type { Connections } from "../connections/Connections.ts"

/** Text: not compressed. Buffer: compressed as one zstd frame. */
type ObjectValue = string | Buffer

/** Length from which a text is compressed (characters). */
const largeText = 64 * 1024

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const failure = (cause: unknown) =>
  new StorageError({ reason: "damaged", message: "An object can't be read: its bytes are not as they were", cause })

const isLarge = (text: string): boolean => text.length >= largeText

const pack = (text: string): Effect.Effect<ObjectValue> =>
  isLarge(text) ? Effect.promise(() => compress(text, options)) : Effect.succeed(text)

const packSync = (text: string): ObjectValue => (isLarge(text) ? zstdCompressSync(text, options) : text)

const unpack = (frame: Buffer): Effect.Effect<string, StorageError> =>
  Effect.map(Effect.tryPromise({ try: () => decompress(frame), catch: failure }), (bytes) => bytes.toString("utf8"))

/** Decompresses a zstd frame. Throws if the frame is damaged. */
const unpackSync = (frame: Buffer): string => {
  try {
    return zstdDecompressSync(frame).toString("utf8")
  } catch (cause) {
    throw failure(cause)
  }
}

const getSql = "SELECT value FROM lectern_object WHERE hash = ?"
const putSql =
  "INSERT INTO lectern_object (hash, writtenAt, value) VALUES (?, ?, ?) " +
  "ON CONFLICT (hash) DO UPDATE SET writtenAt = excluded.writtenAt"
const touchSql = "UPDATE lectern_object SET writtenAt = ? WHERE hash = ?"
const existsSql = "SELECT 1 FROM lectern_object WHERE hash = ?"
const removeSql = "DELETE FROM lectern_object WHERE hash = ? AND writtenAt < ?"

export const sqliteObjects = (queue: TransactionQueue, connections: Connections): ObjectStore["Service"] => {
  const { reader, writer } = connections
  /** Returns the large objects that are not stored yet. Undefined inside a transaction. */
  const missing = (values: ReadonlyArray<StoredObject>) =>
    queue.read((isInTransaction) => {
      if (isInTransaction) return undefined
      const existsQuery = reader.pluck(existsSql)
      return new Set(values.filter(({ hash, text }) => isLarge(text) && existsQuery.get(hash) === undefined))
    }, immutable)

  const readOne = (hash: ObjectHash): Effect.Effect<ReadonlyArray<string | undefined>, StorageError> =>
    Effect.flatMap(
      queue.read((isInTransaction) => {
        const value = (isInTransaction ? writer : reader).pluck(getSql).get(hash) as ObjectValue | undefined
        return typeof value === "object" && isInTransaction ? unpackSync(value) : value
      }, immutable),
      (value) => (typeof value === "object" ? Effect.map(unpack(value), (text) => [text]) : Effect.succeed([value]))
    )

  /** Reads in time slices (see `Slice`), since a single object may be as large as a thousand others. */
  const readMany = Effect.fnUntraced(function* (hashes: ReadonlyArray<ObjectHash>) {
    const texts: Array<string | undefined> = []
    const slice = yield* Slice.start
    while (texts.length < hashes.length) {
      if (slice.isOver()) yield* slice.pause
      const frame = yield* queue.read((isInTransaction) => {
        const statement = (isInTransaction ? writer : reader).pluck(getSql)
        do {
          const value = statement.get(hashes[texts.length]) as ObjectValue | undefined
          if (typeof value === "object" && !isInTransaction) return value
          texts.push(typeof value === "object" ? unpackSync(value) : value)
        } while (texts.length < hashes.length && !slice.isOver())
        return undefined
      }, immutable)
      if (frame !== undefined) texts.push(yield* unpack(frame))
    }
    return texts
  })

  return ObjectStore.of({
    put: Effect.fnUntraced(function* (values) {
      const writtenAt = yield* Clock.currentTimeMillis
      const missingObjects = values.some(({ text }) => isLarge(text)) ? yield* missing(values) : undefined
      const packed = new Map<StoredObject, ObjectValue>()
      for (const value of missingObjects ?? []) packed.set(value, yield* pack(value.text))
      yield* queue.write(() => {
        for (const { text } of values) rejectIllFormed(text)
        const put = () => {
          for (const value of values) {
            const { hash, text } = value
            const ready = packed.get(value)
            // An existing object is only touched. If garbage collection has removed it since, it is written again.
            if (ready === undefined && isLarge(text) && writer.run(touchSql, writtenAt, hash).changes > 0) continue
            writer.run(putSql, hash, writtenAt, ready ?? packSync(text))
          }
        }
        if (values.length === 1) put()
        else writer.atomically(put)
      })
    }),
    get: (hashes) => (hashes.length === 1 ? readOne(hashes[0]!) : readMany(hashes)),
    list: listByHash<ObjectHash>(queue, connections, "lectern_object"),
    remove: (hashes, writtenBefore) =>
      queue.write(() =>
        writer.atomically(() =>
          hashes.reduce((sum, hash) => sum + writer.run(removeSql, hash, writtenBefore).changes, 0)
        )
      )
  })
}

/** Records no reads, since objects and blobs never change. */
export const immutable = () => {}

/** Returns a function that lists objects or blobs by hash, with the time of their last write. */
export const listByHash = <Hash extends string>(
  queue: TransactionQueue,
  { reader, writer }: Connections,
  table: string
) => {
  const sql = `SELECT hash, writtenAt FROM ${table} WHERE hash > ? ORDER BY hash ${limitClause}`
  return (options: { readonly after?: Hash; readonly limit: number }) =>
    queue.read((isInTransaction) => {
      const rows = (isInTransaction ? writer : reader).raw(sql).all(options.after ?? "", Math.max(0, options.limit))
      return (rows as ReadonlyArray<readonly [Hash, number]>).map(([hash, writtenAt]) => ({ hash, writtenAt }))
    })
}
