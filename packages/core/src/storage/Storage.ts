/**
 * Storage port: tables of rows, and transactions over them. An adapter implements the port once, for all tables. The
 * suites of `@lectern/adapter-contract` specify each operation.
 *
 * Rows are plain JSON and are returned unchanged, without decoding. Services validate rows before they write them. Text
 * that is not well-formed Unicode, or contains NUL, is rejected with a `StorageError` (`invalid-row`, see `Row`).
 *
 * Transactions are serializable and run one after another. A read outside a transaction sees committed rows only and
 * never waits for a writer.
 */
import { Context, Effect, Equal, Schema } from "effect"
import type { Condition } from "./Condition.ts"
import type { Arrival } from "./LearnedCommits.ts"
import type { Reads } from "./Reads.ts"
import type { Scalar, Table } from "./Table.ts"

/** Raised if a row with the same key, or with the same values in a unique combination, already exists. */
export class UniqueConflict extends Schema.TaggedError<UniqueConflict>()("UniqueConflict", {
  table: Schema.String,
  fields: Schema.Array(Schema.String)
}) {}

/**
 * Turns a `UniqueConflict` into a defect. For writes whose unique fields were just generated, or do not change: no
 * input can cause a conflict.
 */
export const cannotConflict = <A, E, R>(write: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    write,
    (error): error is Extract<E, UniqueConflict> => error instanceof UniqueConflict,
    (conflict) => Effect.die(conflict)
  )

/**
 * Raised if the store fails. The transaction is rolled back, even if its body catches the error.
 *
 * - `unavailable`: the store cannot be reached, or was locked for longer than the busy timeout
 * - `contended`: in each run of the transaction, other processes changed data that it read. Run it again later
 * - `busy`: too many computations or writes wait (see `Threads`)
 * - `full`: no disk space is left
 * - `read-only`: the store accepts no writes
 * - `invalid-row`: the row cannot be stored (ill-formed Unicode, not JSON)
 * - `newer-version`: a newer version of Lectern wrote the data
 * - `other-format`: the data holds documents in a format that this version of Lectern does not read
 * - `damaged`: the data is missing, was replaced, or is corrupt
 * - `lease-lost`: the caller worked under a lease that another holder has claimed (see `Fence`)
 * - `failed`: any other failure, see `cause`
 */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  reason: Schema.Literals([
    "unavailable",
    "contended",
    "busy",
    "full",
    "read-only",
    "invalid-row",
    "newer-version",
    "other-format",
    "damaged",
    "lease-lost",
    "failed"
  ]),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Duration from which the body of a transaction is logged as slow (ms). */
export const slowTransaction = 250

/** Duration after which a transaction is rolled back (ms). */
export const transactionLimit = 5_000

/** Raised as a defect if code misuses a transaction. No input can cause it. */
export class TransactionMisuse extends Error {
  override readonly name = "TransactionMisuse"
}

export interface Query<T> {
  readonly where: Condition<T>
  /** Fields to order by. The fields of the key follow. Default: the key only. */
  readonly order?: T extends Table<any, any, infer Field, any, any> ? ReadonlyArray<Field> : never
  /** True to reverse the order of every field. Default: false. */
  readonly descending?: boolean
  /** Order values of the last row of the previous page (see `orderValues`). Only rows after it are returned. */
  readonly after?: ReadonlyArray<Scalar>
  readonly limit?: number
}

/** Fields to change. A field set to `undefined` is removed from the row. */
export type Patch<Row> = { readonly [K in keyof Row]?: Row[K] | undefined }

/**
 * True if a patch changes a field of the row. Otherwise the service writes nothing, emits no event, and keeps the time
 * of the last change.
 */
export const hasChanges = <Row extends object>(row: Row, patch: Patch<Row>): boolean =>
  Object.entries(patch).some(([field, value]) => !Equal.equals((row as Record<string, unknown>)[field], value))

/** Conflicts that an update of a table can raise: none if only the key is unique. */
export type UpdateConflict<T> = [T extends Table<any, any, any, any, infer Unique> ? Unique : string] extends [never]
  ? never
  : UniqueConflict

export interface Repository<T extends Table> {
  /**
   * Returns a row. The object is frozen. As long as the row is unchanged and in the memory of the store, `get` and
   * `getMany` return this object again.
   */
  readonly get: (key: Table.Key<T>) => Effect.Effect<Table.Row<T> | undefined, StorageError>
  /** Returns the rows in the order of the keys. A missing row is undefined. */
  readonly getMany: (
    keys: ReadonlyArray<Table.Key<T>>
  ) => Effect.Effect<ReadonlyArray<Table.Row<T> | undefined>, StorageError>
  readonly list: (query: Query<T>) => Effect.Effect<ReadonlyArray<Table.Row<T>>, StorageError>
  readonly count: (where: Condition<T>) => Effect.Effect<number, StorageError>
  readonly insert: (row: Table.Row<T>) => Effect.Effect<void, UniqueConflict | StorageError>
  /**
   * Inserts a row after all rows that were committed before. `rowAfter` receives the greatest value of the last field of
   * the key, or undefined if the table is empty, and returns a row with a greater value (see `Ids.following`). It is a
   * pure function: a store may call it at the commit, when the order of transactions is decided. So a body does not
   * depend on the last row. For tables whose rows are only appended and removed.
   */
  readonly append: (rowAfter: (last: string | undefined) => Table.Row<T>) => Effect.Effect<void, StorageError>
  /**
   * Patches the matching rows and returns their number. With a guard in `where` it is a compare-and-set. Key fields
   * cannot be patched, so a table without `unique` has no conflicts. A conflict leaves all rows unchanged.
   */
  readonly update: (
    where: Condition<T>,
    patch: Patch<Table.Row<T>>
  ) => Effect.Effect<number, UpdateConflict<T> | StorageError>
  /** Removes the matching rows and returns their number. */
  readonly remove: (where: Condition<T>) => Effect.Effect<number, StorageError>
}

/** Runs one step of a transaction that waits between its steps (see `Storage.inSteps`). */
export type Step = <A, E, R>(part: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>

export class Storage extends Context.Service<
  Storage,
  {
    /**
     * Returns the repository of a table. A new table needs no preparation. A write outside a transaction is a
     * transaction of its own.
     */
    readonly repository: <T extends Table>(table: T) => Repository<T>
    /**
     * Runs effects in order, like `Effect.all`. A transaction over a remote store fetches the data that all of them miss
     * with one message. For effects that do not depend on each other. Outside of a transaction only for reads, which a
     * remote store receives at the same time.
     */
    readonly all: <const Effects extends ReadonlyArray<Effect.Effect<any, any, any>>>(
      effects: Effects
    ) => Effect.All.Return<Effects, {}>
    /**
     * Runs the body as one transaction. Others see its writes when it succeeds; a failure, a defect or an interruption
     * rolls them back. A nested transaction can be rolled back separately (savepoint). The writes are durable when the
     * effect completes.
     *
     * A body may run more than once before its commit: it has no effect except through this port, and reads the time from
     * `Clock` and random values from `Ids`, which return the same values in each run. The hooks of the last run count.
     *
     * The body may wait only for this port. A body that waits for a timer, a promise or another fiber dies with
     * `TransactionMisuse`. So does a fiber forked in the body that uses the port, and any use after the end. A
     * transaction longer than `transactionLimit` fails with `StorageError`.
     */
    readonly transaction: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
    /**
     * Runs the body as one transaction in steps. Between steps the body may wait, for example for a promise of the
     * host. Each step runs like the body of `transaction`, sees the writes of earlier steps, and is rolled back
     * separately if it fails. Work outside of steps is not part of the transaction.
     *
     * All other writes wait until the body ends. After `transactionLimit` the transaction is rolled back and fails with
     * `StorageError`, even if the body never ends. A step that waits, a step after the end, and nesting inside another
     * transaction are `TransactionMisuse`. The effect cannot be interrupted while it waits in the queue.
     */
    readonly inSteps: <A, E, R>(body: (step: Step) => Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
    /**
     * Runs the effect after the enclosing transaction commits, before its caller continues. It does not run after a
     * rollback. Outside a transaction it runs immediately. For caches, wake-ups and events. The effect cannot fail and
     * must not write.
     */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
    /**
     * Number that changes with each commit by this process or another. A transaction without changes leaves it
     * unchanged. Covers all commits that were acknowledged before the call, or before `CurrentArrival` if a request set
     * it. A remote store reports them in response to a message, which concurrent calls share. Undefined inside a
     * transaction, which sees its own writes.
     *
     * A cache that validates by `generation` records its reads, and reads `generation` with `untracked`. Otherwise it
     * counts as a read of everything (see `Reads`).
     */
    readonly generation: Effect.Effect<number | undefined, StorageError>
    /** Like `generation`. Inside a transaction, the number of the last commit before it. */
    readonly lastCommit: Effect.Effect<number, StorageError>
    /** Returns the current point in time, for `CurrentArrival`. Undefined if `learnedCommit` needs none. */
    readonly arrival: () => Arrival | undefined
    /**
     * Returns `lastCommit` at once, outside of transactions. Undefined if this process does not know all commits that
     * were acknowledged before the arrival, or if the store fails: `lastCommit` then learns of them, or fails. A store in
     * the process knows them always. Undefined as arrival: now.
     */
    readonly learnedCommit: (arrival: Arrival | undefined) => number | undefined
    /**
     * True if a commit after this generation, or a transaction that is not committed yet, may have changed one of the
     * reads. Covers commits up to the last result of `generation`, `lastCommit` or `learnedCommit`. Unknown writes count
     * as changes.
     */
    readonly changedSince: (reads: Reads, generation: number) => boolean
    /**
     * Health check: reads and writes, and fails if reads or writes would fail. Leaves no data, and does not change
     * `generation`.
     */
    readonly probe: Effect.Effect<void, StorageError>
  }
>()("@lectern/core/storage/Storage") {}

/** Returns the order values of a row, for `Query.after`. */
export const orderValues = <T extends Table>(table: T, query: Query<T>, row: Table.Row<T>): ReadonlyArray<Scalar> =>
  orderFields(table, query.order).map((field) => table.fields.get(field)!(row))

/** Returns all fields that a query orders by, including the key. */
export const orderFields = <T extends Table>(
  table: T,
  order: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => [
  ...(order ?? []),
  ...table.key.filter((field) => order === undefined || !order.includes(field))
]
