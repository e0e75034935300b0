/**
 * The storage port: tables of rows and transactions over them. An adapter implements it once for
 * every table there will ever be; `@lectern/adapter-contract` holds the suites that say what each
 * operation promises.
 *
 * Rows are plain JSON and come back as they were stored: there is no decoding. What a row must
 * satisfy is checked by the services before they write it. Text that is not well-formed Unicode or
 * holds NUL is refused with a `StorageError` whose reason is `invalid-row` (see `Row`).
 *
 * Transactions are serialisable and run strictly one after another. A read outside a transaction
 * sees committed rows only and never waits for a writer.
 */
import { Context, Effect, Equal, Schema } from "effect"
import type { Condition } from "./Condition.ts"
import type { Reads } from "./Reads.ts"
import type { Scalar, Table } from "./Table.ts"

/** A row with the same values in a unique combination (or the same key) is there already. */
export class UniqueConflict extends Schema.TaggedError<UniqueConflict>()("UniqueConflict", {
  table: Schema.String,
  fields: Schema.Array(Schema.String)
}) {}

/**
 * For a write whose unique fields were made for it just now, or stay as they are: that they are
 * taken can't come from input, so it is a defect.
 */
export const cannotConflict = <A, E, R>(write: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    write,
    (error): error is Extract<E, UniqueConflict> => error instanceof UniqueConflict,
    (conflict) => Effect.die(conflict)
  )

/**
 * The store could not do it. Nothing of the transaction it happened in is kept, whoever catches it.
 *
 * - `unavailable`: it can't be reached, or is busy for longer than it was told to wait
 * - `busy`: too much is waiting to be computed before it could be (see `Threads`)
 * - `full`: there is no room left
 * - `read-only`: it does not take writes
 * - `invalid-row`: the row can't be stored (ill-formed Unicode, not JSON)
 * - `newer-version`: the data was written by a newer version of Lectern
 * - `other-format`: the data holds documents in another form than this version of Lectern reads
 * - `damaged`: the data is gone, is not the one that was opened, or can't be made sense of
 * - `failed`: anything else, see `cause`
 */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  reason: Schema.Literals([
    "unavailable",
    "busy",
    "full",
    "read-only",
    "invalid-row",
    "newer-version",
    "other-format",
    "damaged",
    "failed"
  ]),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** How long the body of a transaction may last before it is logged (ms). */
export const slowTransaction = 250

/** How long the body of a transaction may last before it is rolled back (ms). */
export const transactionLimit = 5_000

/** Misuse of a transaction: a defect, since no input can cause it, only code. */
export class TransactionMisuse extends Error {
  override readonly name = "TransactionMisuse"
}

export interface Query<T> {
  readonly where: Condition<T>
  /** Fields to order by; the key is always the last of them. Default: by key. */
  readonly order?: T extends Table<any, any, infer Field, any, any> ? ReadonlyArray<Field> : never
  /** Applies to every field of the order. Default: ascending. */
  readonly descending?: boolean
  /** The order values of the last row that was seen (see `position`): rows behind it follow. */
  readonly after?: ReadonlyArray<Scalar>
  readonly limit?: number
}

/** A field set to `undefined` is removed from the row. */
export type Patch<Row> = { readonly [K in keyof Row]?: Row[K] | undefined }

/** Tells whether a patch changes anything of a row. A patch that doesn't is not written, told of or dated. */
export const hasChanges = <Row extends object>(row: Row, patch: Patch<Row>): boolean =>
  Object.entries(patch).some(([field, value]) => !Equal.equals((row as Record<string, unknown>)[field], value))

/** Conflict that an update of a table may run into: none where only its key is unique. */
export type UpdateConflict<T> = [T extends Table<any, any, any, any, infer Unique> ? Unique : string] extends [never]
  ? never
  : UniqueConflict

export interface Repository<T extends Table> {
  readonly get: (key: Table.Key<T>) => Effect.Effect<Table.Row<T> | undefined, StorageError>
  /** The rows of these keys in the order of the keys, undefined where there is none. */
  readonly getMany: (
    keys: ReadonlyArray<Table.Key<T>>
  ) => Effect.Effect<ReadonlyArray<Table.Row<T> | undefined>, StorageError>
  readonly list: (query: Query<T>) => Effect.Effect<ReadonlyArray<Table.Row<T>>, StorageError>
  readonly count: (where: Condition<T>) => Effect.Effect<number, StorageError>
  readonly insert: (row: Table.Row<T>) => Effect.Effect<void, UniqueConflict | StorageError>
  /**
   * Patches the rows that match and tells how many did: `where` is the guard of a compare-and-set
   * too. Key fields can't be patched, so rows of a table without `unique` can't conflict. Where one
   * does, no row of the call is changed.
   */
  readonly update: (
    where: Condition<T>,
    patch: Patch<Table.Row<T>>
  ) => Effect.Effect<number, UpdateConflict<T> | StorageError>
  /** Removes the rows that match and tells how many did. */
  readonly remove: (where: Condition<T>) => Effect.Effect<number, StorageError>
}

/** Runs a part of a transaction that waits between its parts (see `Storage.inSteps`). */
export type Step = <A, E, R>(part: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>

export class Storage extends Context.Service<
  Storage,
  {
    /**
     * The rows of a table. A table that the adapter has not met before needs no preparation.
     * Every write of a repository outside a transaction is a transaction of its own.
     */
    readonly repository: <T extends Table>(table: T) => Repository<T>
    /**
     * Runs the body as one unit: its writes are seen by others when it has succeeded, and never
     * when it fails, dies or is interrupted. Inside another transaction it is a part of that one
     * that can be rolled back alone. When it answers, the writes are durable.
     *
     * The body waits for nothing but this port. One that waits for a timer, a promise or another
     * fiber dies with `TransactionMisuse`; so does a fiber forked in it that uses the port, and
     * whatever uses it after its end. Over `transactionLimit` it fails with `StorageError`.
     */
    readonly transaction: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
    /**
     * Runs the body as one unit, too, but in steps: between them the body may wait, for a promise of the
     * host's for one. Each step runs in one go like the body of `transaction`, sees what the steps before
     * it wrote, and is rolled back alone where it fails. What the body does outside its steps is not
     * part of the transaction.
     *
     * Every other write waits until the body has ended, so it has the same time: over
     * `transactionLimit` it is rolled back and fails with `StorageError`, even where it never ends.
     * A step that waits, a step after the end and a transaction in steps inside another one are
     * `TransactionMisuse`. It can't be interrupted while it waits for its turn.
     */
    readonly inSteps: <A, E, R>(body: (step: Step) => Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
    /**
     * Runs the effect when the transaction around it has been committed, before its caller goes
     * on; never when it is rolled back. Outside a transaction it runs at once. For caches,
     * wake-ups and events; it can't fail and must not write.
     */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
    /**
     * A number that is another one when anything was committed since it was last asked for, by this
     * process or by another on the same data; as cheap as can be, so that what is kept in memory can
     * be trusted for one more request. A transaction that has changed nothing leaves it. Undefined inside a transaction, which sees its own writes.
     *
     * Who goes by it notes what it keeps was read from, and asks `apart`: else it counts as a read of everything
     * (see `Reads`).
     */
    readonly generation: Effect.Effect<number | undefined, StorageError>
    /**
     * Tells whether any of that was written by a commit after this generation. It knows of commits until the generation was
     * last asked for, and takes what it doesn't know for written.
     */
    readonly changedSince: (reads: Reads, generation: number) => boolean
    /**
     * Reads and writes for real, and fails where real reads and writes would. It leaves nothing behind
     * and `generation` as it is. For asking now and then whether the store is well.
     */
    readonly probe: Effect.Effect<void, StorageError>
  }
>()("@lectern/core/storage/Storage") {}

/** The order values of a row: what `Query.after` takes to go on behind it. */
export const orderValues = <T extends Table>(table: T, query: Query<T>, row: Table.Row<T>): ReadonlyArray<Scalar> =>
  orderFields(table, query.order).map((field) => table.fields.get(field)!(row))

/** The fields a query orders by, the key included. */
export const orderFields = <T extends Table>(
  table: T,
  order: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => [
  ...(order ?? []),
  ...table.key.filter((field) => order === undefined || !order.includes(field))
]
