/**
 * Data of a remote store in the memory of one process: results that were fetched, and the uncommitted writes of the open
 * transactions over them. An adapter for a remote store runs the operations of a transaction here (see `RemoteEngine`).
 *
 * - A read returns the fetched result with the writes applied. Without a result it notes its request and throws
 *   `missing`. The adapter fetches all noted requests together (`takeRequests`) and adds the results (`add`).
 * - A result is valid until a row that it depends on is written. It is dropped with a commit of another process (`learn`),
 *   and updated with a commit of this one (`commit`). So all results hold at one commit: `generation`.
 * - A write needs the rows that it changes. An insert needs nothing: it assumes that its key and its unique combinations
 *   are free. If the store finds a row that takes them at the commit, the adapter adds that row, and the body has its
 *   conflict in the next run.
 * - All results have one object for an unchanged row, so caches can compare rows by identity.
 *
 * Limits: 50,000 fetched rows and results by default, least recently used first out. A row with long texts or bytes counts
 * once more for each KiB. A transaction that needs more at once never ends its runs.
 */
import { alternatives, type Condition } from "./Condition.ts"
import { LruCache } from "./LruCache.ts"
import { Reads, rowTagOf } from "./Reads.ts"
import { patchStored, stored } from "./Row.ts"
import { comparison, indexed, type IndexedRow, matcher, selected } from "./RowQuery.ts"
import { type Query, UniqueConflict } from "./Storage.ts"
import type { Table } from "./Table.ts"
import { missing } from "./TransactionEngine.ts"
import { addWrittenTags, WrittenRows } from "./WrittenRows.ts"

type Values = Readonly<Record<string, unknown>>

/** Data to fetch. `other`: data that is not in tables, such as lookups in the search index. */
export type FetchRequest =
  | { readonly type: "row"; readonly table: Table; readonly key: Values }
  | { readonly type: "list"; readonly table: Table; readonly query: Query<Table> }
  | { readonly type: "count"; readonly table: Table; readonly where: Condition<Table> }
  | { readonly type: "other"; readonly name: string; readonly payload: unknown }

/** Result of a request: a row or undefined, rows, a number, or the data of an `other` request. */
export type FetchResult = unknown

/** Commit that this process learns of. `tags`: see `addWrittenTags`; undefined: unknown writes. */
export interface LearnedCommit {
  readonly generation: number
  readonly tags: ReadonlyArray<string> | undefined
}

export interface WrittenRow {
  readonly table: Table
  /** The committed row. Undefined if the row is new. */
  readonly before: object | undefined
  /** Undefined if the row is removed. */
  readonly after: object | undefined
}

export interface AppendedRow {
  readonly table: Table
  readonly rowAfter: (last: string | undefined) => object
}

/** Writes of a group of transactions. `appended` follow `rows`, in order. */
export interface GroupWrites {
  readonly rows: ReadonlyArray<WrittenRow>
  readonly appended: ReadonlyArray<AppendedRow>
  /**
   * Writes that were rolled back or overwritten. If one of them conflicts with a committed row, the group must run again:
   * the result of a body depends on the conflict that it did not have.
   */
  readonly undone: ReadonlyArray<WrittenRow>
}

interface CachedResult {
  readonly request: FetchRequest
  readonly reads: Reads
  /** A list is the first rows of its query. */
  value: unknown
  /** True if a list has all rows of its query. */
  readonly isComplete: boolean
}

/** Uncommitted writes to one table. */
interface TableWrites {
  readonly rows: Map<string, WrittenRow>
  /** Tag of the written row that has the values of a unique combination. */
  readonly unique: Map<string, string>
  readonly appended: Array<AppendedRow>
}

/** Tag under which results are dropped whose reads are unknown. */
const everything = "*"

const noRows: ReadonlyArray<object> = []

export class Overlay {
  readonly #writtenRows: WrittenRows
  readonly #results: LruCache<string, CachedResult>
  /** Keys of the results that a tag invalidates, except rows, whose key is their tag. */
  readonly #keysByTag = new Map<string, Set<string>>()
  readonly #writes = new Map<string, TableWrites>()
  readonly #undo: Array<() => void> = []
  /** Writes that were rolled back or overwritten (see `GroupWrites`). */
  #undoneWrites: Array<WrittenRow> = []
  readonly #savepoints: Array<number> = []
  readonly #requests = new Map<string, FetchRequest>()
  readonly #indexedRows = new WeakMap<Table, WeakMap<object, IndexedRow>>()
  #reads = new Reads()
  #generation: number

  /** `generation`: the last commit of the store when the process starts. */
  constructor(generation: number, writtenRows: WrittenRows, limit = 50_000) {
    this.#generation = generation
    this.#writtenRows = writtenRows
    this.#results = new LruCache(limit, (results) => {
      for (const result of results) this.#unlink(result)
    })
    // The first call starts the recording of writes.
    writtenRows.changedSince(new Reads(), 0)
  }

  /** Commit at which all results hold. */
  get generation(): number {
    return this.#generation
  }

  /** Starts a run of a body, whose reads are recorded. */
  start(reads: Reads): void {
    this.#reads = reads
  }

  // Reads

  get(table: Table, key: Values): object | undefined {
    return this.getMany(table, [key])[0]
  }

  getMany(table: Table, keys: ReadonlyArray<Values>): ReadonlyArray<object | undefined> {
    this.#assignAppended(table)
    const writes = this.#writes.get(table.name)?.rows
    const results = keys.map((key) => {
      const write = writes?.get(rowTagOf(table, key))
      if (write !== undefined) return write.after
      const result = this.#find({ type: "row", table, key })
      return result === undefined ? missing : (result.value as object | undefined)
    })
    if (results.includes(missing)) throw missing
    return results
  }

  list(table: Table, query: Query<Table>): ReadonlyArray<object> {
    const keys = keysOf(table, query.where)
    if (keys === undefined) return this.#list(table, query)
    const rows = this.getMany(table, keys).filter((row) => row !== undefined)
    return selected(table, this.#matching(table, rows, query.where), query).map(({ row }) => row)
  }

  count(table: Table, where: Condition<Table>): number {
    if (keysOf(table, where) !== undefined) return this.list(table, { where }).length
    this.#assignAppended(table)
    const result = this.#find({ type: "count", table, where })
    if (result === undefined) throw missing
    return (result.value as number) + this.#countChange(table, where, this.#writtenIn(table))
  }

  /** Returns data that is not in tables. The reads of the body become a read of everything. */
  readOther<A>(name: string, payload: unknown): A {
    const result = this.#find({ type: "other", name, payload })
    if (result === undefined) throw missing
    return result.value as A
  }

  // Writes

  /** `row`: as `stored` returns it. */
  insert(table: Table, row: object): void {
    this.#index(table, row)
    const tag = rowTagOf(table, row as Values)
    const write = this.#writesOf(table).rows.get(tag)
    const existing = write === undefined ? this.#knownRow({ type: "row", table, key: row as Values }) : write.after
    if (existing !== undefined) throw new UniqueConflict({ table: table.name, fields: table.key })
    this.#checkUnique(table, [row], new Set())
    this.#write(table, tag, write?.before, row)
  }

  append(table: Table, rowAfter: (last: string | undefined) => object): void {
    const { appended } = this.#writesOf(table)
    appended.push({ table, rowAfter })
    this.#writtenRows.addTable(table)
    this.#undo.push(() => void appended.pop())
  }

  update(table: Table, where: Condition<Table>, patch: object): number {
    const rows = this.list(table, { where })
    const changed = rows.map((row) => patchStored(table, row, patch))
    for (const row of changed) this.#index(table, row)
    this.#checkUnique(table, changed, new Set(rows.map((row) => rowTagOf(table, row as Values))))
    for (const [i, row] of rows.entries()) this.#replace(table, row, changed[i])
    return rows.length
  }

  remove(table: Table, where: Condition<Table>): number {
    const rows = this.list(table, { where })
    for (const row of rows) this.#replace(table, row, undefined)
    return rows.length
  }

  savepoint(depth: number): void {
    this.#savepoints[depth] = this.#undo.length
  }

  rollbackTo(depth: number): void {
    this.#undoTo(this.#savepoints[depth] ?? 0)
  }

  rollback(): void {
    this.#undoTo(0)
    this.#undoneWrites = []
    this.#writtenRows.rollback()
  }

  /** Returns the uncommitted writes. */
  writes(): GroupWrites {
    const tables = [...this.#writes.values()]
    return {
      rows: tables.flatMap(({ rows }) => [...rows.values()].filter(({ before, after }) => before !== after)),
      appended: tables.flatMap(({ appended }) => appended),
      undone: this.#undoneWrites
    }
  }

  // Messages of the store

  /** Returns the requests that were missing since the last call. */
  takeRequests(): ReadonlyArray<FetchRequest> {
    const requests = [...this.#requests.values()]
    this.#requests.clear()
    return requests
  }

  /**
   * Adds a result that held at a commit, and returns it. Call `learn` first with all commits up to this one. A result
   * that is older than a commit that concerns it is not kept. Rows are as `stored` returns them.
   */
  add(request: FetchRequest, value: FetchResult, generation: number): FetchResult {
    const reads = readsOf(request)
    if (generation < this.#generation && this.#writtenRows.changedSince(reads, generation)) return value
    if (request.type === "row") return this.#keep(request.table, request.key, value as object | undefined)
    if (request.type !== "list") return this.#set(request, reads, value, true)
    const { table, query } = request
    const rows = (value as ReadonlyArray<object>).map((row) => this.#keep(table, row as Values, row) as object)
    return this.#set(request, reads, rows, query.limit === undefined || rows.length < query.limit)
  }

  /** Drops all results that depend on rows that other processes wrote. Commits that are known already are ignored. */
  learn(commits: ReadonlyArray<LearnedCommit>): void {
    for (const { generation, tags } of commits) {
      if (generation <= this.#generation) continue
      this.#generation = generation
      if (tags === undefined) {
        this.#writtenRows.invalidateAll(generation)
        this.dropAll()
      } else {
        this.#writtenRows.commitOfOther(generation, tags)
        for (const tag of [...tags, everything]) this.#drop(tag)
      }
    }
  }

  /** Drops all results. */
  dropAll(): void {
    this.#results.clear()
    this.#keysByTag.clear()
  }

  /** Completes the commit of the writes. `appendedRows`: the rows that the store made of appended ones. */
  commit(generation: number, appendedRows: ReadonlyArray<WrittenRow>): void {
    const rows = [...this.writes().rows, ...appendedRows]
    this.#writes.clear()
    this.#undo.length = 0
    this.#undoneWrites = []
    // The commit was learned like one of another process, with a later one.
    if (generation <= this.#generation) return this.#writtenRows.rollback()
    this.#generation = generation
    for (const { table, before, after } of appendedRows) this.#writtenRows.addRow(table, before, after)
    this.#writtenRows.commit(generation)
    this.#applyCommitted(rows)
  }

  // Cached results

  /** Returns the result to a request, or notes the request. */
  #find(request: FetchRequest): CachedResult | undefined {
    const key = keyOfRequest(request)
    const result = this.#results.get(key)
    if (result === undefined) {
      if (request.type === "list") matcher(request.table, request.query.where)
      if (request.type === "count") matcher(request.table, request.where)
      if (request.type !== "other") this.#writtenRows.trackTable(request.table)
      this.#requests.set(key, request)
    } else this.#reads.add(result.reads)
    return result
  }

  /** Returns the first row of a request that was answered before, without a fetch. */
  #knownRow(request: FetchRequest): object | undefined {
    const result = this.#results.get(keyOfRequest(request))
    const row = request.type === "list" ? (result?.value as ReadonlyArray<object> | undefined)?.[0] : result?.value
    if (row !== undefined) this.#reads.add(result!.reads)
    return row as object | undefined
  }

  /** Keeps a row, and returns the object that stands for it. */
  #keep(table: Table, key: Values, row: object | undefined): object | undefined {
    const tag = rowTagOf(table, key)
    const result = this.#results.get(tag)
    if (result !== undefined && (result.value === undefined) === (row === undefined)) return result.value as object
    const request: FetchRequest = { type: "row", table, key }
    this.#results.set(tag, { request, reads: readsOf(request), value: row, isComplete: true }, sizeOfRow(row))
    return row
  }

  #set(request: FetchRequest, reads: Reads, value: unknown, isComplete: boolean): unknown {
    const key = keyOfRequest(request)
    this.#remove(key)
    this.#results.set(key, { request, reads, value, isComplete }, sizeOf(value))
    // A result that exceeds the limit is not kept.
    if (this.#results.get(key) === undefined) return value
    for (const tag of tagsOf(reads)) {
      const keys = this.#keysByTag.get(tag) ?? new Set()
      this.#keysByTag.set(tag, keys.add(key))
    }
    return value
  }

  #drop(tag: string): void {
    this.#remove(tag)
    for (const key of this.#keysByTag.get(tag) ?? []) this.#remove(key)
  }

  #remove(key: string): void {
    const result = this.#results.get(key)
    if (result === undefined) return
    this.#results.delete(key)
    this.#unlink(result)
  }

  #unlink({ request, reads }: CachedResult): void {
    if (request.type === "row") return
    const key = keyOfRequest(request)
    for (const tag of tagsOf(reads)) {
      const keys = this.#keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysByTag.delete(tag)
    }
  }

  /** Brings the results to the state after a commit of this process. */
  #applyCommitted(rows: ReadonlyArray<WrittenRow>): void {
    const tags = new Set([everything])
    for (const { table, before, after } of rows) addWrittenTags(tags, table, before, after)
    const rowsByTable = Map.groupBy(rows, ({ table }) => table.name)
    const keys = new Set([...tags].flatMap((tag) => [...(this.#keysByTag.get(tag) ?? [])]))
    for (const key of keys) {
      const result = this.#results.get(key)
      // A list that has grown may have evicted others.
      if (result === undefined) continue
      const { request } = result
      if (request.type === "list") {
        const { table, query } = request
        const writes = new Map(rowsByTable.get(table.name)?.map((row) => [tagOfWrite(row), row]))
        this.#set(request, result.reads, this.#overlaid(table, query, result, writes), result.isComplete)
      } else if (request.type === "count") {
        const { table, where } = request
        result.value = (result.value as number) + this.#countChange(table, where, rowsByTable.get(table.name) ?? [])
      } else this.#remove(key)
    }
    for (const { table, before, after } of rows) {
      const key = (after ?? before) as Values
      this.#results.delete(rowTagOf(table, key))
      this.#keep(table, key, after)
    }
  }

  // Lists

  #list(table: Table, query: Query<Table>): ReadonlyArray<object> {
    if (query.limit !== undefined && query.limit <= 0) return noRows
    this.#assignAppended(table)
    const writes = this.#writes.get(table.name)?.rows
    const result = this.#find({ type: "list", table, query })
    if (result !== undefined) {
      const rows =
        writes === undefined || writes.size === 0
          ? (result.value as ReadonlyArray<object>)
          : this.#overlaid(table, query, result, writes)
      if (result.isComplete || (query.limit !== undefined && rows.length >= query.limit))
        return rows.slice(0, query.limit)
    }
    // The written rows may take the places of as many rows.
    const limit = query.limit !== undefined && { limit: query.limit + (writes?.size ?? 0) }
    const request: FetchRequest = { type: "list", table, query: { ...query, ...limit } }
    this.#requests.set(keyOfRequest(request), request)
    throw missing
  }

  /** Returns the rows of a result with written rows in their places: all rows up to the last one of the result. */
  #overlaid(
    table: Table,
    query: Query<Table>,
    { value, isComplete }: CachedResult,
    writes: ReadonlyMap<string, WrittenRow>
  ): ReadonlyArray<object> {
    const rows = value as ReadonlyArray<object>
    const unwritten = rows.filter((row) => !writes.has(rowTagOf(table, row as Values)))
    const writtenRows = Array.from(writes.values(), ({ after }) => after).filter((row) => row !== undefined)
    const added = this.#matching(table, writtenRows, query.where)
    if (added.length === 0) return unwritten
    const last = rows.at(-1)
    if (!isComplete && last === undefined) return noRows
    const inOrder = comparison(table, query)
    const lastIndexed = last && this.#index(table, last)
    const inRange = isComplete ? added : added.filter((row) => inOrder(row, lastIndexed!) <= 0)
    const candidates = [...unwritten.map((row) => this.#index(table, row)), ...inRange]
    const { limit: _, ...unlimited } = query
    return selected(table, candidates, unlimited).map(({ row }) => row)
  }

  #countChange(table: Table, where: Condition<Table>, rows: Iterable<WrittenRow>): number {
    const matches = matcher(table, where)
    const count = (row: object | undefined) => (row !== undefined && matches(this.#index(table, row)) ? 1 : 0)
    let change = 0
    for (const { before, after } of rows) change += count(after) - count(before)
    return change
  }

  #matching(table: Table, rows: ReadonlyArray<object>, where: Condition<Table>): ReadonlyArray<IndexedRow> {
    return rows.map((row) => this.#index(table, row)).filter(matcher(table, where))
  }

  #index(table: Table, row: object): IndexedRow {
    const rows = this.#indexedRows.get(table) ?? new WeakMap<object, IndexedRow>()
    this.#indexedRows.set(table, rows)
    const existing = rows.get(row)
    if (existing !== undefined) return existing
    const indexedRow = indexed(table, row)
    rows.set(row, indexedRow)
    return indexedRow
  }

  // Uncommitted writes

  #writesOf(table: Table): TableWrites {
    const existing = this.#writes.get(table.name)
    if (existing !== undefined) return existing
    const writes: TableWrites = { rows: new Map(), unique: new Map(), appended: [] }
    this.#writes.set(table.name, writes)
    return writes
  }

  #writtenIn(table: Table): Iterable<WrittenRow> {
    return this.#writes.get(table.name)?.rows.values() ?? []
  }

  #replace(table: Table, row: object, after: object | undefined): void {
    const tag = rowTagOf(table, row as Values)
    const write = this.#writesOf(table).rows.get(tag)
    this.#write(table, tag, write === undefined ? row : write.before, after)
  }

  #write(table: Table, tag: string, before: object | undefined, after: object | undefined): void {
    const writes = this.#writesOf(table)
    const previous = writes.rows.get(tag)
    const write: WrittenRow = { table, before, after }
    this.#setWrite(writes, table, tag, write)
    if (previous !== undefined) this.#noteUndone(previous)
    this.#writtenRows.addRow(table, previous === undefined ? before : previous.after, after)
    this.#undo.push(() => {
      this.#setWrite(writes, table, tag, previous)
      this.#noteUndone(write)
    })
  }

  /** Notes a write whose conflicts the store does not find by its rows, if it can have any. */
  #noteUndone(write: WrittenRow): void {
    if (write.after === undefined || (write.before !== undefined && write.table.unique.length === 0)) return
    this.#undoneWrites.push(write)
  }

  #setWrite(writes: TableWrites, table: Table, tag: string, write: WrittenRow | undefined): void {
    const previous = writes.rows.get(tag)?.after
    for (const fields of table.unique) {
      const combination = previous && this.#combination(table, fields, previous)
      if (combination !== undefined && writes.unique.get(combination) === tag) writes.unique.delete(combination)
    }
    if (write === undefined) writes.rows.delete(tag)
    else writes.rows.set(tag, write)
    if (write?.after === undefined) return
    for (const fields of table.unique) writes.unique.set(this.#combination(table, fields, write.after), tag)
  }

  #undoTo(length: number): void {
    while (this.#undo.length > length) this.#undo.pop()!()
  }

  /** Assigns keys to appended rows, before the body that appended them reads the table. */
  #assignAppended(table: Table): void {
    const appended = this.#writes.get(table.name)?.appended
    if (appended === undefined || appended.length === 0) return
    const field = table.key.at(-1)!
    const lastKey = () => {
      const [last] = this.#list(table, { where: {}, order: [field], descending: true, limit: 1 } as Query<Table>)
      return (last as Record<string, string> | undefined)?.[field]
    }
    const start = this.#undo.length
    const pending = appended.splice(0)
    this.#undo.push(() => void appended.splice(0, appended.length, ...pending))
    try {
      for (const { rowAfter } of pending) this.insert(table, stored(table, rowAfter(lastKey())))
    } catch (thrown) {
      this.#undoTo(start)
      throw thrown
    }
  }

  /** Throws a `UniqueConflict` if rows conflict with each other or with known rows, except those that they replace. */
  #checkUnique(table: Table, rows: ReadonlyArray<object>, replacedTags: ReadonlySet<string>): void {
    const writes = this.#writesOf(table)
    for (const fields of table.unique) {
      const combinations = new Set<string>()
      for (const row of rows) {
        const combination = this.#combination(table, fields, row)
        const holder = writes.unique.get(combination) ?? this.#knownHolder(table, fields, row)
        const isTaken = holder !== undefined && !replacedTags.has(holder)
        if (isTaken || combinations.has(combination)) throw new UniqueConflict({ table: table.name, fields })
        combinations.add(combination)
      }
    }
  }

  /** Returns the tag of a fetched row that has the values of a unique combination, unless it was written since. */
  #knownHolder(table: Table, fields: ReadonlyArray<string>, row: object): string | undefined {
    const holder = this.#knownRow(uniqueRequest(table, fields, row))
    const tag = holder && rowTagOf(table, holder as Values)
    return tag !== undefined && this.#writes.get(table.name)?.rows.has(tag) === true ? undefined : tag
  }

  #combination(table: Table, fields: ReadonlyArray<string>, row: object): string {
    const { scalars } = this.#index(table, row)
    return JSON.stringify([fields, fields.map((field) => scalars.get(field))])
  }
}

/** Returns the request for the row that has the values of a unique combination. */
export const uniqueRequest = (table: Table, fields: ReadonlyArray<string>, row: object): FetchRequest => {
  const where = Object.fromEntries(fields.map((field) => [field, table.fields.get(field)!(row) ?? null]))
  return { type: "list", table, query: { where, limit: 1 } as Query<Table> }
}

/** Returns the size of a row: one, and one for each KiB of its texts and bytes. Nested values are not counted. */
const sizeOfRow = (row: object | undefined): number => {
  let length = 0
  for (const value of Object.values(row ?? {}))
    if (typeof value === "string" || value instanceof Uint8Array) length += value.length
  return 1 + (length >> 10)
}

/** Returns the size of a result: one, and one for each row. */
const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length + 1 : 1)

/** Returns the reads of a request. */
const readsOf = (request: FetchRequest): Reads => {
  if (request.type === "row") return rowReads(request.table, request.key)
  const reads = new Reads()
  if (request.type === "list") reads.addList(request.table, request.query.where)
  else if (request.type === "count") reads.addList(request.table, request.where)
  else reads.addEverything()
  return reads
}

const rowReads = (table: Table, key: Values): Reads => {
  const reads = new Reads()
  reads.addRow(table, key)
  return reads
}

const tagsOf = (reads: Reads): Iterable<string> => (reads.isEverything ? [everything] : reads.tags)

const tagOfWrite = ({ table, before, after }: WrittenRow): string => rowTagOf(table, (after ?? before) as Values)

/** Returns the keys that a condition names, if each of its clauses names a whole key. */
const keysOf = (table: Table, where: Condition<Table>): ReadonlyArray<Values> | undefined => {
  const clauses: ReadonlyArray<Values> = alternatives(where)
  if (!clauses.every((clause) => table.key.every((field) => typeof clause[field] === "string"))) return undefined
  return [...new Map(clauses.map((clause) => [rowTagOf(table, clause), clause])).values()]
}

/** Returns equal texts for requests with equal results. A list has one key for all limits. */
const keyOfRequest = (request: FetchRequest): string => {
  switch (request.type) {
    case "row":
      return rowTagOf(request.table, request.key)
    case "list": {
      const { after, descending = false, order = [], where } = request.query
      return requestKey(["list", request.table.name, where, order, descending, after])
    }
    case "count":
      return requestKey(["count", request.table.name, request.where])
    case "other":
      return requestKey(["other", request.name, request.payload])
  }
}

/** JSON has no NaN and no infinities, which a condition may hold, nor sets. */
const requestKey = (parts: ReadonlyArray<unknown>): string =>
  JSON.stringify(parts, (_, value: unknown) => {
    if (value instanceof Set) return [...value]
    return typeof value === "number" && !Number.isFinite(value) ? { number: String(value) } : value
  })
