/**
 * The other end of the connection of a late store: a store in memory that answers requests and commits groups of
 * transactions, as a database would. It keeps the commits of the past with their tags, so that it can tell if what a
 * transaction read has changed.
 */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import {
  type AppendedRow,
  type FetchRequest,
  type LearnedCommit,
  uniqueRequest,
  type WrittenRow
} from "@lectern/core/storage/Overlay"
import { type Reads, rowTagOf } from "@lectern/core/storage/Reads"
import { stored } from "@lectern/core/storage/Row"
import { indexed, matcher, selected } from "@lectern/core/storage/RowQuery"
import { type SearchChange, SearchIndex } from "@lectern/core/storage/SearchIndex"
import { type Query, Storage, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import { addWrittenTags } from "@lectern/core/storage/WrittenRows"
import { Cause, type Context, Effect, Exit, Layer } from "effect"

type Values = Readonly<Record<string, unknown>>

/** Table of immutable values by hash: objects or blobs. The core has no table for them. */
const valueTable = (name: string): Table => ({
  name,
  schema: undefined as never,
  key: ["hash"],
  fields: new Map([["hash", ({ hash }: { readonly hash: string }) => hash]]),
  lists: new Map(),
  indexes: [],
  unique: [],
  sealed: []
})

export const objectTable = valueTable("object/value")
export const blobTable = valueTable("blob/value")

/** Lookup in the search index, as the body of an `other` request. */
export interface SearchLookup {
  readonly method: "read" | "similar" | "pagesByNumber" | "pages"
  readonly parameters: ReadonlyArray<unknown>
}

export interface SpaceChanges {
  readonly space: string
  readonly changes: ReadonlyArray<SearchChange>
}

export interface FetchResponse {
  readonly generation: number
  readonly commits: ReadonlyArray<LearnedCommit>
  readonly answers: ReadonlyArray<Exit.Exit<unknown, StorageError>>
}

export interface CommitRequest {
  /** Identifies the commit, so that it counts once if it is sent again. */
  readonly id: string
  /** Last commit that the client knows of. */
  readonly generation: number
  readonly reads: ReadonlyArray<Reads>
  readonly rows: ReadonlyArray<WrittenRow>
  readonly appended: ReadonlyArray<AppendedRow>
  readonly undone: ReadonlyArray<WrittenRow>
  readonly searchChanges: ReadonlyArray<SpaceChanges>
}

export type CommitResponse =
  | {
      readonly outcome: "committed"
      readonly commits: ReadonlyArray<LearnedCommit>
      /** Undefined if nothing was written. */
      readonly generation: number | undefined
      readonly appendedRows: ReadonlyArray<WrittenRow>
    }
  | { readonly outcome: "outdated"; readonly commits: ReadonlyArray<LearnedCommit> }
  | {
      readonly outcome: "missing"
      readonly commits: ReadonlyArray<LearnedCommit>
      readonly generation: number
      /** Rows that have the key or the unique combinations of new rows. */
      readonly taken: ReadonlyArray<readonly [FetchRequest, unknown]>
    }
  | { readonly outcome: "failed"; readonly failure: StorageError }

export class LateServer {
  generation = 1
  /** Messages that were handled: those that only ask for commits, those that fetch data, and commits. */
  readonly handled = { learn: 0, fetch: 0, commit: 0 }
  readonly #stores: Context.Context<Storage | SearchIndex>
  readonly #commits: Array<LearnedCommit & { readonly tags: ReadonlyArray<string> }> = []
  readonly #values = new Map([objectTable, blobTable].map((table) => [table, new Map<string, object>()]))
  readonly #responses = new Map<string, CommitResponse>()

  private constructor(stores: Context.Context<Storage | SearchIndex>) {
    this.#stores = stores
  }

  static readonly make = (onCommit: () => void) =>
    Effect.map(Layer.build(Layer.fresh(MemoryStorage.layerWith({ onCommit }))), (stores) => new LateServer(stores))

  fetch(known: number, requests: ReadonlyArray<FetchRequest>): FetchResponse {
    this.handled[requests.length === 0 ? "learn" : "fetch"]++
    return {
      generation: this.generation,
      commits: this.#since(known),
      answers: requests.map((request) => Effect.runSyncExit(this.#answer(request)))
    }
  }

  commit(request: CommitRequest, isRefused: boolean): CommitResponse {
    this.handled.commit++
    const previous = this.#responses.get(request.id)
    if (previous !== undefined) return previous
    const response = this.#commit(request, isRefused)
    this.#responses.set(request.id, response)
    return response
  }

  #commit({ generation, reads, ...writes }: CommitRequest, isRefused: boolean): CommitResponse {
    const commits = this.#since(generation)
    const isOutdated = reads.some((read) => commits.some(({ tags }) => hasRead(read, tags)))
    if (isRefused || isOutdated) return { outcome: "outdated", commits }
    const { appended, rows, searchChanges, undone } = writes
    const taken = this.#taken(undone, rows)
    if (taken.length > 0) return { outcome: "missing", commits, generation: this.generation, taken }
    if (rows.length === 0 && appended.length === 0 && searchChanges.length === 0)
      return { outcome: "committed", commits, generation: undefined, appendedRows: [] }
    const exit = Effect.runSyncExit(this.#write(rows, appended, searchChanges))
    if (Exit.isFailure(exit)) {
      const failure = Cause.squash(exit.cause)
      if (failure instanceof UniqueConflict)
        return { outcome: "missing", commits, generation: this.generation, taken: this.#taken(rows, rows) }
      if (failure instanceof StorageError) return { outcome: "failed", failure }
      const message = "The store failed unexpectedly"
      return { outcome: "failed", failure: new StorageError({ reason: "failed", message, cause: failure }) }
    }
    const tags = new Set<string>()
    for (const { table, before, after } of [...rows, ...exit.value]) addWrittenTags(tags, table, before, after)
    this.#commits.push({ generation: ++this.generation, tags: [...tags] })
    return { outcome: "committed", commits, generation: this.generation, appendedRows: exit.value }
  }

  #since(generation: number) {
    return this.#commits.filter((commit) => commit.generation > generation)
  }

  #answer(request: FetchRequest): Effect.Effect<unknown, StorageError> {
    if (request.type === "other") return this.#lookup(request.payload as SearchLookup)
    const { table } = request
    const values = this.#values.get(table)
    const rows = this.#repository(table)
    if (request.type === "row") {
      const { key } = request
      if (values !== undefined) return Effect.sync(() => values.get(key["hash"] as string))
      return Effect.map(rows.get(key as never), (row) => received(table, row))
    }
    const where = request.type === "list" ? request.query.where : request.where
    if (values !== undefined) {
      const matching = [...values.values()].map((row) => indexed(table, row)).filter(matcher(table, where))
      const query: Query<Table> = request.type === "list" ? request.query : { where }
      const listed = selected(table, matching, query).map(({ row }) => row)
      return Effect.succeed(request.type === "list" ? listed : listed.length)
    }
    if (request.type === "count") return rows.count(where)
    return Effect.map(rows.list(request.query), (listed) => listed.map((row) => received(table, row)))
  }

  #lookup({ method, parameters }: SearchLookup): Effect.Effect<unknown, StorageError> {
    return Effect.provideContext(
      Effect.flatMap(SearchIndex, (index) =>
        (index[method] as (...all: Array<any>) => Effect.Effect<unknown, StorageError>)(...parameters)
      ),
      this.#stores
    )
  }

  #repository(table: Table) {
    return Effect.runSync(
      Effect.provideContext(
        Effect.map(Storage, (storage) => storage.repository(table)),
        this.#stores
      )
    )
  }

  /** Writes in one transaction and returns the appended rows. */
  #write(
    rows: ReadonlyArray<WrittenRow>,
    appended: ReadonlyArray<AppendedRow>,
    searchChanges: ReadonlyArray<SpaceChanges>
  ) {
    const inTables = rows.filter(({ table }) => !this.#values.has(table))
    const appendedRows: Array<WrittenRow> = []
    const body = Effect.gen({ self: this }, function* () {
      const index = yield* SearchIndex
      for (const { table, before } of inTables)
        if (before !== undefined) yield* this.#repository(table).remove(keyOf(table, before) as never)
      for (const { table, after } of inTables) if (after !== undefined) yield* this.#repository(table).insert(after)
      for (const { table, rowAfter } of appended) {
        yield* this.#repository(table).append((last) => {
          const after = stored(table, rowAfter(last))
          appendedRows.push({ table, before: undefined, after })
          return after
        })
      }
      for (const { space, changes } of searchChanges) yield* index.change(space, changes)
    })
    const transaction = Effect.flatMap(Storage, (storage) => storage.transaction(body))
    return Effect.provideContext(
      Effect.map(transaction, () => {
        for (const { table, before, after } of rows) {
          const hash = ((after ?? before) as { readonly hash: string }).hash
          if (after === undefined) this.#values.get(table)?.delete(hash)
          else this.#values.get(table)?.set(hash, after)
        }
        return appendedRows
      }),
      this.#stores
    )
  }

  /** Returns the committed rows that have a key or a unique combination of new rows, except rows that are replaced. */
  #taken(
    newRows: ReadonlyArray<WrittenRow>,
    writtenRows: ReadonlyArray<WrittenRow>
  ): ReadonlyArray<readonly [FetchRequest, unknown]> {
    if (newRows.length === 0) return []
    const replaced = new Set(
      writtenRows.flatMap(({ table, before }) => (before === undefined ? [] : [rowTagOf(table, before as Values)]))
    )
    return newRows.flatMap(({ table, after, before }) => {
      if (after === undefined) return []
      const key: ReadonlyArray<FetchRequest> =
        before === undefined ? [{ type: "row", table, key: keyOf(table, after) }] : []
      const requests = [...key, ...table.unique.map((fields) => uniqueRequest(table, fields, after))]
      return requests.flatMap((request): ReadonlyArray<readonly [FetchRequest, unknown]> => {
        const answer = Effect.runSync(this.#answer(request))
        const row = request.type === "list" ? (answer as ReadonlyArray<object>)[0] : (answer as object | undefined)
        return row === undefined || replaced.has(rowTagOf(table, row as Values)) ? [] : [[request, answer]]
      })
    })
  }
}

const hasRead = (reads: Reads, tags: ReadonlyArray<string>): boolean => {
  if (reads.isEverything) return true
  const names = new Set(reads.tags)
  return tags.some((tag) => names.has(tag))
}

const keyOf = (table: Table, row: object): Values =>
  Object.fromEntries(table.key.map((field: string) => [field, (row as Values)[field]]))

/** Returns a row as a client receives it: another object for each answer. */
const received = (table: Table, row: object | undefined): object | undefined =>
  row === undefined ? undefined : stored(table, JSON.parse(JSON.stringify(row)) as object)
