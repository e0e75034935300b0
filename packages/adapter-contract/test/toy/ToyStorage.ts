/**
 * An adapter as small as can be, written by following `docs/guides/write-an-adapter.md`: all there
 * is lies in a few maps, a savepoint is a copy of them, and whoever reads outside a transaction
 * reads the copy that the last commit left. What `keep` is given may outlive the process. It shows
 * that the page is enough, and nothing else.
 */
import { isDeepStrictEqual } from "node:util"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { type ObjectHash, ObjectStore, rejectIllFormed } from "@lectern/core/storage/ObjectStore"
import { isSimilar } from "@lectern/core/storage/SimilarWord"
import * as Search from "@lectern/core/storage/SearchIndex"
import { type Repository, Storage, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import * as TransactionQueue from "@lectern/core/storage/TransactionQueue"
import { Clock, Context, Effect, Layer } from "effect"
import { compare } from "./ToyCondition.ts"
import * as ToyRows from "./ToyRows.ts"

interface Kept<V> {
  readonly value: V
  readonly writtenAt: number
}

interface Found {
  readonly space: string
  readonly page: string
  readonly words: Search.PageWords
  readonly number: number
}

/** All stored data. Values in the maps are immutable, so a copy of the maps is a snapshot. */
interface State {
  readonly tables: Map<string, ToyRows.ToyRows>
  readonly objects: Map<string, Kept<string>>
  readonly blobs: Map<string, Kept<Uint8Array>>
  readonly pages: Map<string, Found>
}

const empty = (): State => ({ tables: new Map(), objects: new Map(), blobs: new Map(), pages: new Map() })

const copy = ({ tables, objects, blobs, pages }: State): State => ({
  tables: new Map([...tables].map(([name, rows]) => [name, new Map(rows)])),
  objects: new Map(objects),
  blobs: new Map(blobs),
  pages: new Map(pages)
})

export interface Options {
  /** Called before each commit. An exception fails the commit. */
  readonly onCommit: () => void
  /** Persists a committed state. Calls are sequential. Default: nothing is persisted. */
  readonly keep?: (committed: State) => Promise<void>
}

const make = Effect.fnUntraced(function* (options: Options) {
  let committed = empty()
  let current = empty()
  let commits = 0
  let kept = Promise.resolve()
  let lost: StorageError | undefined
  /** Rejects all access after a failed write, since memory and the store differ. */
  const refuseLost = () => {
    if (lost !== undefined) throw lost
  }
  const savepoints: Array<State> = []

  const queue = yield* TransactionQueue.make({
    begin: refuseLost,
    savepoint: (depth) => {
      savepoints[depth] = copy(current)
    },
    release: () => {},
    rollbackTo: (depth) => {
      current = savepoints[depth]!
    },
    check: () => {},
    commit: () => {
      options.onCommit()
      if (isDeepStrictEqual(current, committed)) return
      commits++
      const state = (committed = copy(current))
      kept = kept
        .then(() => (lost === undefined ? options.keep?.(state) : undefined))
        .catch((cause: unknown) => {
          lost = new StorageError({ reason: "damaged", message: "What was committed could not be kept", cause })
        })
    },
    flush: (done) => {
      if (options.keep === undefined) done()
      else void kept.then(() => done(lost))
    },
    rollback: () => {
      current = copy(committed)
    },
    generation: () => {
      refuseLost()
      return commits
    },
    failure: (thrown) => (thrown instanceof StorageError || thrown instanceof UniqueConflict ? thrown : undefined)
  })

  const look = <A>(run: (inside: boolean) => A) =>
    queue.read((inside) => {
      refuseLost()
      return run(inside)
    })
  const read = <A>(run: (state: State) => A) => look((inside) => run(inside ? current : committed))

  const rowsOf = (state: State, table: Table): ToyRows.ToyRows => {
    const rows = state.tables.get(table.name) ?? new Map<string, object>()
    state.tables.set(table.name, rows)
    return rows
  }

  const repository = <T extends Table>(table: T): Repository<T> => {
    type Row = Table.Row<T>
    const get = (state: State, key: object) => ToyRows.get(table, rowsOf(state, table), key) as Row | undefined
    return {
      get: (key) => read((state) => get(state, key)),
      getMany: (keys) => read((state) => keys.map((key) => get(state, key))),
      list: (query) => read((state) => ToyRows.list(table, rowsOf(state, table), query) as ReadonlyArray<Row>),
      count: (where) => read((state) => ToyRows.matching(table, rowsOf(state, table), where).length),
      insert: (row) => queue.writeUnique(() => ToyRows.insert(table, rowsOf(current, table), row)),
      append: (rowAfter) => queue.write(() => ToyRows.append(table, rowsOf(current, table), rowAfter)),
      update: (where, patch) => queue.writeUnique(() => ToyRows.update(table, rowsOf(current, table), where, patch)),
      remove: (where) => queue.write(() => ToyRows.remove(table, rowsOf(current, table), where))
    }
  }

  /** Creates the operations that objects and blobs share. */
  const byHash = <Hash extends string, V>(kept: (state: State) => Map<string, Kept<V>>) => ({
    put: (values: ReadonlyArray<readonly [Hash, V]>) =>
      Effect.flatMap(Clock.currentTimeMillis, (writtenAt) =>
        queue.write(() => {
          for (const [, value] of values) if (typeof value === "string") rejectIllFormed(value)
          const map = kept(current)
          for (const [hash, value] of values) map.set(hash, { value: map.get(hash)?.value ?? value, writtenAt })
        })
      ),
    list: ({ after = "", limit }: { readonly after?: string; readonly limit: number }) =>
      read((state) =>
        [...kept(state)]
          .filter(([hash]) => hash > after)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([hash, { writtenAt }]) => ({ hash: hash as Hash, writtenAt }))
      ),
    remove: (hashes: ReadonlyArray<Hash>, writtenBefore: number) =>
      queue.write(() => {
        const map = kept(current)
        const isOld = (hash: Hash) => (map.get(hash)?.writtenAt ?? Infinity) < writtenBefore
        return hashes.filter((hash) => isOld(hash) && map.delete(hash)).length
      })
  })

  const objects = byHash<ObjectHash, string>((state) => state.objects)
  const blobs = byHash<BlobHash, Uint8Array>((state) => state.blobs)

  let pagesSeen = 0
  const changePage = (space: string, { page, words }: Search.SearchChange) => {
    const key = JSON.stringify([space, page])
    const number = current.pages.get(key)?.number ?? pagesSeen++
    if (words === undefined) current.pages.delete(key)
    else current.pages.set(key, { space, page, words, number })
  }

  // Uncommitted changes are only in `current`, and the port hides them.
  const pagesOf = (space: string) => [...committed.pages.values()].filter((found) => found.space === space)

  const entriesOf = (pages: ReadonlyArray<Found>, { word, match }: Search.Lookup): Search.Entries =>
    Search.noEntries.map((_, level) =>
      pages
        .filter(({ words }) =>
          words[level]?.some((known) => (match === "whole" ? known === word : word !== "" && known.startsWith(word)))
        )
        .map(({ number }) => number)
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
      // Correct but imprecise: every commit may have changed every read.
      changedSince: () => true,
      probe: look(() => {})
    }),
    Context.add(ObjectStore, {
      ...objects,
      put: (values) => objects.put(values.map(({ hash, text }) => [hash, text])),
      get: (hashes) => read((state) => hashes.map((hash) => state.objects.get(hash)?.value))
    }),
    Context.add(BlobStore, {
      ...blobs,
      put: (hash, bytes) => Effect.suspend(() => blobs.put([[hash, bytes.slice()]])),
      get: (hash) => read((state) => state.blobs.get(hash)?.value.slice())
    }),
    Context.add(Search.SearchIndex, {
      change: (space, changes) =>
        queue.write(() => {
          Search.checkChanges(space, changes)
          for (const change of changes) changePage(space, change)
        }),
      read: (asked) =>
        look(() =>
          asked.map(({ space, lookups, hidden }) => {
            const pages = pagesOf(space).filter(({ page }) => !hidden.has(page))
            return { pages: pages.length, entries: lookups.map((lookup) => entriesOf(pages, lookup)) }
          })
        ),
      similar: (words) =>
        look(() =>
          words.map(({ space, word }) => {
            const known = new Set(pagesOf(space).flatMap(({ words }) => words.flat()))
            return [...known]
              .filter((other) => isSimilar(other, word))
              .sort(compare)
              .slice(0, Search.maxSimilarWords)
          })
        ),
      pagesByNumber: (pages) =>
        look(() => {
          // Numbers are unique over all spaces.
          const known = new Map([...committed.pages.values()].map((found) => [found.number, found]))
          return pages.map(({ space, number }) => {
            const found = known.get(number)
            return found?.space === space ? found.page : undefined
          })
        }),
      pages: (space, { after = "", limit }) =>
        look(() =>
          pagesOf(space)
            .map(({ page }) => page)
            .filter((page) => page > after)
            .sort()
            .slice(0, limit)
        )
    })
  )
})

export const layer = (
  options: Options
): Layer.Layer<Storage | ObjectStore | BlobStore | Search.SearchIndex | SecretKey> =>
  Layer.merge(Layer.effectContext(make(options)), Layer.fresh(SecretKey.layerInMemory))
