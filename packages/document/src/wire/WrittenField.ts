/**
 * The field `written` of a node or leaf in responses. It holds text and data that the hosted service's vocabulary
 * lacks, in addition to the fields of that vocabulary. Clients send the field back unchanged.
 */
import type { Fragment } from "../Document.ts"
import type { Fields } from "../vocabulary/Field.ts"

export type Data = { readonly [name: string]: unknown }

/** Value of `written` of a block or an inline. */
export interface WrittenField {
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
export interface WrittenLeafField {
  /** Offsets of spaces that are line ends in the source. */
  readonly softBreaks?: ReadonlyArray<number>
  /** Offsets of line ends of the source without a space in the text, between Chinese or Japanese characters. */
  readonly joinedLines?: ReadonlyArray<number>
  /** All marks of the leaf, if the vocabulary lacks one of them. */
  readonly marks?: ReadonlyArray<unknown>
}

export const isData = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const arrayOrEmpty = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

type Optional<A> = { readonly [Name in keyof A]?: A[Name] | undefined }

/** Returns the field `written`, or an empty object if no value is set. */
export const writtenField = (
  written: Optional<WrittenField & WrittenLeafField>
): { readonly written?: WrittenField & WrittenLeafField } => {
  const presentFields = Object.entries(written).filter(([, field]) => field !== undefined)
  return presentFields.length === 0 ? {} : { written: Object.fromEntries(presentFields) }
}

interface SplitData {
  readonly data: Data | undefined
  readonly unsupported: Data | undefined
  readonly filled: ReadonlyArray<string> | undefined
}

/**
 * Splits data into the fields of the vocabulary and the other fields. `others`: names of fields of the vocabulary that
 * `fields` does not describe.
 */
export const splitData = (data: Data | undefined, fields: Fields, others: ReadonlyArray<string> = []): SplitData => {
  const names = Object.keys(data ?? {})
  const isUnsupported = (name: string) =>
    Object.hasOwn(fields, name) ? fields[name]!.isOmittedOnWire === true : !others.includes(name)
  const filled = requiredFields(fields).filter((name) => data?.[name] === undefined)
  const hasUnsupported = names.some(isUnsupported)
  if (!hasUnsupported && filled.length === 0) return { data, unsupported: undefined, filled: undefined }
  return {
    data: {
      ...(hasUnsupported ? pick(data!, (name) => !isUnsupported(name)) : data),
      ...Object.fromEntries(filled.map((name) => [name, fields[name]!.wireDefault]))
    },
    unsupported: hasUnsupported ? pick(data!, isUnsupported) : undefined,
    filled: filled.length === 0 ? undefined : filled
  }
}

const requiredNames = new WeakMap<Fields, ReadonlyArray<string>>()

/** Returns the names of the fields that the vocabulary requires of every block of a type. */
const requiredFields = (fields: Fields): ReadonlyArray<string> => {
  const cachedNames = requiredNames.get(fields)
  if (cachedNames !== undefined) return cachedNames
  const names = Object.keys(fields).filter((name) => fields[name]!.wireDefault !== undefined)
  requiredNames.set(fields, names)
  return names
}

const pick = (data: Data, isPicked: (name: string) => boolean): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => isPicked(name)))

/** Returns the original data: the inverse of `splitData`. */
export const joinData = (data: unknown, written: Data, fields: Fields): Data | undefined => {
  const ownData = isData(data) ? data : undefined
  const unsupported = isData(written.data) ? written.data : undefined
  const without = new Set(arrayOrEmpty(written.without))
  const isFilled = (name: string) =>
    without.has(name) && Object.hasOwn(fields, name) && ownData?.[name] === fields[name]!.wireDefault
  if (unsupported === undefined && without.size === 0) return ownData
  return { ...pick(ownData ?? {}, (name) => !isFilled(name)), ...unsupported }
}
