/** Objects in SQLite: texts by hash, with the time of their last write. See `ObjectText`. */
import { type ObjectHash, ObjectStore, rejectIllFormed, type StoredObject } from "@lectern/core/storage/ObjectStore"
import { Slice } from "@lectern/core/storage/Slice"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import { Clock, Effect } from "effect"
import { limitClause } from "./Connection.ts"
import { isLarge, type ObjectValue, pack, packSync, unpack, unpackSync } from "./ObjectText.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

const getSql = "SELECT value FROM lectern_object WHERE hash = ?"
const putSql =
  "INSERT INTO lectern_object (hash, writtenAt, value) VALUES (?, ?, ?) " +
  "ON CONFLICT (hash) DO UPDATE SET writtenAt = excluded.writtenAt"
const touchSql = "UPDATE lectern_object SET writtenAt = ? WHERE hash = ?"
const existsSql = "SELECT 1 FROM lectern_object WHERE hash = ?"
const removeSql = "DELETE FROM lectern_object WHERE hash = ? AND writtenAt < ?"

export const sqliteObjects = (queue: TransactionQueue, database: SqliteDatabase): ObjectStore["Service"] => {
  const { reader, writer } = database
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
        else database.atomically(put)
      })
    }),
    get: (hashes) => (hashes.length === 1 ? readOne(hashes[0]!) : readMany(hashes)),
    list: listByHash<ObjectHash>(queue, database, "lectern_object"),
    remove: (hashes, writtenBefore) =>
      queue.write(() =>
        database.atomically(() =>
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
  { reader, writer }: SqliteDatabase,
  table: string
) => {
  const sql = `SELECT hash, writtenAt FROM ${table} WHERE hash > ? ORDER BY hash ${limitClause}`
  return (options: { readonly after?: Hash; readonly limit: number }) =>
    queue.read((isInTransaction) => {
      const rows = (isInTransaction ? writer : reader).raw(sql).all(options.after ?? "", Math.max(0, options.limit))
      return (rows as ReadonlyArray<readonly [Hash, number]>).map(([hash, writtenAt]) => ({ hash, writtenAt }))
    })
}
