/** Objects and blobs in SQLite: values under their hashes, with the time they were last written. */
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { type ObjectHash, ObjectStore } from "@lectern/core/storage/ObjectStore"
import { StorageError } from "@lectern/core/storage/Storage"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import { Clock, Effect } from "effect"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

/** What objects and blobs have in common. */
const keptByHash = <Hash extends string, V extends string | Uint8Array>(
  queue: TransactionQueue,
  database: SqliteDatabase,
  table: string
) => {
  const { reader, writer } = database
  const getSql = `SELECT value FROM ${table} WHERE hash = ?`
  const putSql =
    `INSERT INTO ${table} (hash, writtenAt, value) VALUES (?, ?, ?) ` +
    `ON CONFLICT (hash) DO UPDATE SET writtenAt = excluded.writtenAt`
  const listSql = `SELECT hash, writtenAt FROM ${table} WHERE hash > ? ORDER BY hash LIMIT ?`
  const removeSql = `DELETE FROM ${table} WHERE hash = ? AND writtenAt < ?`
  return {
    put: (values: ReadonlyArray<readonly [Hash, V]>) =>
      Effect.flatMap(Clock.currentTimeMillis, (writtenAt) =>
        queue.write(() => {
          if (!values.every(([, value]) => typeof value !== "string" || value.isWellFormed())) throw illFormed()
          const put = () => {
            for (const [hash, value] of values) writer.run(putSql, hash, writtenAt, value)
          }
          if (values.length === 1) put()
          else database.atomically(put)
        })
      ),
    get: (hash: Hash, inside: boolean) => (inside ? writer : reader).pluck(getSql).get(hash) as V | undefined,
    list: (options: { readonly after?: Hash; readonly limit: number }) =>
      queue.read((inside) => {
        const rows = (inside ? writer : reader).raw(listSql).all(options.after ?? "", Math.max(0, options.limit))
        return (rows as ReadonlyArray<readonly [Hash, number]>).map(([hash, writtenAt]) => ({ hash, writtenAt }))
      }),
    remove: (hashes: ReadonlyArray<Hash>, writtenBefore: number) =>
      queue.write(() =>
        database.atomically(() =>
          hashes.reduce((sum, hash) => sum + writer.run(removeSql, hash, writtenBefore).changes, 0)
        )
      )
  }
}

const illFormed = () => new StorageError({ reason: "invalid-row", message: "An object must be well-formed text" })

export const sqliteObjects = (queue: TransactionQueue, database: SqliteDatabase): ObjectStore["Service"] => {
  const objects = keptByHash<ObjectHash, string>(queue, database, "lectern_object")
  return ObjectStore.of({
    put: (values) => objects.put(values.map(({ hash, text }) => [hash, text])),
    get: (hashes) => queue.read((inside) => hashes.map((hash) => objects.get(hash, inside))),
    list: objects.list,
    remove: objects.remove
  })
}

export const sqliteBlobs = (queue: TransactionQueue, database: SqliteDatabase): BlobStore["Service"] => {
  const blobs = keptByHash<BlobHash, Uint8Array>(queue, database, "lectern_blob")
  return BlobStore.of({
    put: (hash, bytes) => Effect.suspend(() => blobs.put([[hash, Buffer.from(bytes)]])),
    get: (hash) =>
      queue.read((inside) => {
        const bytes = blobs.get(hash, inside)
        return bytes === undefined ? undefined : new Uint8Array(bytes)
      }),
    list: blobs.list,
    remove: blobs.remove
  })
}
