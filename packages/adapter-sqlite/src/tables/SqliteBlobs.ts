/**
 * Blobs in SQLite. Large blobs are files in a folder next to the database (see `BlobFolder`). Every blob has a row, so
 * commits decide which blobs exist. A large blob is written in three steps: a commit announces it, the file is written,
 * a second commit marks it as complete. A file without an announcement cannot exist, so no file is orphaned unnoticed.
 *
 * Inside a transaction a large blob is stored in its row.
 */
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import { Clock, Effect } from "effect"
import type { Connections } from "../connections/Connections.ts"
import { fileFailure } from "../connections/SqliteFailure.ts"
import { BlobFolder } from "./BlobFolder.ts"
import { immutable, listByHash } from "./SqliteObjects.ts"

/** Size from which a blob is a file (bytes). */
export const largeBlob = 1024 * 1024

/** Values of `place`: 0 = bytes in the row; 1 = bytes in the folder; 2 = announced, the file may be incomplete. */
const inRow = 0
const inFolder = 1
const announced = 2

const getSql = "SELECT place, value FROM lectern_blob WHERE hash = ?"
const placeSql = "SELECT place FROM lectern_blob WHERE hash = ?"
const putSql =
  `INSERT INTO lectern_blob (hash, writtenAt, value, place) VALUES (?, ?, ?, ${inRow}) ` +
  "ON CONFLICT (hash) DO UPDATE SET writtenAt = excluded.writtenAt, " +
  `value = iif(place = ${announced}, excluded.value, value), place = iif(place = ${announced}, ${inRow}, place)`
const announceSql =
  `INSERT INTO lectern_blob (hash, writtenAt, value, place) VALUES (?, ?, x'', ${announced}) ` +
  "ON CONFLICT (hash) DO UPDATE SET writtenAt = excluded.writtenAt"
const arriveSql =
  `INSERT INTO lectern_blob (hash, writtenAt, value, place) VALUES (?, ?, x'', ${inFolder}) ` +
  `ON CONFLICT (hash) DO UPDATE SET place = ${inFolder} WHERE place = ${announced}`
const oldSql = "SELECT place, length(value) FROM lectern_blob WHERE hash = ? AND writtenAt < ?"
const removeSql = "DELETE FROM lectern_blob WHERE hash = ?"

type Row = readonly [place: number, value: Buffer]

export const sqliteBlobs = (
  queue: TransactionQueue,
  connections: Connections,
  folder: BlobFolder
): BlobStore["Service"] => {
  const { reader, writer } = connections

  const putRow = (hash: BlobHash, bytes: Uint8Array, writtenAt: number) =>
    queue.write(() => void writer.run(putSql, hash, writtenAt, Buffer.from(bytes)))

  const readNow = (hash: BlobHash) => {
    try {
      return folder.readSync(hash)
    } catch (thrown) {
      throw fileFailure(thrown, "read")
    }
  }

  const putFile = Effect.fnUntraced(function* (hash: BlobHash, bytes: Uint8Array, writtenAt: number) {
    const location = yield* queue.write(() => {
      writer.run(announceSql, hash, writtenAt)
      return writer.pluck(placeSql).get(hash) as number
    })
    if (location === inRow || (location === inFolder && folder.has(hash, bytes.length))) return
    yield* Effect.tryPromise({ try: () => folder.write(hash, bytes), catch: (thrown) => fileFailure(thrown) })
    yield* queue.write(() => void writer.run(arriveSql, hash, writtenAt))
  })

  /** Removes the file before the commit. If the commit fails, a later `put` writes the file again. */
  const removeOne = (hash: BlobHash, writtenBefore: number): number => {
    const [row] = writer.raw(oldSql).all(hash, writtenBefore) as ReadonlyArray<readonly [number, number]>
    if (row === undefined) return 0
    if (row[0] !== inRow || row[1] >= largeBlob) folder.remove(hash)
    return writer.run(removeSql, hash).changes
  }

  return BlobStore.of({
    put: Effect.fnUntraced(function* (hash, bytes) {
      const writtenAt = yield* Clock.currentTimeMillis
      const isFile =
        bytes.length >= largeBlob &&
        BlobFolder.canStore(hash) &&
        !(yield* queue.read((isInTransaction) => isInTransaction))
      yield* isFile ? putFile(hash, bytes, writtenAt) : putRow(hash, bytes, writtenAt)
    }),
    get: (hash) =>
      Effect.flatMap(
        queue.read((isInTransaction) => {
          const [row] = (isInTransaction ? writer : reader).raw(getSql).all(hash) as ReadonlyArray<Row>
          if (row === undefined || row[0] === announced) return undefined
          if (row[0] === inRow) return new Uint8Array(row[1])
          return isInTransaction ? readNow(hash) : "file"
        }, immutable),
        (result) =>
          result === "file"
            ? Effect.tryPromise({ try: () => folder.read(hash), catch: (thrown) => fileFailure(thrown, "read") })
            : Effect.succeed(result)
      ),
    list: listByHash<BlobHash>(queue, connections, "lectern_blob"),
    remove: (hashes, writtenBefore) =>
      queue.write(() => writer.atomically(() => hashes.reduce((sum, hash) => sum + removeOne(hash, writtenBefore), 0)))
  })
}
