/**
 * Table descriptor: the key, the unique combinations, and the fields that queries select and order by. Each concept
 * declares its table next to its schema. An adapter knows nothing else about a resource.
 *
 * A queryable field is a scalar of the row (string, number, boolean, null; a missing field reads as null), a scalar
 * that a pure function derives from the row, or a list of strings (multi-valued index). Only fields of the key,
 * `indexes`, `unique` and `lists` can be queried. If a derived field changes its meaning it must be renamed: adapters
 * compare names to decide whether stored index values are current. Fields that hold secrets are listed in `sealed` (see
 * `SealedTables`).
 *
 * Limits: at most 64 fields, names of `[A-Za-z][A-Za-z0-9]*`, rows that are plain JSON.
 */
import type { Schema } from "effect"
import type { Sealed } from "../schema/Sealed.ts"

/** Value of a queryable field. Order: null, numbers, text by code point, false, true. */
export type Scalar = string | number | boolean | null

type ScalarField<Row> = {
  [K in keyof Row & string]-?: Exclude<Row[K], undefined> extends Scalar ? K : never
}[keyof Row & string]

/** Fields of a row that hold ciphertexts. */
export type SealedField<Row> = {
  [K in keyof Row & string]-?: Exclude<Row[K], undefined> extends Sealed ? K : never
}[keyof Row & string]

export interface Table<
  Row extends object = any,
  Key extends keyof Row & string = any,
  Field extends string = any,
  List extends string = any,
  Unique extends string = any
> {
  readonly name: string
  readonly schema: Schema.Schema<Row>
  /** Fields of the primary key, in order. All are strings. */
  readonly key: ReadonlyArray<Key>
  /** Accessors of the queryable scalar fields, in a stable order. */
  readonly fields: ReadonlyMap<Field, (row: Row) => Scalar>
  /** Accessors of the multi-valued fields. */
  readonly lists: ReadonlyMap<List, (row: Row) => ReadonlyArray<string>>
  readonly indexes: ReadonlyArray<ReadonlyArray<Field>>
  /** Unique combinations of fields. Null equals null. */
  readonly unique: ReadonlyArray<ReadonlyArray<Unique>>
  /** Fields that `Secrets` encrypts. */
  readonly sealed: ReadonlyArray<string>
}

export declare namespace Table {
  export type Row<T> = T extends Table<infer R, any, any, any, any> ? R : never
  export type Key<T> = T extends Table<infer R, infer K, any, any, any> ? Pick<R, K> : never
}

const registered = new Map<string, Table>()

/** Returns the tables of all loaded modules. */
export const allTables = (): ReadonlyArray<Table> => [...registered.values()]

/**
 * Creates a table descriptor and registers it. Names that are not fields of the row must be in `derived`.
 *
 * ```ts
 * const SpaceTable = Table.make("space", Space, {
 *   key: ["id"],
 *   derived: { folded: (row: SpaceRow) => fold(row.title) },
 *   indexes: [["organization", "parent", "position"], ["organization", "folded"]]
 * })
 * ```
 */
export const make = <
  Row extends object,
  const Key extends keyof Row & string,
  const Derived extends Record<string, (row: Row) => Scalar> = {},
  const Lists extends Record<string, (row: Row) => ReadonlyArray<string>> = {},
  const Index extends ReadonlyArray<ScalarField<Row> | (keyof Derived & string)> = never,
  const Unique extends ReadonlyArray<ScalarField<Row> | (keyof Derived & string)> = never
>(
  name: string,
  schema: Schema.Schema<Row>,
  options: {
    readonly key: ReadonlyArray<Key>
    readonly derived?: Derived
    readonly lists?: Lists
    readonly indexes?: ReadonlyArray<Index>
    readonly unique?: ReadonlyArray<Unique>
    readonly sealed?: ReadonlyArray<SealedField<Row>>
  }
): Table<Row, Key, Key | Index[number] | Unique[number], keyof Lists & string, Unique[number]> => {
  const derived: Record<string, (row: Row) => Scalar> = options.derived ?? {}
  const indexes: ReadonlyArray<ReadonlyArray<string>> = options.indexes ?? []
  const unique: ReadonlyArray<ReadonlyArray<string>> = options.unique ?? []
  const fields = new Map<string, (row: Row) => Scalar>()
  for (const field of [...options.key, ...indexes.flat(), ...unique.flat()]) {
    if (fields.has(field)) continue
    fields.set(field, derived[field] ?? ((row) => ((row as Record<string, unknown>)[field] ?? null) as Scalar))
  }
  const lists = new Map(Object.entries(options.lists ?? {}))
  for (const field of [name, ...fields.keys(), ...lists.keys()]) {
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(field)) throw new Error(`"${field}" is no name for a table or field`)
  }
  const table = { name, schema, key: options.key, fields, lists, indexes, unique, sealed: options.sealed ?? [] }
  registered.set(name, table)
  return table as Table<Row, Key, Key | Index[number] | Unique[number], keyof Lists & string, Unique[number]>
}
