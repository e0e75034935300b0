/**
 * Lectern stored in one SQLite file: rows, objects, blobs and the search index, so a transaction
 * covers them all. Blobs of 1 MiB and more are files in a folder beside it, `<filename>-blobs`.
 *
 * Defaults: write-ahead log, every commit synced to the disk before its callers go on (in a
 * thread, see `LogSync`), one writer (transactions that wait are committed in groups, see
 * `TransactionQueue`) whose connection reads as well, and another that reads beside a transaction in steps, so that no
 * read waits. Tables are made when they
 * are first written to, and rebuilt when their descriptor has changed since. Rows that are asked for by their key are kept in memory (see
 * `RowCache`) and handed out frozen.
 *
 * Limits: the file must be on a local disk; SQLite is called on the thread of the process. Another
 * process may use the same file: its writes are waited for up to `patience` (while opening, on the
 * thread of the process).
 */
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { ObjectStore } from "@lectern/core/storage/ObjectStore"
import type { Reads } from "@lectern/core/storage/Reads"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { type Repository, Storage, StorageError } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import * as TransactionQueue from "@lectern/core/storage/TransactionQueue"
import { Context, Effect, Layer, Schedule } from "effect"
import { BlobFolder } from "./BlobFolder.ts"
import { type Options, SqliteDatabase } from "./SqliteDatabase.ts"
import { mergeWhileIdle } from "./SearchMerging.ts"
import { secretKeyFile } from "./SecretKeyFile.ts"
import { failureOf } from "./SqliteFailure.ts"
import { sqliteBlobs } from "./SqliteBlobs.ts"
import { sqliteObjects } from "./SqliteObjects.ts"
import { sqliteSearchIndex } from "./SqliteSearchIndex.ts"
import { SqliteTable } from "./SqliteTable.ts"

export interface StorageOptions extends Options {
  /** The key for secrets. Default: a file beside the database, `<filename>-key`. */
  readonly secretKey?: SecretKey["Service"]
}

const open = (options: Options): Effect.Effect<SqliteDatabase, StorageError> =>
  Effect.try({
    try: () => SqliteDatabase.open(options),
    catch: (thrown) => {
      const failure = failureOf(thrown)
      if (failure instanceof StorageError) return failure
      const message = `The database can't be opened: ${thrown instanceof Error ? thrown.message : "unknown reason"}`
      return new StorageError({ reason: "unavailable", message, cause: thrown })
    }
  })

const make = Effect.fnUntraced(function* (options: Options) {
  const database = yield* Effect.acquireRelease(open(options), (database) => Effect.promise(() => database.close()))
  const queue = yield* TransactionQueue.make(database.engine, { busyTimeout: options.patience ?? 10_000 })
  if (options.readonly !== true) yield* Effect.forkScoped(mergeWhileIdle(database))
  return Context.empty().pipe(
    Context.add(Storage, {
      repository: repositories(queue, database),
      transaction: queue.transaction,
      inSteps: queue.inSteps,
      afterCommit: queue.afterCommit,
      generation: queue.generation,
      changedSince: (reads, generation) => database.written.changedSince(reads, generation),
      probe: probe(database)
    }),
    Context.add(ObjectStore, sqliteObjects(queue, database)),
    Context.add(BlobStore, sqliteBlobs(queue, database, new BlobFolder(`${options.filename}-blobs`))),
    Context.add(SearchIndex, sqliteSearchIndex(queue, database))
  )
})

/** Another process that writes for two seconds is no reason to be unwell. */
const probePause = Schedule.spaced("50 millis")
const probes = 40

/** Beside the queue, whose commits count: nothing of it is under way while this runs. */
const probe = (database: SqliteDatabase) =>
  Effect.suspend(() => {
    const { thrown } = database.probe()
    if (thrown === undefined) return Effect.void
    const failure = failureOf(thrown)
    return failure instanceof StorageError ? Effect.fail(failure) : Effect.die(thrown)
  }).pipe(Effect.retry({ schedule: probePause, times: probes, while: ({ reason }) => reason === "unavailable" }))

const repositories = (queue: TransactionQueue.TransactionQueue, database: SqliteDatabase) => {
  const tables = new Map<Table, SqliteTable>()

  const known = (table: Table): SqliteTable => {
    const found = tables.get(table)
    if (found !== undefined) return found
    const made = new SqliteTable(table, database)
    tables.set(table, made)
    return made
  }

  return <T extends Table>(table: T): Repository<T> => {
    type Row = Table.Row<T>
    const rows = known(table)
    /** A table that stands as another version had it is rebuilt before it is read. */
    const read = <A>(run: (inside: boolean) => A, of: (reads: Reads) => void): Effect.Effect<A, StorageError> => {
      const note = (reads: Reads) => {
        database.written.trackTable(table)
        of(reads)
      }
      const reading = queue.read(run, note)
      if (rows.isSettled) return reading
      return Effect.suspend(() =>
        rows.isSettled
          ? reading
          : Effect.flatMap(
              queue.read(() => rows.isStale(), note),
              (stale) =>
                stale
                  ? Effect.andThen(
                      queue.write(() => rows.prepare()),
                      reading
                    )
                  : reading
            )
      )
    }
    return {
      get: (key) =>
        read(
          (inside) => rows.get(inside, key) as Row | undefined,
          (reads) => reads.addRow(table, key)
        ),
      getMany: (keys) =>
        read(
          (inside) => keys.map((key) => rows.get(inside, key) as Row | undefined),
          (reads) => reads.addRows(table, keys)
        ),
      list: (query) =>
        read(
          (inside) => rows.list(inside, query) as ReadonlyArray<Row>,
          (reads) => reads.addList(table, query.where)
        ),
      count: (where) =>
        read(
          (inside) => rows.count(inside, where),
          (reads) => reads.addList(table, where)
        ),
      insert: (row) => queue.writeUnique(() => rows.insert(row)),
      update: (where, patch) => queue.writeUnique(() => rows.update(where, patch)),
      remove: (where) => queue.write(() => rows.remove(where))
    }
  }
}

export const SqliteStorage = {
  layer: ({
    secretKey,
    ...options
  }: StorageOptions): Layer.Layer<Storage | ObjectStore | BlobStore | SearchIndex | SecretKey, StorageError> =>
    Layer.merge(
      Layer.effectContext(make(options)),
      Layer.succeed(SecretKey, secretKey ?? secretKeyFile(options.filename))
    )
}
