/**
 * A store that answers late: each message to its server and back takes at least one turn of the event loop, and suffers
 * from `Faults`. For tests of everything that a store over a network may do. It is the smallest complete adapter of this
 * kind (see `docs/guides/write-an-adapter.md`).
 *
 * A client sends a message again if there is no response after 20 turns, up to 5 times. Then the operation fails with
 * `unavailable`.
 */
import { SecretKey } from "@lectern/core/identity/SecretKey"
import type { Condition } from "@lectern/core/storage/Condition"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { type ObjectHash, ObjectStore, rejectIllFormed } from "@lectern/core/storage/ObjectStore"
import { type FetchRequest, Overlay } from "@lectern/core/storage/Overlay"
import { PendingChanges } from "@lectern/core/storage/PendingChanges"
import type { Reads } from "@lectern/core/storage/Reads"
import { stored } from "@lectern/core/storage/Row"
import * as Search from "@lectern/core/storage/SearchIndex"
import { type Query, type Repository, Storage, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import type { CommitOutcome } from "@lectern/core/storage/TransactionEngine"
import * as TransactionQueue from "@lectern/core/storage/TransactionQueue"
import { WrittenRows } from "@lectern/core/storage/WrittenRows"
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { type FaultOptions, Faults } from "./Faults.ts"
import {
  blobTable,
  type CommitRequest,
  type CommitResponse,
  type FetchResponse,
  LateServer,
  objectTable,
  type SearchLookup,
  type SpaceChanges
} from "./LateServer.ts"

export interface Options extends FaultOptions {
  /** Called before each commit of the server. An exception fails the commit. */
  readonly onCommit?: () => void
}

const turnsToResend = 20
const maxAttempts = 6

const afterTurns = (turns: number, run: () => void): void => {
  setImmediate(() => (turns <= 1 ? run() : afterTurns(turns - 1, run)))
}

/** Sends a message until there is a response. */
const send = <A>(faults: Faults, respond: () => A, done: (response: A | StorageError) => void, attempt = 1): void => {
  let isAnswered = false
  const answer = (response: A) => {
    isAnswered = true
    done(response)
  }
  const sent = faults.arrival()
  if (sent !== undefined) {
    afterTurns(sent, () => {
      const response = respond()
      const returned = faults.arrival()
      if (returned === undefined) return
      afterTurns(returned, () => answer(response))
      if (faults.isRepeated()) afterTurns(returned + 1, () => answer(response))
    })
  }
  afterTurns(turnsToResend, () => {
    if (isAnswered) return
    if (attempt < maxAttempts) return send(faults, respond, done, attempt + 1)
    done(new StorageError({ reason: "unavailable", message: "The store does not answer" }))
  })
}

const keyOf = (row: object) => ({ hash: (row as { readonly hash: string }).hash }) as unknown as Condition<Table>

let clients = 0

/** Connects a client to a server. */
const connect = Effect.fnUntraced(function* (server: LateServer, faults: Faults) {
  const writtenRows = new WrittenRows()
  const overlay = new Overlay(server.generation, writtenRows)
  const searchChanges = new PendingChanges<SpaceChanges>()
  const client = clients++
  let commits = 0

  /** Sends requests, and passes the answers to `done`. */
  const fetch = (
    requests: ReadonlyArray<FetchRequest>,
    done: (answers: FetchResponse["answers"] | StorageError) => void
  ) =>
    send(
      faults,
      () => server.fetch(overlay.generation, requests),
      (response) => {
        if (response instanceof StorageError) return done(response)
        overlay.learn(response.commits)
        done(
          response.answers.map((answer, i) =>
            Exit.map(answer, (value) => overlay.add(requests[i]!, value, response.generation))
          )
        )
      }
    )

  const learn = (done: (failure?: StorageError) => void) =>
    fetch([], (answers) => done(answers instanceof StorageError ? answers : undefined))

  const fetchMissing = (done: (failure?: StorageError) => void) =>
    fetch(overlay.takeRequests(), (answers) => done(answers instanceof StorageError ? answers : undefined))

  const commit = (reads: ReadonlyArray<Reads>, done: (outcome: CommitOutcome) => void) => {
    const { rows, appended, undone } = overlay.writes()
    const request: CommitRequest = {
      id: `${client}/${commits++}`,
      generation: overlay.generation,
      reads,
      rows,
      appended,
      undone,
      searchChanges: searchChanges.take()
    }
    const isRefused = faults.isRefused()
    let isDone = false
    send(
      faults,
      () => server.commit(request, isRefused),
      (response) => {
        if (isDone) return
        isDone = true
        done(response instanceof StorageError ? response : onResponse(response))
      }
    )
  }

  const onResponse = (response: CommitResponse): CommitOutcome => {
    if (response.outcome === "failed") return response.failure
    overlay.learn(response.commits)
    if (response.outcome === "outdated") return "outdated"
    if (response.outcome === "missing") {
      for (const [request, row] of response.taken) overlay.add(request, row, response.generation)
      return "missing"
    }
    faults.onCommitted()
    if (response.generation === undefined) overlay.rollback()
    else overlay.commit(response.generation, response.appendedRows)
    return "committed"
  }

  // The real clock, since a transaction pauses after refused commits, and no test advances its clock for that.
  const realClock = Context.get(Context.empty(), Clock.Clock)
  const queue = yield* Effect.provideService(
    TransactionQueue.make({
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
        start: (reads) => {
          if (faults.isForgotten()) overlay.dropAll()
          overlay.start(reads)
        },
        fetch: fetchMissing,
        commit,
        learn
      }
    }),
    Clock.Clock,
    realClock
  )

  /** Asks the server, for a read outside of transactions. */
  const ask = <A>(requests: ReadonlyArray<FetchRequest>): Effect.Effect<ReadonlyArray<A>, StorageError> =>
    requests.length === 0
      ? Effect.succeed([])
      : Effect.callback((resume) =>
          fetch(requests, (answers) => {
            if (answers instanceof StorageError) return resume(Effect.fail(answers))
            resume(Effect.forEach(answers as ReadonlyArray<Exit.Exit<A, StorageError>>, (answer) => answer))
          })
        )
  const askOne = <A>(request: FetchRequest) => Effect.map(ask<A>([request]), ([answer]) => answer as A)

  const repository = <T extends Table>(table: T): Repository<T> => {
    type Row = Table.Row<T>
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
          askOne({ type: "row", table, key })
        ),
      getMany: (keys) =>
        read(
          () => overlay.getMany(table, keys) as ReadonlyArray<Row | undefined>,
          (reads) => reads.addRows(table, keys),
          ask(keys.map((key) => ({ type: "row", table, key })))
        ),
      list: (query) =>
        read(
          () => overlay.list(table, query) as ReadonlyArray<Row>,
          (reads) => reads.addList(table, query.where),
          askOne({ type: "list", table, query })
        ),
      count: (where) =>
        read(
          () => overlay.count(table, where),
          (reads) => reads.addList(table, where),
          askOne({ type: "count", table, where })
        ),
      insert: (row) => queue.writeUnique(() => overlay.insert(table, stored(table, row))),
      append: (rowAfter) => queue.write(() => overlay.append(table, rowAfter)),
      update: (where, patch) => queue.writeUnique(() => overlay.update(table, where, patch)),
      remove: (where) => queue.write(() => overlay.remove(table, where))
    }
  }

  const immutable = () => {}

  /** Creates the operations that objects and blobs share. */
  const byHash = <Hash extends string, V>(table: Table, read: (value: V) => V) => {
    const valueOf = (row: unknown) => (row === undefined ? undefined : read((row as { readonly value: V }).value))
    const writtenAtOf = (row: object) => (row as { readonly writtenAt: number }).writtenAt
    return {
      put: (values: ReadonlyArray<readonly [Hash, V]>) =>
        Effect.flatMap(Clock.currentTimeMillis, (writtenAt) =>
          queue.write(() => {
            for (const [, value] of values) if (typeof value === "string") rejectIllFormed(value)
            const rows = new Map(values.map(([hash, value]) => [hash, { hash, value, writtenAt }]))
            const existing = overlay.getMany(table, [...rows.values()])
            for (const [i, row] of [...rows.values()].entries()) {
              if (existing[i] === undefined) overlay.insert(table, Object.freeze(row))
              else overlay.update(table, keyOf(row), { writtenAt })
            }
          })
        ),
      get: (hashes: ReadonlyArray<Hash>) => {
        const keys = hashes.map((hash) => ({ hash }))
        return queue.read(
          () => overlay.getMany(table, keys).map(valueOf),
          immutable,
          Effect.map(ask(keys.map((key) => ({ type: "row", table, key }))), (rows) => rows.map(valueOf))
        )
      },
      list: ({ after, limit }: { readonly after?: Hash; readonly limit: number }) => {
        const where = after === undefined ? {} : { hash: { gt: after } }
        const query = { where, limit } as Query<Table>
        const summaries = (rows: ReadonlyArray<object>) =>
          rows.map((row) => ({ hash: (row as { readonly hash: Hash }).hash, writtenAt: writtenAtOf(row) }))
        return queue.read(
          () => summaries(overlay.list(table, query)),
          undefined,
          Effect.map(askOne<ReadonlyArray<object>>({ type: "list", table, query }), summaries)
        )
      },
      remove: (hashes: ReadonlyArray<Hash>, writtenBefore: number) =>
        queue.write(() => {
          const rows = overlay.getMany(
            table,
            [...new Set(hashes)].map((hash) => ({ hash }))
          )
          const old = rows.filter((row) => row !== undefined && writtenAtOf(row) < writtenBefore)
          for (const row of old) overlay.remove(table, keyOf(row!))
          return old.length
        })
    }
  }
  const objects = byHash<ObjectHash, string>(objectTable, (text) => text)
  const blobs = byHash<BlobHash, Uint8Array>(blobTable, (bytes) => bytes.slice())

  const lookup = <A>(method: SearchLookup["method"], ...parameters: SearchLookup["parameters"]) => {
    const request: SearchLookup = { method, parameters }
    return queue.read(
      () => overlay.readOther<A>("search", request),
      undefined,
      askOne<A>({ type: "other", name: "search", payload: request })
    )
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
      probe: Effect.callback<void, StorageError>((resume) =>
        learn((failure) => resume(failure === undefined ? Effect.void : Effect.fail(failure)))
      )
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
      read: (lookups) => lookup("read", lookups),
      similar: (words) => lookup("similar", words),
      pagesByNumber: (pages) => lookup("pagesByNumber", pages),
      pages: (space, options) => lookup("pages", space, options)
    })
  )
})

type Stores = Storage | ObjectStore | BlobStore | Search.SearchIndex | SecretKey

/** A server with one client. */
export const layer = (options: Options, faults = new Faults(options)): Layer.Layer<Stores> =>
  Layer.merge(
    Layer.effectContext(
      Effect.flatMap(LateServer.make(options.onCommit ?? (() => {})), (server) => connect(server, faults))
    ),
    Layer.fresh(SecretKey.layerInMemory)
  )

/** A server with two clients. Each client behaves like a process of its own. */
export const serverWithClients = (options: FaultOptions) =>
  Effect.gen(function* () {
    const server = yield* LateServer.make(() => {})
    const secretKey = yield* Layer.build(Layer.fresh(SecretKey.layerInMemory))
    const client = (seed: number) =>
      Effect.map(connect(server, new Faults({ ...options, seed })), (stores) => Context.merge(stores, secretKey))
    return { server, clients: [yield* client(options.seed), yield* client(options.seed + 1)] as const }
  })

export const twoClients = (options: FaultOptions) => Effect.map(serverWithClients(options), ({ clients }) => clients)
