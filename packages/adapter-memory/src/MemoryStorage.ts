/**
 * Stores Lectern in memory: rows, objects, blobs and the search index. One transaction covers them all. For tests,
 * trials, and embedding without persistence.
 *
 * A store can be reset to an earlier state (see `Checkpoints`).
 *
 * Limits: data is lost when the process ends. A query without a key scans its table. A transaction runs immediately, so
 * fibers interleave less than over a store that waits.
 */
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { ObjectStore } from "@lectern/core/storage/ObjectStore"
import { PendingChanges } from "@lectern/core/storage/PendingChanges"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { type Repository, Storage, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import type { SynchronousEngine } from "@lectern/core/storage/TransactionEngine"
import * as TransactionQueue from "@lectern/core/storage/TransactionQueue"
import type { Reads } from "@lectern/core/storage/Reads"
import { WrittenRows } from "@lectern/core/storage/WrittenRows"
import { Context, Effect, Layer } from "effect"
import { Checkpoints, checkpoints } from "./Checkpoints.ts"
import { Journal } from "./JournaledMap.ts"
import { memoryBlobs, memoryObjects } from "./MemoryObjects.ts"
import { MemorySearch, type SpaceChanges } from "./MemorySearchIndex.ts"
import { MemoryTable } from "./MemoryTable.ts"

export interface Options {
  /**
   * True to run the body of each transaction twice, as a store over a network may. A body that has an effect other than
   * through the store dies with `TransactionMisuse`. For tests. Default: false.
   */
  readonly rerunBodies?: boolean
  /** Called before each commit. An exception fails the commit. For tests and measurements. */
  readonly onCommit?: (transactions: number) => void
}

export const storageOptionNames: OptionNames<Options> = { rerunBodies: true, onCommit: true }

const make = Effect.fnUntraced(function* (options: Options) {
  const journal = new Journal()
  const searchChanges = new PendingChanges<SpaceChanges>()
  const search = new MemorySearch()
  const writtenRows = new WrittenRows()
  const queue = yield* TransactionQueue.make(engine(journal, searchChanges, search, writtenRows, options), {
    immediate: true,
    rerunBodies: options.rerunBodies ?? false
  })
  const tables = new Map<string, { readonly table: Table; readonly rows: MemoryTable }>()

  const rowsOf = (table: Table): MemoryTable => {
    const existing = tables.get(table.name)
    if (existing !== undefined && existing.table === table) return existing.rows
    if (existing !== undefined) journal.outdate()
    const rows =
      existing === undefined ? new MemoryTable(table, journal, writtenRows) : existing.rows.withTable(table, journal)
    tables.set(table.name, { table, rows })
    return rows
  }

  const repository = <T extends Table>(table: T): Repository<T> => {
    type Row = Table.Row<T>
    const read = <A>(
      run: (isInTransaction: boolean) => A,
      addReads: (reads: Reads) => void
    ): Effect.Effect<A, StorageError> =>
      queue.read(run, (reads) => {
        writtenRows.trackTable(table)
        addReads(reads)
      })
    return {
      get: (key) =>
        read(
          (isInTransaction) => rowsOf(table).get(isInTransaction, key) as Row | undefined,
          (reads) => reads.addRow(table, key)
        ),
      getMany: (keys) =>
        read(
          (isInTransaction) => keys.map((key) => rowsOf(table).get(isInTransaction, key) as Row | undefined),
          (reads) => reads.addRows(table, keys)
        ),
      list: (query) =>
        read(
          (isInTransaction) => rowsOf(table).list(isInTransaction, query) as ReadonlyArray<Row>,
          (reads) => reads.addList(table, query.where)
        ),
      count: (where) =>
        read(
          (isInTransaction) => rowsOf(table).count(isInTransaction, where),
          (reads) => reads.addList(table, where)
        ),
      insert: (row) => queue.writeUnique(() => rowsOf(table).insert(row)),
      append: (rowAfter) => queue.write(() => rowsOf(table).append(rowAfter)),
      update: (where, patch) => queue.writeUnique(() => rowsOf(table).update(where, patch)),
      remove: (where) => queue.write(() => rowsOf(table).remove(where))
    }
  }

  return Context.empty().pipe(
    Context.add(Storage, {
      repository,
      all: queue.all,
      transaction: queue.transaction,
      inSteps: queue.inSteps,
      afterCommit: queue.afterCommit,
      generation: queue.generation,
      lastCommit: queue.lastCommit,
      arrival: queue.arrival,
      learnedCommit: queue.learnedCommit,
      changedSince: (reads, generation) => writtenRows.changedSince(reads, generation),
      probe: Effect.void
    }),
    Context.add(ObjectStore, memoryObjects(queue, journal)),
    Context.add(BlobStore, memoryBlobs(queue, journal)),
    Context.add(SearchIndex, search.service(queue, searchChanges)),
    Context.add(Checkpoints, checkpoints(queue, journal, search, searchChanges, writtenRows))
  )
})

const engine = (
  journal: Journal,
  searchChanges: PendingChanges<SpaceChanges>,
  search: MemorySearch,
  writtenRows: WrittenRows,
  options: Options
): SynchronousEngine => {
  const savepoints: Array<number> = []
  let commits = 0
  return {
    generation: () => commits,
    begin: () => {},
    savepoint: (depth) => {
      savepoints[depth] = journal.length
      searchChanges.savepoint(depth)
    },
    release: () => {},
    rollbackTo: (depth) => {
      journal.rollbackTo(savepoints[depth] ?? 0)
      searchChanges.rollbackTo(depth)
    },
    check: () => {},
    commit: (transactions) => {
      options.onCommit?.(transactions)
      const committedChanges = searchChanges.take()
      if (journal.length > 0 || committedChanges.length > 0) commits++
      journal.commit()
      search.apply(committedChanges)
      writtenRows.commit(commits)
    },
    rollback: () => {
      journal.rollbackTo(0)
      searchChanges.rollback()
      writtenRows.rollback()
    },
    uncommitted: () => journal.uncommitted(),
    failure: (thrown) => (thrown instanceof StorageError || thrown instanceof UniqueConflict ? thrown : undefined)
  }
}

type Stores = Storage | ObjectStore | BlobStore | SearchIndex | SecretKey

/** Creates the layer of a store. Throws `InvalidInput` for an unknown option. */
const layerWith = (options: Options): Layer.Layer<Stores | Checkpoints> => {
  checkOptions(storageOptionNames, options)
  return Layer.merge(Layer.effectContext(make(options)), Layer.fresh(SecretKey.layerInMemory))
}

const layer: Layer.Layer<Stores> = layerWith({})

/** A store for tests, whose bodies run twice (see `Options.rerunBodies`). */
const testLayer: Layer.Layer<Stores> = layerWith({ rerunBodies: true })

export const MemoryStorage = { layer, layerWith, testLayer }
