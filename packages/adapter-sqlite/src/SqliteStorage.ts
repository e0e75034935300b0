/**
 * Stores Lectern in one SQLite file: rows, objects, blobs, the search index, and tables of the host. One transaction
 * covers them all. Blobs of 1 MiB and more are files in the folder `<filename>-blobs`.
 *
 * Defaults: write-ahead log; every commit is synced before its callers continue (in a thread, see `LogSync`); one
 * connection writes and reads, with group commits (see `TransactionQueue`); a second one reads while a transaction in
 * steps is open, so that reads never wait. Tables are created on the first write, and rebuilt if their descriptor has
 * changed. Rows that are read by key are cached (see `RowCache`) and frozen.
 *
 * Limits: the file must be on a local disk. SQLite runs on the calling thread. Other processes may use the file; the
 * adapter waits for their writes up to `busyTimeout` (while opening, on the calling thread).
 */
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { ObjectStore } from "@lectern/core/storage/ObjectStore"
import type { Reads } from "@lectern/core/storage/Reads"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { type Repository, Storage, StorageError } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import * as TransactionQueue from "@lectern/core/storage/TransactionQueue"
import { Context, Effect, Layer, Schedule } from "effect"
import { connectionOptionNames } from "./connections/Connections.ts"
import { secretKeyFile } from "./connections/SecretKeyFile.ts"
import { failureOf, storageFailure } from "./connections/SqliteFailure.ts"
import { durabilityOptionNames } from "./durability/DurableTransactions.ts"
import { BlobFolder } from "./tables/BlobFolder.ts"
import { HostTables, hostTables } from "./tables/HostTables.ts"
import { mergeWhileIdle } from "./tables/SearchMerging.ts"
import { sqliteBlobs } from "./tables/SqliteBlobs.ts"
import { type Options, SqliteDatabase } from "./tables/SqliteDatabase.ts"
import { sqliteObjects } from "./tables/SqliteObjects.ts"
import { sqliteSearchIndex } from "./tables/SqliteSearchIndex.ts"
import { SqliteTable } from "./tables/SqliteTable.ts"

export interface StorageOptions extends Options {
  /** Secret key. Default: the file `<filename>-key`. */
  readonly secretKey?: SecretKey["Service"]
}

export const storageOptionNames: OptionNames<StorageOptions> = {
  ...connectionOptionNames,
  ...durabilityOptionNames,
  secretKey: true
}

const openDatabase = (options: Options): Effect.Effect<SqliteDatabase, StorageError> =>
  Effect.try({
    try: () => new SqliteDatabase(options),
    catch: (thrown) => {
      const failure = failureOf(thrown)
      if (failure instanceof StorageError) return failure
      const message = `The database can't be opened: ${thrown instanceof Error ? thrown.message : "unknown reason"}`
      return new StorageError({ reason: "unavailable", message, cause: thrown })
    }
  })

const make = Effect.fnUntraced(function* (options: Options) {
  const database = yield* Effect.acquireRelease(openDatabase(options), (database) =>
    Effect.promise(() => database.close())
  )
  const queue = yield* TransactionQueue.make(database.engine, { busyTimeout: options.busyTimeout ?? 10_000 })
  if (options.readonly !== true) yield* Effect.forkScoped(mergeWhileIdle(database))
  return Context.empty().pipe(
    Context.add(Storage, {
      repository: repositories(queue, database),
      all: queue.all,
      transaction: queue.transaction,
      inSteps: queue.inSteps,
      afterCommit: queue.afterCommit,
      generation: queue.generation,
      lastCommit: queue.lastCommit,
      arrival: queue.arrival,
      learnedCommit: queue.learnedCommit,
      changedSince: (reads, generation) => database.writtenRows.changedSince(reads, generation),
      probe: probe(database)
    }),
    Context.add(ObjectStore, sqliteObjects(queue, database.connections)),
    Context.add(BlobStore, sqliteBlobs(queue, database.connections, new BlobFolder(`${options.filename}-blobs`))),
    Context.add(SearchIndex, sqliteSearchIndex(queue, database)),
    Context.add(HostTables, hostTables(queue, database))
  )
})

/**
 * Interval and maximum number of further attempts of the health check while another process writes: two seconds in
 * total.
 */
const probePause = Schedule.spaced("50 millis")
const probes = 40

/**
 * Checks that the database can be read and written, by reading and updating a row of `lectern_probe`. Runs outside of
 * the queue, since each commit of the queue advances `generation`, by which caches are invalidated. Each attempt is
 * synchronous, so no transaction of the queue runs meanwhile.
 */
const probe = (database: SqliteDatabase) =>
  Effect.try({ try: () => database.transactions.probe(), catch: storageFailure }).pipe(
    Effect.retry({ schedule: probePause, times: probes, while: ({ reason }) => reason === "unavailable" })
  )

const repositories = (queue: TransactionQueue.TransactionQueue, database: SqliteDatabase) => {
  const tables = new Map<Table, SqliteTable>()

  const sqliteTable = (table: Table): SqliteTable => {
    const cachedTable = tables.get(table)
    if (cachedTable !== undefined) return cachedTable
    const newTable = new SqliteTable(table, database)
    tables.set(table, newTable)
    return newTable
  }

  return <T extends Table>(table: T): Repository<T> => {
    type Row = Table.Row<T>
    const rows = sqliteTable(table)
    /** A table with an outdated layout is rebuilt before the first read. */
    const read = <A>(
      run: (isInTransaction: boolean) => A,
      addReads: (reads: Reads) => void
    ): Effect.Effect<A, StorageError> => {
      const recordReads = (reads: Reads) => {
        database.writtenRows.trackTable(table)
        addReads(reads)
      }
      const reading = queue.read(run, recordReads)
      if (rows.isLayoutFinal) return reading
      return Effect.flatMap(
        queue.read(() => rows.isStale(), recordReads),
        (isStale) =>
          isStale
            ? Effect.andThen(
                queue.write(() => rows.prepare()),
                reading
              )
            : reading
      )
    }
    return {
      get: (key) =>
        read(
          (isInTransaction) => rows.get(isInTransaction, key) as Row | undefined,
          (reads) => reads.addRow(table, key)
        ),
      getMany: (keys) =>
        read(
          (isInTransaction) => keys.map((key) => rows.get(isInTransaction, key) as Row | undefined),
          (reads) => reads.addRows(table, keys)
        ),
      list: (query) =>
        read(
          (isInTransaction) => rows.list(isInTransaction, query) as ReadonlyArray<Row>,
          (reads) => reads.addList(table, query.where)
        ),
      count: (where) =>
        read(
          (isInTransaction) => rows.count(isInTransaction, where),
          (reads) => reads.addList(table, where)
        ),
      insert: (row) => queue.writeUnique(() => void rows.insert(row)),
      append: (rowAfter) => queue.write(() => rows.append(rowAfter)),
      update: (where, patch) => queue.writeUnique(() => rows.update(where, patch)),
      remove: (where) => queue.write(() => rows.remove(where))
    }
  }
}

type Ports = Storage | ObjectStore | BlobStore | SearchIndex | SecretKey

const layerOf = (allOptions: StorageOptions): Layer.Layer<Ports | HostTables, StorageError> => {
  checkOptions(storageOptionNames, allOptions)
  const { secretKey, ...options } = allOptions
  return Layer.merge(
    Layer.effectContext(make(options)),
    Layer.succeed(SecretKey, secretKey ?? secretKeyFile(options.filename))
  )
}

export const SqliteStorage = {
  /** Creates the layer of a database. Throws `InvalidInput` for an unknown option. */
  layer: layerOf as (options: StorageOptions) => Layer.Layer<Ports, StorageError>,
  /** Like `layer`, with the service for tables of the host in the database (see `HostTables`). */
  withHostTables: layerOf
}
