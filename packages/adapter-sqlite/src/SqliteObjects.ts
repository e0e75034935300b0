/** Objects in SQLite: texts under their hashes, with the time they were last written. */
import { type ObjectHash, ObjectStore, refuseIllFormed } from "@lectern/core/storage/ObjectStore"
import { Slice } from "@lectern/core/storage/Slice"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import { Clock, Effect } from "effect"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

/** Large text comes as bytes: SQLite's own way to a text takes ten times as long where it is not all ASCII. */
const getSql =
  "SELECT CASE WHEN octet_length(value) > 65536 THEN CAST(value AS BLOB) ELSE value END " +
  "FROM lectern_object WHERE hash = ?"
const putSql =
  "INSERT INTO lectern_object (hash, writtenAt, value) VALUES (?, ?, ?) " +
  "ON CONFLICT (hash) DO UPDATE SET writtenAt = excluded.writtenAt"
const removeSql = "DELETE FROM lectern_object WHERE hash = ? AND writtenAt < ?"

export const sqliteObjects = (queue: TransactionQueue, database: SqliteDatabase): ObjectStore["Service"] => {
  const { reader, writer } = database
  return ObjectStore.of({
    put: (values) =>
      Effect.flatMap(Clock.currentTimeMillis, (writtenAt) =>
        queue.write(() => {
          for (const { text } of values) refuseIllFormed(text)
          const put = () => {
            for (const { hash, text } of values) writer.run(putSql, hash, writtenAt, text)
          }
          if (values.length === 1) put()
          else database.atomically(put)
        })
      ),
    // In slices, since one may be as large as a thousand others.
    get: Effect.fnUntraced(function* (hashes) {
      const texts: Array<string | undefined> = []
      const slice = yield* Slice.begin
      while (texts.length < hashes.length) {
        if (slice.isOver()) yield* slice.rest
        yield* queue.read((inside) => {
          const statement = (inside ? writer : reader).pluck(getSql)
          do {
            const found = statement.get(hashes[texts.length]) as string | Buffer | undefined
            texts.push(typeof found === "object" ? found.toString("utf8") : found)
          } while (texts.length < hashes.length && !slice.isOver())
        }, immutable)
      }
      return texts
    }),
    list: listByHash<ObjectHash>(queue, database, "lectern_object"),
    remove: (hashes, writtenBefore) =>
      queue.write(() =>
        database.atomically(() =>
          hashes.reduce((sum, hash) => sum + writer.run(removeSql, hash, writtenBefore).changes, 0)
        )
      )
  })
}

/** Reads of what never changes: there is nothing to note. */
export const immutable = () => {}

/** Lists objects or blobs in the order of their hashes, with the time each was last written. */
export const listByHash = <Hash extends string>(
  queue: TransactionQueue,
  { reader, writer }: SqliteDatabase,
  table: string
) => {
  const sql = `SELECT hash, writtenAt FROM ${table} WHERE hash > ? ORDER BY hash LIMIT ?`
  return (options: { readonly after?: Hash; readonly limit: number }) =>
    queue.read((inside) => {
      const rows = (inside ? writer : reader).raw(sql).all(options.after ?? "", Math.max(0, options.limit))
      return (rows as ReadonlyArray<readonly [Hash, number]>).map(([hash, writtenAt]) => ({ hash, writtenAt }))
    })
}
