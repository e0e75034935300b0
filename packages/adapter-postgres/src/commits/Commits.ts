/**
 * Commits groups of transactions. A commit is one transaction of PostgreSQL, sent as one message: it locks the row of the
 * store, checks that no later commit wrote a row that the group had read, writes, and records the tags of its rows. A
 * check that fails raises an error (division by zero), so that no statement of the message has an effect.
 *
 * Appended rows depend on the last row of their table. The process assumes the last row that it knows of. If another
 * process has appended rows since, the group is sent again in two messages: the first one locks the store and returns the
 * last rows.
 *
 * Each commit has an id. If the connection is lost before the response, the next connection looks for the id. If no
 * commit has it, the id is recorded as void, so that the commit can't happen later, and the group is sent again.
 *
 * Commits are recorded for 10 minutes.
 */
import { randomUUID } from "node:crypto"
import type { AppendedRow, GroupWrites, LearnedCommit, WrittenRow } from "@lectern/core/storage/Overlay"
import type { Reads } from "@lectern/core/storage/Reads"
import { stored } from "@lectern/core/storage/Row"
import type { Table } from "@lectern/core/storage/Table"
import { addWrittenTags } from "@lectern/core/storage/WrittenRows"
import type { Result, Statement } from "../connections/Connection.ts"
import type { Connections, Send } from "../connections/Connections.ts"
import { codeOf, storageFailure } from "../connections/PostgresFailure.ts"
import { Parameters } from "../tables/ConditionSql.ts"
import { encode } from "../tables/Encoding.ts"
import { rowOf } from "../tables/RowQueries.ts"
import { byTable, insertStatement, replacedRows, takenSql, writeStatements } from "../tables/RowWrites.ts"
import type { Tables } from "../tables/Tables.ts"
import { encodeTags, learnedCommits } from "./ChangeTags.ts"

export interface CommitRequest extends GroupWrites {
  /** Last commit that the process has learned of. */
  readonly generation: number
  readonly reads: ReadonlyArray<Reads>
  /** Statements for data that is not in tables of rows, such as changes of the search index. */
  readonly others: ReadonlyArray<Statement>
  /** Written rows that are in `others`. */
  readonly otherRows: ReadonlyArray<WrittenRow>
}

/** The group must run again. See `CommitOutcome`. */
export type Refusal =
  | { readonly outcome: "outdated"; readonly commits: ReadonlyArray<LearnedCommit> }
  | { readonly outcome: "missing" }

export type CommitResponse =
  | Refusal
  | {
      readonly outcome: "committed"
      readonly commits: ReadonlyArray<LearnedCommit>
      readonly generation: number
      readonly appendedRows: ReadonlyArray<WrittenRow>
    }

/** Part of a commit that a statement belongs to. */
type Part = "start" | "check" | "absent" | "write" | "last" | "end"

interface PlannedStatement extends Statement {
  readonly part: Part
}

interface Appended {
  readonly table: Table
  readonly rows: ReadonlyArray<object>
}

const divisionByZero = "22012"
const uniqueViolation = "23505"

/** Number of commits of this process after which outdated records are removed. */
const commitsPerCleanup = 500
const recordedTime = "10 minutes"

export class Commits {
  readonly #connections: Connections
  readonly #tables: Tables
  readonly #schema: string
  readonly #onCommit: () => void
  /** Encoded last key of tables with appended rows, as far as this process knows. */
  readonly #lastKeys = new Map<string, string | undefined>()
  #commits = 0

  /** `schema`: quoted name. `onCommit`: see `openStore`. */
  constructor(connections: Connections, tables: Tables, schema: string, onCommit: () => void) {
    this.#connections = connections
    this.#tables = tables
    this.#schema = schema
    this.#onCommit = onCommit
  }

  /** Rejects with a `StorageError`. */
  async commit(request: CommitRequest): Promise<CommitResponse> {
    const { appended, rows, undone } = request
    await this.#tables.prepare([...rows, ...appended, ...undone].map(({ table }) => table))
    try {
      this.#onCommit()
    } catch (thrown) {
      throw storageFailure(thrown)
    }
    /** Id and appended rows of a commit without a response. */
    let unknown: { readonly id: string; readonly appendedRows: ReadonlyArray<Appended> } | undefined
    return this.#connections.write(async (send) => {
      if (unknown !== undefined) {
        const start = await this.#resolve(send, request.generation, unknown.id)
        if (start !== undefined) return this.#committed(start, unknown.appendedRows)
      }
      const assumed = this.#assumedRows(request)
      if (assumed !== undefined) {
        const id = randomUUID()
        unknown = { id, appendedRows: assumed }
        const response = await this.#sendAtOnce(send, request, id, assumed)
        unknown = undefined
        if (response !== "last") return response
      }
      let isOpen = true
      try {
        const locked = await this.#sendFirst(send, request)
        if ("outcome" in locked) return locked
        const id = randomUUID()
        unknown = { id, appendedRows: locked.appended }
        // The message ends the transaction, also if a statement fails.
        isOpen = false
        const response = await this.#sendSecond(send, request, id, locked)
        unknown = undefined
        return response
      } finally {
        if (isOpen) await send([{ text: "ROLLBACK" }])
      }
    })
  }

  /** Checks the reads and the writes that were undone, of a group that writes nothing. */
  async validate(
    request: CommitRequest
  ): Promise<Refusal | { readonly outcome: "valid"; readonly commits: ReadonlyArray<LearnedCommit> }> {
    await this.#tables.prepare(request.undone.map(({ table }) => table))
    return this.#connections.write(async (send) => {
      const plan: ReadonlyArray<PlannedStatement> = [...this.#start(request), { part: "end", text: "ROLLBACK" }]
      const results = await send(plan)
      const { commits } = startOf(request.generation, results)
      return (this.#failure(request, plan, results) as Refusal | undefined) ?? { outcome: "valid", commits }
    })
  }

  async #sendAtOnce(send: Send, request: CommitRequest, id: string, appended: ReadonlyArray<Appended>) {
    const plan = [
      ...this.#start(request),
      ...this.#writes(request),
      ...appended.flatMap(({ table, rows }) => [this.#isLast(table), this.#insert(table, rows)]),
      ...this.#end(request, id, appended)
    ]
    const results = await send(plan)
    const failure = this.#failure(request, plan, results)
    return failure ?? this.#committed(startOf(request.generation, results), appended)
  }

  async #sendFirst(
    send: Send,
    request: CommitRequest
  ): Promise<CommitResponse | { readonly start: Start; readonly appended: ReadonlyArray<Appended> }> {
    const tables = byTable(request.appended)
    const lastRows = tables.map(([table]): PlannedStatement => {
      const { column, name } = this.#tables.layout(table)
      return { part: "write", text: `SELECT doc FROM ${name} ORDER BY ${column(table.key.at(-1)!)} DESC LIMIT 1` }
    })
    const plan = [...this.#start(request), ...this.#writes(request), ...lastRows]
    const results = await send(plan)
    const failure = this.#failure(request, plan, results)
    if (failure !== undefined) return failure as CommitResponse
    const start = startOf(request.generation, results)
    return {
      start,
      appended: tables.map(([table, appended], i) => {
        const [doc] = results[plan.length - lastRows.length + i]!.rows[0] ?? []
        return appendedRows(table, appended, doc === undefined ? undefined : lastField(table, rowOf(table, doc)))
      })
    }
  }

  async #sendSecond(
    send: Send,
    request: CommitRequest,
    id: string,
    { start, appended }: { readonly start: Start; readonly appended: ReadonlyArray<Appended> }
  ): Promise<CommitResponse> {
    const plan = [...appended.map(({ table, rows }) => this.#insert(table, rows)), ...this.#end(request, id, appended)]
    const results = await send(plan)
    const failure = this.#failure(request, plan, results)
    return (failure as CommitResponse | undefined) ?? this.#committed(start, appended)
  }

  /** Finds out if a commit counted. Otherwise declares it void and returns undefined. */
  async #resolve(send: Send, generation: number, id: string): Promise<Start | undefined> {
    const { store, change } = this.#names
    const results = await send([
      { text: "BEGIN" },
      { text: `SELECT seq, floor FROM ${store} FOR UPDATE` },
      {
        text:
          `WITH void AS (INSERT INTO ${change} (seq, id) SELECT seq + 1, $1 FROM ${store} ` +
          `ON CONFLICT (id) DO NOTHING RETURNING seq) UPDATE ${store} AS s SET seq = void.seq FROM void`,
        values: [id]
      },
      { text: `SELECT seq FROM ${change} WHERE id = $1 AND tags IS NOT NULL`, values: [id] },
      this.#changes(generation),
      { text: "COMMIT" }
    ])
    for (const { error } of results) if (error !== undefined) throw storageFailure(error)
    const [seq] = results[3]!.rows[0] ?? []
    if (seq === undefined) return undefined
    const state = results[1]!.rows[0] as unknown as readonly [number, number]
    const commits = learnedCommits(generation, state, results[4]!)
    return { generation: seq as number, commits: commits.filter((commit) => commit.generation < (seq as number)) }
  }

  get #names() {
    return { store: `${this.#schema}.lectern_store`, change: `${this.#schema}.lectern_change` }
  }

  #changes(generation: number): Statement {
    return { text: `SELECT seq, tags FROM ${this.#names.change} WHERE seq > $1 ORDER BY seq`, values: [generation] }
  }

  /** Locks the store, returns the commits since the last known one, and checks the reads. */
  #start({ generation, reads, rows, undone }: CommitRequest): ReadonlyArray<PlannedStatement> {
    const { store, change } = this.#names
    const start: ReadonlyArray<PlannedStatement> = [
      { part: "start", text: "BEGIN ISOLATION LEVEL READ COMMITTED" },
      { part: "start", text: `UPDATE ${store} SET seq = seq + 1 RETURNING seq - 1, floor` },
      { part: "start", ...this.#changes(generation) }
    ]
    const parameters = new Parameters()
    const later = `seq > ${parameters.add(generation, "bigint")}`
    const recorded = `(SELECT floor FROM ${store}) <= $1::bigint`
    const isEverything = reads.some((read) => read.isEverything)
    const tags = isEverything ? [] : encodeTags(new Set(reads.flatMap((read) => [...read.tags])))
    const isRead = isEverything ? later : `${later} AND tags && ${parameters.add(tags, "text[]")}`
    const checks: Array<PlannedStatement> = []
    if (isEverything || tags.length > 0) {
      const text = `SELECT 1 / (${recorded} AND NOT EXISTS (SELECT FROM ${change} WHERE ${isRead}))::int`
      checks.push({ part: "check", text, values: parameters.values })
    }
    const replaced = new Map(byTable(rows).map(([table, writes]) => [table.name, replacedRows(writes)]))
    for (const [table, writes] of byTable(undone)) {
      const parameters = new Parameters()
      const layout = this.#tables.layout(table)
      const taken = takenSql(table, layout, writes, replaced.get(table.name) ?? [], parameters)
      const text = `SELECT 1 / (NOT EXISTS (SELECT FROM ${layout.name} WHERE ${taken}))::int`
      checks.push({ part: "absent", text, values: parameters.values })
    }
    return [...start, ...checks]
  }

  #writes({ others, rows }: CommitRequest): ReadonlyArray<PlannedStatement> {
    const statements = byTable(rows).flatMap(([table, writes]) =>
      writeStatements(table, this.#tables.layout(table), writes)
    )
    return [...statements, ...others].map((statement) => ({ part: "write", ...statement }))
  }

  /** Checks that the last row of a table is the assumed one. */
  #isLast(table: Table): PlannedStatement {
    const { column, name } = this.#tables.layout(table)
    const last = `(SELECT max(${column(table.key.at(-1)!)}) FROM ${name})`
    const values = [this.#lastKeys.get(table.name) ?? null]
    return { part: "last", text: `SELECT 1 / (${last} IS NOT DISTINCT FROM $1::text)::int`, values }
  }

  #insert(table: Table, rows: ReadonlyArray<object>): PlannedStatement {
    return { part: "write", ...insertStatement(table, this.#tables.layout(table), rows) }
  }

  #end(
    { otherRows, rows }: CommitRequest,
    id: string,
    appended: ReadonlyArray<Appended>
  ): ReadonlyArray<PlannedStatement> {
    const { store, change } = this.#names
    const tags = new Set<string>()
    for (const { table, before, after } of [...rows, ...otherRows, ...writtenRows(appended)])
      addWrittenTags(tags, table, before, after)
    const record = `INSERT INTO ${change} (seq, id, tags) SELECT seq, $1, $2::text[] FROM ${store}`
    const cleanup =
      `WITH removed AS (DELETE FROM ${change} WHERE at < clock_timestamp() - interval '${recordedTime}' RETURNING seq) ` +
      `UPDATE ${store} SET floor = greatest(floor, (SELECT max(seq) FROM removed))`
    const isCleanupDue = ++this.#commits % commitsPerCleanup === 0
    return [
      ...(isCleanupDue ? [{ part: "end", text: cleanup } as const] : []),
      { part: "end", text: record, values: [id, encodeTags(tags)] },
      { part: "end", text: "COMMIT" }
    ]
  }

  /** Returns the outcome of a message with a failed statement. Throws a `StorageError` for unexpected failures. */
  #failure(
    { generation }: CommitRequest,
    plan: ReadonlyArray<PlannedStatement>,
    results: ReadonlyArray<Result>
  ): Refusal | "last" | undefined {
    const at = results.findIndex(({ error }) => error !== undefined)
    if (at === -1) return undefined
    const { error } = results[at]!
    const code = codeOf(error)
    const { part } = plan[at]!
    if (part === "check" && code === divisionByZero) {
      const { commits } = startOf(generation, results)
      return { outcome: "outdated", commits }
    }
    if (part === "absent" && code === divisionByZero) return { outcome: "missing" }
    if (part === "last" && code === divisionByZero) return "last"
    if (part === "write" && code === uniqueViolation) return { outcome: "missing" }
    throw storageFailure(error)
  }

  #committed({ commits, generation }: Start, appended: ReadonlyArray<Appended>): CommitResponse {
    for (const { table, rows } of appended) this.#lastKeys.set(table.name, this.#encodedLast(table, rows.at(-1)!))
    return { outcome: "committed", commits, generation, appendedRows: writtenRows(appended) }
  }

  #encodedLast(table: Table, row: object): string {
    return encode(lastField(table, row), this.#tables.layout(table).limit)
  }

  /**
   * Returns the rows that are appended if the last known rows are still the last ones. Undefined if they can't be: rows
   * of the table are also written by key.
   */
  #assumedRows({ appended, rows }: CommitRequest): ReadonlyArray<Appended> | undefined {
    const result: Array<Appended> = []
    for (const [table, group] of byTable(appended)) {
      const isWritten = rows.some((row) => row.table.name === table.name)
      const lastKey = this.#lastKeys.get(table.name)
      // A long key is not its own encoding, so it can't be assumed.
      const last = lastKey?.slice(1)
      if (isWritten || last === undefined || encode(last, this.#tables.layout(table).limit) !== lastKey)
        return undefined
      result.push(appendedRows(table, group, last))
    }
    return result
  }
}

interface Start {
  readonly commits: ReadonlyArray<LearnedCommit>
  /** Number of this commit. */
  readonly generation: number
}

/** Returns the results of the statements of a start. */
const startOf = (known: number, results: ReadonlyArray<Result>): Start => {
  const [seq, floor] = results[1]!.rows[0] as unknown as readonly [number, number]
  return { commits: learnedCommits(known, [seq, floor], results[2]!), generation: seq + 1 }
}

const lastField = (table: Table, row: object): string => (row as Record<string, string>)[table.key.at(-1)!]!

const appendedRows = (table: Table, appended: ReadonlyArray<AppendedRow>, last: string | undefined): Appended => {
  const rows: Array<object> = []
  let previous = last
  for (const { rowAfter } of appended) {
    const row = stored(table, rowAfter(previous))
    rows.push(row)
    previous = lastField(table, row)
  }
  return { table, rows }
}

const writtenRows = (appended: ReadonlyArray<Appended>): ReadonlyArray<WrittenRow> =>
  appended.flatMap(({ table, rows }) => rows.map((after) => ({ table, before: undefined, after })))
