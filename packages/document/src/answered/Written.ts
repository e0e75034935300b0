/**
 * The field `written` of a node or leaf in responses. It holds text and data that the hosted service's vocabulary
 * lacks, in addition to the fields of that vocabulary. Clients send the field back unchanged.
 */
import type { Fragment } from "../Document.ts"
import type { Fields } from "../vocabulary/Field.ts"

export type Data = { readonly [name: string]: unknown }

/** Value of `written` of a block or an inline. */
export interface Written {
  /** Original type, if the node has the nearest type of the vocabulary instead. */
  readonly type?: string
  readonly isVoid?: boolean
  /** Data fields that the vocabulary lacks. */
  readonly data?: Data
  /** Names of data fields that the vocabulary requires and the original lacks. */
  readonly without?: ReadonlyArray<string>
  /** `columns`: fields of the columns of a table, by column id. `labels`: labels of cells, by record and column. */
  readonly columns?: { readonly [id: string]: Data }
  readonly labels?: { readonly [record: string]: Data }
  readonly fragments?: ReadonlyArray<Fragment>
  readonly nodes?: ReadonlyArray<unknown>
}

/** Value of `written` of a leaf. */
export interface WrittenLeaf {
  /** Offsets of spaces that are line ends in the source. */
  readonly softBreaks?: ReadonlyArray<number>
  /** Offsets of line ends of the source without a space in the text, between Chinese or Japanese characters. */
  readonly joinedLines?: ReadonlyArray<number>
  /** All marks of the leaf, if the vocabulary lacks one of them. */
  readonly marks?: ReadonlyArray<unknown>
}

export const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

type Said<A> = { readonly [Name in keyof A]?: A[Name] | undefined }

/** Returns the field `written`, or an empty object if no value is set. */
export const of = (written: Said<Written & WrittenLeaf>): { readonly written?: Written & WrittenLeaf } => {
  const said = Object.entries(written).filter(([, field]) => field !== undefined)
  return said.length === 0 ? {} : { written: Object.fromEntries(said) }
}

interface Split {
  readonly data: Data | undefined
  readonly beside: Data | undefined
  readonly without: ReadonlyArray<string> | undefined
}

/**
 * Splits data into the fields of the vocabulary and the other fields. `others`: names of fields of the vocabulary that
 * `fields` does not describe.
 */
export const split = (data: Data | undefined, fields: Fields, others: ReadonlyArray<string> = []): Split => {
  const names = Object.keys(data ?? {})
  const lacks = (name: string) =>
    Object.hasOwn(fields, name) ? fields[name]!.isBeside === true : !others.includes(name)
  const without = wantedOf(fields).filter((name) => data?.[name] === undefined)
  const isBeside = names.some(lacks)
  if (!isBeside && without.length === 0) return { data, beside: undefined, without: undefined }
  return {
    data: {
      ...(isBeside ? pick(data!, (name) => !lacks(name)) : data),
      ...Object.fromEntries(without.map((name) => [name, fields[name]!.otherwise]))
    },
    beside: isBeside ? pick(data!, lacks) : undefined,
    without: without.length === 0 ? undefined : without
  }
}

const wanted = new WeakMap<Fields, ReadonlyArray<string>>()

/** Returns the names of the fields that the vocabulary requires of every block of a type. */
const wantedOf = (fields: Fields): ReadonlyArray<string> => {
  const known = wanted.get(fields)
  if (known !== undefined) return known
  const names = Object.keys(fields).filter((name) => fields[name]!.otherwise !== undefined)
  wanted.set(fields, names)
  return names
}

const pick = (data: Data, is: (name: string) => boolean): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => is(name)))

/** Returns the original data: the inverse of `split`. */
export const joined = (data: unknown, written: Data, fields: Fields): Data | undefined => {
  const own = isData(data) ? data : undefined
  const beside = isData(written.data) ? written.data : undefined
  const without = new Set(listOf(written.without))
  const isFilled = (name: string) =>
    without.has(name) && Object.hasOwn(fields, name) && own?.[name] === fields[name]!.otherwise
  if (beside === undefined && without.size === 0) return own
  return { ...pick(own ?? {}, (name) => !isFilled(name)), ...beside }
}
