/**
 * A table descriptor names what an adapter has to know about a row type: its key, what must be
 * unique, and the fields that the core's queries select and order by. One per concept, written
 * beside the concept's schema; an adapter holds no other knowledge of any resource.
 *
 * A queryable field is a scalar of the row (string, number, boolean, null; a missing field reads
 * as null), a scalar derived from the row by a pure function, or a list of strings (a
 * multi-valued index). Fields outside the key, `indexes`, `unique` and `lists` can't be queried. One whose function
 * comes to answer something else gets another name: by names alone an adapter tells whether what it has kept of a row
 * still holds. Fields that hold secrets are named as `sealed`, so that all of them can be found (see `SealedTables`).
 *
 * Limits: at most 64 fields, names of `[A-Za-z][A-Za-z0-9]*`, rows that are plain JSON.
 */
import type { Schema } from "effect"
import type { Sealed } from "../schema/Sealed.ts"

/** Value of a queryable field. The order: null, numbers, text by code point, false, true. */
export type Scalar = string | number | boolean | null

type ScalarField<Row> = {
  [K in keyof Row & string]-?: Exclude<Row[K], undefined> extends Scalar ? K : never
}[keyof Row & string]

/** The fields of a row that hold ciphertexts. */
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
  /** The fields of the primary key, in order. All are strings. */
  readonly key: ReadonlyArray<Key>
  /** Every queryable scalar field, in a stable order, and how it is read from a row. */
  readonly fields: ReadonlyMap<Field, (row: Row) => Scalar>
  /** Every multi-valued field and how it is read from a row. */
  readonly lists: ReadonlyMap<List, (row: Row) => ReadonlyArray<string>>
  readonly indexes: ReadonlyArray<ReadonlyArray<Field>>
  /** Combinations that occur once; null equals null. */
  readonly unique: ReadonlyArray<ReadonlyArray<Unique>>
  /** The fields that `Secrets` seals. */
  readonly sealed: ReadonlyArray<string>
}

export declare namespace Table {
  export type Row<T> = T extends Table<infer R, any, any, any, any> ? R : never
  export type Key<T> = T extends Table<infer R, infer K, any, any, any> ? Pick<R, K> : never
}

const registered = new Map<string, Table>()

/** All tables that modules have described which are loaded by now. */
export const allTables = (): ReadonlyArray<Table> => [...registered.values()]

/**
 * Describes a table. Names that are no field of the row must stand in `derived`.
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
