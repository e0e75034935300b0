/**
 * Opens Lectern on a SQLite file, for hosts without Effect (see `EmbeddedLectern`).
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db" })
 * ```
 */
import type { Actor } from "@lectern/core/access/Actor"
import * as EmbeddedLectern from "@lectern/core/EmbeddedLectern"
import { type EmbeddedTransaction, stepRunnerOf } from "@lectern/core/EmbeddedTransaction"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { checkOptions, type OptionNames, partitionOptions } from "@lectern/core/schema/OptionNames"
import { StorageError } from "@lectern/core/storage/Storage"
import type { Extension } from "@lectern/core/Extension"
import { promised, type Run } from "@lectern/core/Promised"
import { Context, Effect, Layer, Redacted } from "effect"
import { NodeCipher } from "./NodeCipher.ts"
import { NodeHasher } from "./NodeHasher.ts"
import { SqliteStorage, type StorageOptions, storageOptionNames } from "./SqliteStorage.ts"
import { HostTables, type SqlResult, type SqlValue, type SqlValues } from "./tables/HostTables.ts"

/** Options of Lectern and of the database (see `Connections` and `DurableTransactions`). */
export interface OpenOptions<X extends Extension = never>
  extends EmbeddedLectern.OpenOptions<X>, Omit<StorageOptions, "filename" | "secretKey"> {
  /** Path of the database. Created if missing; its folder must exist. */
  readonly file: string
  /**
   * Secret key for encryption: 32 to 256 characters, equal at every start with one database. Default: the key in
   * `<file>-key`, which is created with the database.
   */
  readonly secretKey?: string
}

const { filename: _, ...databaseOptionNames } = storageOptionNames

const optionNames: OptionNames<OpenOptions<Extension>> = {
  file: true,
  ...databaseOptionNames,
  secretKey: true,
  ...EmbeddedLectern.openOptionNames
}

/** The host's own tables in the database (see `HostTables`). Rejects with `SqlFailed`, or `StorageError`. */
export interface Sql {
  /** Runs a statement that writes rows or changes the schema. */
  readonly run: (sql: string, ...values: SqlValues) => Promise<SqlResult>
  /** Returns the rows of a statement that reads. */
  readonly all: <Row = Record<string, SqlValue>>(sql: string, ...values: SqlValues) => Promise<ReadonlyArray<Row>>
  /** Returns the first row of a statement that reads, or undefined. */
  readonly get: <Row = Record<string, SqlValue>>(sql: string, ...values: SqlValues) => Promise<Row | undefined>
}

/** A transaction that also covers the host's own tables. */
export type SqliteTransaction = {
  readonly sql: Sql
  /** Returns the transaction with calls made by a user. */
  readonly as: (actor: string | Actor) => SqliteTransaction
} & EmbeddedTransaction

export type SqliteLectern<X extends Extension = never> = {
  /** The host's own tables, outside of a transaction: each write is a transaction of its own. */
  readonly sql: Sql
  /** Returns the instance with calls made by a user, or by an actor such as that of a token. */
  readonly as: (actor: string | Actor) => SqliteLectern<X>
  /** Runs a function in one transaction (see `EmbeddedLectern`), which covers the host's own tables. */
  readonly transaction: <A>(
    body: (tx: SqliteTransaction) => Promise<A>,
    options?: EmbeddedLectern.TransactionOptions
  ) => Promise<A>
} & EmbeddedLectern.EmbeddedLectern<X>

const promisedSql = (tables: HostTables["Service"], run: Run<never>): Sql =>
  promised("sql", tables, run) as unknown as Sql

const withSql = <X extends Extension>(
  lectern: EmbeddedLectern.EmbeddedLectern<X>,
  tables: HostTables["Service"]
): SqliteLectern<X> => {
  const inTransaction = (tx: EmbeddedTransaction): SqliteTransaction => ({
    ...tx,
    sql: promisedSql(tables, stepRunnerOf(tx)),
    as: (actor) => inTransaction(tx.as(actor))
  })
  return {
    ...lectern,
    sql: promisedSql(tables, lectern.run),
    as: (actor: string | Actor) => withSql(lectern.as(actor), tables),
    transaction: <A>(body: (tx: SqliteTransaction) => Promise<A>, options?: EmbeddedLectern.TransactionOptions) =>
      lectern.transaction((tx) => body(inTransaction(tx)), options)
  }
}

/**
 * Opens a database and Lectern on it. With `readonly`, no background work runs. Rejects with `InvalidInput`
 * for an unknown option, and with a `StorageError` if `file` is missing or cannot be opened.
 */
export const open = async <X extends Extension = never>(options: OpenOptions<X>): Promise<SqliteLectern<X>> => {
  checkOptions(optionNames, options)
  const { file, secretKey, ...otherOptions } = options
  if (typeof file !== "string" || file === "") {
    const message = 'SqliteLectern.open needs the option file, the path of the database: open({ file: "lectern.db" })'
    throw new StorageError({ reason: "failed", message })
  }
  const [storageOptions, lecternOptions] = partitionOptions(storageOptionNames, otherOptions)
  let tables: HostTables["Service"]
  const storage = SqliteStorage.withHostTables({
    ...storageOptions,
    filename: file,
    ...(secretKey !== undefined && { secretKey: SecretKey.fromKeys(Redacted.make(secretKey)) })
  }).pipe(Layer.tap((stores) => Effect.sync(() => (tables = Context.get(stores, HostTables)))))
  const lectern = await EmbeddedLectern.open(storage, {
    hasher: NodeHasher.layer,
    cipher: NodeCipher.layer,
    background: storageOptions.readonly !== true,
    ...lecternOptions
  })
  return withSql(lectern, tables!)
}
