/**
 * Text and data for which the hosted service's vocabulary has no word: the field `written` of a node or
 * leaf, beside those of that vocabulary. Clients hand it back as they got it.
 */
import type { Fragment } from "../Document.ts"
import type { Fields } from "../vocabulary/Field.ts"

export type Data = { readonly [name: string]: unknown }

/** Of a block or an inline. */
export interface Written {
  /** The type, where the node has the nearest one that the vocabulary has. */
  readonly type?: string
  readonly isVoid?: boolean
  /** Fields of the data that the vocabulary lacks. */
  readonly data?: Data
  /** Names of fields of the data that nobody wrote, and that the vocabulary wants. */
  readonly without?: ReadonlyArray<string>
  /** Fields of the columns of a table, by their ids, and labels of its cells, by record and column. */
  readonly columns?: { readonly [id: string]: Data }
  readonly labels?: { readonly [record: string]: Data }
  readonly fragments?: ReadonlyArray<Fragment>
  readonly nodes?: ReadonlyArray<unknown>
}

/** Of a leaf. */
export interface WrittenLeaf {
  /** Offsets of spaces at which the lines of the source end. */
  readonly softBreaks?: ReadonlyArray<number>
  /** Offsets of further line ends of the source, between Chinese or Japanese characters, where no space stands. */
  readonly joinedLines?: ReadonlyArray<number>
  /** All of its marks, where the vocabulary lacks one. */
  readonly marks?: ReadonlyArray<unknown>
}

export const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

type Said<A> = { readonly [Name in keyof A]?: A[Name] | undefined }

/** Nothing where it says nothing. */
export const of = (written: Said<Written & WrittenLeaf>): { readonly written?: Written & WrittenLeaf } => {
  const said = Object.entries(written).filter(([, field]) => field !== undefined)
  return said.length === 0 ? {} : { written: Object.fromEntries(said) }
}

interface Split {
  readonly data: Data | undefined
  readonly beside: Data | undefined
  readonly without: ReadonlyArray<string> | undefined
}

/** Data as the vocabulary has it, and what it lacks. `others`: fields that it has besides those described. */
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

/** Names of the fields that the vocabulary wants of every block of a type. */
const wantedOf = (fields: Fields): ReadonlyArray<string> => {
  const known = wanted.get(fields)
  if (known !== undefined) return known
  const names = Object.keys(fields).filter((name) => fields[name]!.otherwise !== undefined)
  wanted.set(fields, names)
  return names
}

const pick = (data: Data, is: (name: string) => boolean): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => is(name)))

/** Data as it was before it was split. */
export const joined = (data: unknown, written: Data, fields: Fields): Data | undefined => {
  const own = isData(data) ? data : undefined
  const beside = isData(written.data) ? written.data : undefined
  const without = new Set(listOf(written.without))
  const isFilled = (name: string) =>
    without.has(name) && Object.hasOwn(fields, name) && own?.[name] === fields[name]!.otherwise
  if (beside === undefined && without.size === 0) return own
  return { ...pick(own ?? {}, (name) => !isFilled(name)), ...beside }
}
