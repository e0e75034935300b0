/**
 * Tables of the host in the database of Lectern, so that one transaction covers both:
 *
 * ```ts
 * yield* storage.transaction(
 *   Effect.gen(function* () {
 *     const space = yield* spaces.create(organization, { title: "Handbook" })
 *     yield* sql.run("INSERT INTO customer (id, space) VALUES (?, ?)", 42, space.id)
 *   })
 * )
 * ```
 *
 * Outside of a transaction, each write is one of its own, and reads see committed data. Statements are checked (see
 * `HostStatement`): tables of Lectern can't be used, and neither can pragmas, other databases, temporary and virtual
 * tables, and statements for transactions.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import Database from "better-sqlite3"
import { Context, Effect, Schema } from "effect"
import type { Connection } from "../connections/Connection.ts"
import { StatementChecks, StatementRefused } from "./HostStatement.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

/** Value of a parameter or a column. Booleans and dates are not values of SQLite. */
export type SqlValue = string | number | bigint | null | Uint8Array

/** Values of a statement: one for each `?`, or one object with the values of `:name`. */
export type SqlValues = ReadonlyArray<SqlValue> | readonly [Readonly<Record<string, SqlValue>>]

/** Raised if a statement of the host is refused, or SQLite rejects it. The statement changed nothing. */
export class SqlFailed extends Schema.TaggedError<SqlFailed>()("SqlFailed", {
  /** `REFUSED`, or SQLite's code, such as `SQLITE_CONSTRAINT_UNIQUE`. Other mistakes have `SQLITE_ERROR`. */
  code: Schema.String,
  message: Schema.String
}) {}

/** Result of a write. */
export interface SqlResult {
  /** Number of inserted, updated or deleted rows. */
  readonly changes: number
  readonly lastInsertRowid: number | bigint
}

type Failure = SqlFailed | StorageError

export class HostTables extends Context.Service<
  HostTables,
  {
    /** Runs a statement that writes rows or changes the schema. */
    readonly run: (sql: string, ...values: SqlValues) => Effect.Effect<SqlResult, Failure>
    /** Returns the rows of a statement that reads. */
    readonly all: <Row = Record<string, SqlValue>>(
      sql: string,
      ...values: SqlValues
    ) => Effect.Effect<ReadonlyArray<Row>, Failure>
    /** Returns the first row of a statement that reads, or undefined. */
    readonly get: <Row = Record<string, SqlValue>>(
      sql: string,
      ...values: SqlValues
    ) => Effect.Effect<Row | undefined, Failure>
  }
>()("@lectern/adapter-sqlite/tables/HostTables") {}

/** Codes of errors in a statement or its values. All other errors are failures of the store. */
const statementCodes = /^SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/

/** Converts an error of a statement. Undefined for failures of the store. */
const sqlFailure = (thrown: unknown): SqlFailed | undefined => {
  if (thrown instanceof StatementRefused) return new SqlFailed({ code: "REFUSED", message: thrown.message })
  if (thrown instanceof Database.SqliteError)
    return statementCodes.test(thrown.code) ? new SqlFailed({ code: thrown.code, message: thrown.message }) : undefined
  // Values of the wrong number or type, or several statements.
  return thrown instanceof TypeError || thrown instanceof RangeError
    ? new SqlFailed({ code: "SQLITE_ERROR", message: thrown.message })
    : undefined
}

/** Returns the failure of a statement as a value, since the queue counts thrown errors as failures of the store. */
const attempted = <A>(run: () => A): Effect.Effect<A, SqlFailed> => {
  try {
    return Effect.succeed(run())
  } catch (thrown) {
    const failure = sqlFailure(thrown)
    if (failure === undefined) throw thrown
    return Effect.fail(failure)
  }
}

export const hostTables = (queue: TransactionQueue, { connections }: SqliteDatabase): HostTables["Service"] => {
  const checks = new WeakMap<Connection, StatementChecks>()

  const checksOf = (connection: Connection) => {
    const existing = checks.get(connection) ?? new StatementChecks(connection)
    checks.set(connection, existing)
    return existing
  }

  const write = (sql: string, values: ReadonlyArray<unknown>): SqlResult => {
    const { writer } = connections
    const statementChecks = checksOf(writer)
    const runStatement = () => {
      const { changes, lastInsertRowid } = writer.hostStatement(sql).run(...values)
      return { changes, lastInsertRowid }
    }
    const changesSchema = statementChecks.changesSchema(sql)
    // A statement with `OR FAIL` keeps the rows before its failure.
    return writer.atomically(() => {
      if (!changesSchema) return runStatement()
      const result = statementChecks.guarded(runStatement)
      connections.countSchemaChange()
      return result
    })
  }

  const read = (isInside: boolean, sql: string, values: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
    const connection = isInside ? connections.writer : connections.readingConnection()
    checksOf(connection).changesSchema(sql)
    const statement = connection.hostStatement(sql)
    if (!statement.readonly || !statement.reader) throw new StatementRefused("A statement that writes needs run")
    return statement.all(...values)
  }

  const all = <Row>(sql: string, values: ReadonlyArray<unknown>) =>
    Effect.flatten(queue.read((isInside) => attempted(() => read(isInside, sql, values) as ReadonlyArray<Row>)))

  return HostTables.of({
    run: (sql, ...values) => Effect.flatten(queue.write(() => attempted(() => write(sql, values)))),
    all: <Row>(sql: string, ...values: SqlValues) => all<Row>(sql, values),
    get: <Row>(sql: string, ...values: SqlValues) => Effect.map(all<Row>(sql, values), ([row]) => row)
  })
}
