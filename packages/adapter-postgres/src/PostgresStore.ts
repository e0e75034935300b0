/** Ports of the storage over PostgreSQL (see `PostgresStorage`). */
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import type { Condition } from "@lectern/core/storage/Condition"
import { type ObjectHash, ObjectStore, rejectIllFormed } from "@lectern/core/storage/ObjectStore"
import { type FetchRequest, type FetchResult, Overlay } from "@lectern/core/storage/Overlay"
import { PendingChanges } from "@lectern/core/storage/PendingChanges"
import type { Reads } from "@lectern/core/storage/Reads"
import { stored } from "@lectern/core/storage/Row"
import * as Search from "@lectern/core/storage/SearchIndex"
import { type Query, type Repository, Storage, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import type { CommitOutcome } from "@lectern/core/storage/TransactionEngine"
import * as TransactionQueue from "@lectern/core/storage/TransactionQueue"
import { WrittenRows } from "@lectern/core/storage/WrittenRows"
import { Clock, Context, Effect } from "effect"
import { Commits } from "./commits/Commits.ts"
import type { Connections } from "./connections/Connections.ts"
import { storageFailure } from "./connections/PostgresFailure.ts"
import { Requests } from "./Requests.ts"
import { type SearchLookup, searchStatements, type SpaceChanges } from "./search/SearchQueries.ts"
import { takeSnapshot } from "./Snapshots.ts"
import type { Lookup } from "./tables/RowQueries.ts"
import { Tables } from "./tables/Tables.ts"
import { hashesLookup, type ValueRow, valueStatements, valueTable, type ValueTable } from "./tables/ValueTable.ts"

/** Runs a promise. A rejection that is no `StorageError` is a defect. */
const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.callback((resume) => {
    run().then(
      (value) => resume(Effect.succeed(value)),
      (thrown: unknown) => resume(thrown instanceof StorageError ? Effect.fail(thrown) : Effect.die(thrown))
    )
  })

/** Maximum size of fetched data (see `Overlay`): about 100 MiB, since a transaction may read a blob of 64 MiB. */
const maxFetched = 100_000

const hashCondition = ({ hash }: { readonly hash: string }) => ({ hash }) as unknown as Condition<Table>

/**
 * Creates the ports. `schema`: quoted name of the schema, which has all tables of the adapter. `onCommit` is called before
 * each commit. If it throws, the commit fails. For tests.
 */
export const makeStore = Effect.fnUntraced(function* (connections: Connections, schema: string, onCommit: () => void) {
  const tables = new Tables(connections, schema)
  const values = { object: valueTable(schema, "object"), blob: valueTable(schema, "blob") }
  const valueTables = new Map([values.object, values.blob].map((value) => [value.table, value]))
  const requestsOf = new Requests(tables, schema, [values.object, values.blob])
  const commits = new Commits(connections, tables, schema, onCommit)
  const first = yield* attempt(async () => {
    await tables.load()
    return takeSnapshot(connections, schema, 0, [])
  })
  const writtenRows = new WrittenRows()
  const overlay = new Overlay(first.generation, writtenRows, maxFetched)
  const searchChanges = new PendingChanges<SpaceChanges>()

  /** Takes a snapshot and learns of the commits since the last one. */
  const lookUp = async (lookups: ReadonlyArray<Lookup<unknown>>) => {
    const snapshot = await takeSnapshot(connections, schema, overlay.generation, lookups)
    overlay.learn(snapshot.commits)
    return snapshot
  }

  const fetch = async (requests: ReadonlyArray<FetchRequest>): Promise<ReadonlyArray<FetchResult>> => {
    await tables.prepare(requestsOf.tablesOf(requests))
    const { lookups, read } = requestsOf.plan(requests)
    const { generation, values } = await lookUp(lookups)
    return read(values).map((value, i) => {
      const request = requests[i]!
      return overlay.add(request, value, generation)
    })
  }

  const commit = async (reads: ReadonlyArray<Reads>): Promise<CommitOutcome> => {
    const { appended, rows, undone } = overlay.writes()
    const generation = overlay.generation
    const changes = searchChanges.take()
    const isWriting = rows.length > 0 || appended.length > 0 || changes.length > 0
    const isValue = ({ table }: { readonly table: Table }) => valueTables.has(table)
    const undoneRows = undone.filter((write) => !isValue(write))
    if (!isWriting && undoneRows.length === 0) return commitReads(generation, reads)
    const others = isWriting
      ? [
          ...(await Promise.all(
            [...valueTables.values()].map((value) =>
              valueStatements(
                value,
                rows.filter(({ table }) => table === value.table)
              )
            )
          )),
          searchStatements(schema, changes)
        ].flat()
      : []
    const request = {
      generation,
      reads,
      rows: rows.filter((write) => !isValue(write)),
      appended,
      undone: undoneRows,
      others,
      otherRows: rows.filter(isValue)
    }
    const response = isWriting ? await commits.commit(request) : await commits.validate(request)
    if (response.outcome === "missing") {
      const { lookups, read } = requestsOf.planTaken([...undoneRows, ...request.rows], request.rows)
      const { generation, values } = await lookUp(lookups)
      for (const [taken, result] of read(values)) overlay.add(taken, result, generation)
      return "missing"
    }
    overlay.learn(response.commits)
    if (response.outcome === "outdated") return "outdated"
    if (response.outcome === "valid") overlay.rollback()
    else overlay.commit(response.generation, response.appendedRows)
    return "committed"
  }

  /** Ends a group that writes nothing: its reads must be valid at one moment. */
  const commitReads = async (generation: number, reads: ReadonlyArray<Reads>): Promise<CommitOutcome> => {
    const { commits } = await lookUp([])
    const hasRead = (read: Reads, tags: ReadonlyArray<string>) => {
      const readTags = new Set(read.tags)
      return tags.some((tag) => readTags.has(tag))
    }
    const isOutdated = commits
      .filter((commit) => commit.generation > generation)
      .some(({ tags }) => reads.some((read) => tags === undefined || read.isEverything || hasRead(read, tags)))
    if (isOutdated) return "outdated"
    overlay.rollback()
    return "committed"
  }

  const queue = yield* TransactionQueue.make({
    begin: () => {},
    savepoint: (depth) => {
      overlay.savepoint(depth)
      searchChanges.savepoint(depth)
    },
    release: () => {},
    rollbackTo: (depth) => {
      overlay.rollbackTo(depth)
      searchChanges.rollbackTo(depth)
    },
    check: () => {},
    rollback: () => {
      overlay.rollback()
      searchChanges.rollback()
    },
    generation: () => overlay.generation,
    failure: (thrown) => (thrown instanceof StorageError || thrown instanceof UniqueConflict ? thrown : undefined),
    remote: {
      start: (reads) => overlay.start(reads),
      fetch: (done) =>
        void fetch(overlay.takeRequests()).then(
          () => done(),
          (thrown: unknown) => done(storageFailure(thrown))
        ),
      commit: (reads, done) => void commit(reads).then(done, (thrown: unknown) => done(storageFailure(thrown))),
      learn: (done) =>
        void lookUp([]).then(
          () => done(),
          (thrown: unknown) => done(storageFailure(thrown))
        )
    }
  })

  const requestAll = <A>(requests: ReadonlyArray<FetchRequest>): Effect.Effect<ReadonlyArray<A>, StorageError> =>
    requests.length === 0 ? Effect.succeed([]) : attempt(() => fetch(requests) as Promise<ReadonlyArray<A>>)
  const requestOne = <A>(request: FetchRequest) => Effect.map(requestAll<A>([request]), ([result]) => result as A)

  /** Requests results that are not kept, since they may be large. */
  const requestUncached = <A>(requests: ReadonlyArray<FetchRequest>): Effect.Effect<ReadonlyArray<A>, StorageError> =>
    attempt(async () => {
      const { lookups, read } = requestsOf.plan(requests)
      return read((await lookUp(lookups)).values) as ReadonlyArray<A>
    })

  const repository = <T extends Table>(table: T): Repository<T> => {
    type Row = Table.Row<T>
    /** Records written rows of the table one by one, since a cache may depend on it. */
    const read = <A>(
      run: () => A,
      addReads: (reads: Reads) => void,
      outside: Effect.Effect<A, StorageError>
    ): Effect.Effect<A, StorageError> =>
      queue.read(
        run,
        (reads) => {
          writtenRows.trackTable(table)
          addReads(reads)
        },
        outside
      )
    return {
      get: (key) =>
        read(
          () => overlay.get(table, key) as Row | undefined,
          (reads) => reads.addRow(table, key),
          requestOne({ type: "row", table, key })
        ),
      getMany: (keys) =>
        read(
          () => overlay.getMany(table, keys) as ReadonlyArray<Row | undefined>,
          (reads) => reads.addRows(table, keys),
          requestAll(keys.map((key) => ({ type: "row", table, key })))
        ),
      list: (query) =>
        read(
          () => overlay.list(table, query) as ReadonlyArray<Row>,
          (reads) => reads.addList(table, query.where),
          requestOne({ type: "list", table, query })
        ),
      count: (where) =>
        read(
          () => overlay.count(table, where),
          (reads) => reads.addList(table, where),
          requestOne({ type: "count", table, where })
        ),
      insert: (row) => queue.writeUnique(() => overlay.insert(table, stored(table, row))),
      append: (rowAfter) => queue.write(() => overlay.append(table, rowAfter)),
      update: (where, patch) => queue.writeUnique(() => overlay.update(table, where, patch)),
      remove: (where) => queue.write(() => overlay.remove(table, where))
    }
  }

  const immutable = () => {}

  /** Creates the operations that objects and blobs share. */
  const byHash = <Hash extends string, V extends ValueRow["value"]>(valueTable: ValueTable, copy: (value: V) => V) => {
    const { table } = valueTable
    const valueOf = (row: unknown) => (row === undefined ? undefined : copy((row as { readonly value: V }).value))
    /** Inserts a value without a fetch. If it exists, the commit sets its time only. */
    const put = (row: ValueRow) => {
      try {
        overlay.insert(table, row)
      } catch (thrown) {
        if (!(thrown instanceof UniqueConflict)) throw thrown
        overlay.update(table, hashCondition(row), { writtenAt: row.writtenAt })
      }
    }
    return {
      put: (values: ReadonlyArray<readonly [Hash, V]>) =>
        Effect.flatMap(Clock.currentTimeMillis, (writtenAt) =>
          queue.write(() => {
            for (const [, value] of values) if (typeof value === "string") rejectIllFormed(value)
            const rows = new Map(values.map(([hash, value]) => [hash, Object.freeze({ hash, value, writtenAt })]))
            for (const row of rows.values()) put(row)
          })
        ),
      get: (hashes: ReadonlyArray<Hash>) => {
        const keys = hashes.map((hash) => ({ hash }))
        return queue.read(
          () => overlay.getMany(table, keys).map(valueOf),
          immutable,
          Effect.map(requestUncached(keys.map((key) => ({ type: "row", table, key }))), (rows) => rows.map(valueOf))
        )
      },
      list: ({ after, limit }: { readonly after?: Hash; readonly limit: number }) => {
        const where = after === undefined ? {} : { hash: { gt: after } }
        const query = { where, limit } as Query<Table>
        return queue.read(
          () =>
            overlay.list(table, query).map((row) => {
              const { hash, writtenAt } = row as ValueRow
              return { hash: hash as Hash, writtenAt }
            }),
          undefined,
          attempt(async () => {
            const { values } = await lookUp([hashesLookup(valueTable, after ?? "", limit)])
            return values[0] as ReadonlyArray<{ readonly hash: Hash; readonly writtenAt: number }>
          })
        )
      },
      remove: (hashes: ReadonlyArray<Hash>, writtenBefore: number) =>
        queue.write(() => {
          const keys = [...new Set(hashes)].map((hash) => ({ hash }))
          const rows = overlay.getMany(table, keys) as ReadonlyArray<ValueRow | undefined>
          const old = rows.filter((row) => row !== undefined && row.writtenAt < writtenBefore)
          for (const row of old) overlay.remove(table, hashCondition(row!))
          return old.length
        })
    }
  }
  const objects = byHash<ObjectHash, string>(values.object, (text) => text)
  const blobs = byHash<BlobHash, Uint8Array>(values.blob, (bytes) => bytes.slice())

  const lookup = <A>(payload: SearchLookup) =>
    queue.read(
      () => overlay.readOther<A>("search", payload),
      undefined,
      Effect.map(requestUncached<A>([{ type: "other", name: "search", payload }]), ([result]) => result as A)
    )

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
      probe: attempt(() => probe(connections, schema))
    }),
    Context.add(ObjectStore, {
      put: (values) => objects.put(values.map(({ hash, text }) => [hash, text])),
      get: objects.get,
      list: objects.list,
      remove: objects.remove
    }),
    Context.add(BlobStore, {
      put: (hash, bytes) => Effect.suspend(() => blobs.put([[hash, bytes.slice()]])),
      get: (hash) => Effect.map(blobs.get([hash]), ([bytes]) => bytes),
      list: blobs.list,
      remove: blobs.remove
    }),
    Context.add(Search.SearchIndex, {
      change: (space, changes) =>
        queue.write(() => {
          Search.checkChanges(space, changes)
          searchChanges.add({ space, changes })
        }),
      read: (lookups) => lookup({ method: "read", lookups }),
      similar: (words) => lookup({ method: "similar", words }),
      pagesByNumber: (pages) => lookup({ method: "pagesByNumber", pages }),
      pages: (space, { after = "", limit }) => lookup({ method: "pages", space, after, limit })
    })
  )
})

/** Writes a row that nothing else reads. */
const probe = async (connections: Connections, schema: string): Promise<void> => {
  await connections.read([
    {
      text:
        `INSERT INTO ${schema}.lectern_probe (id, at) VALUES (1, clock_timestamp()) ` +
        "ON CONFLICT (id) DO UPDATE SET at = excluded.at"
    }
  ])
}
