/**
 * Dependencies of a computed value on the store. The value is valid until one of the recorded rows is written (see
 * `Storage.changedSince`).
 *
 * Repositories record every read of a fiber that carries `CurrentReads`: a row by its key, a list by the most selective
 * value in its condition, or by its table if there is no such value. Reads of objects and blobs are not recorded, since
 * they never change. Every other read counts as a read of everything. A cache of stored data records, for each hit, the
 * reads of the cached value. A fiber that waits for another fiber's reads records everything.
 *
 * Limit: more than 2,000 tags become everything.
 */
import { Context, Effect } from "effect"
import { alternatives, type Condition, isAny, isIn } from "./Condition.ts"
import type { Table } from "./Table.ts"

const maxTags = 2_000

/** Maximum number of texts in a list. A larger set is a `Set`. */
const maxListed = 16

/** Maximum number of values of a list condition. A condition with more counts as a read of the table. */
const maxValues = 32

type Values = Readonly<Record<string, unknown>>

export class Reads {
  /** Names of tables that were read. */
  readonly tables = new TagSet()
  /** Tags of rows that were read (see `rowTagOf` and `fieldTag`). `WrittenRows` uses the same tags. */
  readonly tags = new TagSet()
  #isEverything = false

  /** True if the reads are unknown or too many, so that every commit counts as a change. */
  get isEverything(): boolean {
    return this.#isEverything
  }

  addEverything(): void {
    this.#isEverything = true
    this.tables.clear()
    this.tags.clear()
  }

  addRow(table: Table, key: Values): void {
    this.#addTag(table, rowTagOf(table, key))
  }

  addRows(table: Table, keys: ReadonlyArray<Values>): void {
    for (const key of keys) this.addRow(table, key)
  }

  addList<T extends Table>(table: T, where: Condition<T>): void {
    for (const clause of alternatives(where)) {
      for (const name of tagsOf(table, clause as Values)) this.#addTag(table, name)
    }
  }

  /** Adds the reads of another value, such as a cached one. */
  add(other: Reads): void {
    if (other.#isEverything) return this.addEverything()
    for (const table of other.tables) this.tables.add(table)
    for (const tag of other.tags) this.#add(tag)
  }

  #addTag(table: Table, name: string): void {
    this.tables.add(table.name)
    this.#add(name)
  }

  #add(tag: string): void {
    if (this.#isEverything) return
    this.tags.add(tag)
    if (this.tags.size > maxTags) this.addEverything()
  }
}

/** Set of texts. A list is faster for up to 16 texts, and most sets are that small. */
class TagSet {
  #textList: Array<string> | undefined = []
  #textSet: Set<string> | undefined

  add(name: string): void {
    if (this.#textList === undefined) {
      this.#textSet!.add(name)
      return
    }
    if (this.#textList.includes(name)) return
    this.#textList.push(name)
    if (this.#textList.length <= maxListed) return
    this.#textSet = new Set(this.#textList)
    this.#textList = undefined
  }

  get size(): number {
    return this.#textList?.length ?? this.#textSet!.size
  }

  clear(): void {
    this.#textList = []
    this.#textSet = undefined
  }

  [Symbol.iterator](): Iterator<string> {
    return (this.#textList ?? this.#textSet!)[Symbol.iterator]()
  }
}

/** Reads that the fiber records. Undefined if nothing needs them. */
export const CurrentReads = Context.Reference<Reads | undefined>("@lectern/core/storage/Reads", {
  defaultValue: () => undefined
})

/** Returns the tag of a row. The row needs only the fields of its key. */
export const rowTagOf = (table: Table, row: Values): string =>
  rowTag(
    table,
    table.key.map((field) => row[field])
  )

/** Values of keys hold no NUL, and table names no line break, so tags are unambiguous. */
const rowTag = (table: Table, key: ReadonlyArray<unknown>): string => `${table.name}\n${key.join("\0")}`

/**
 * Returns the tag of all rows with this value in a field. If the field is the whole key, returns the tag of the row.
 */
export const fieldTag = (table: Table, field: string, value: string): string =>
  isWholeKey(table, field) ? rowTag(table, [value]) : `${table.name}\t${field}\t${value}`

/** True if the table's key consists of this field only. */
export const isWholeKey = ({ key }: Table, field: string): boolean => key.length === 1 && key[0] === field

/** Returns tags such that every write that changes the result of the condition writes one of them. */
const tagsOf = (table: Table, clause: Values): ReadonlyArray<string> => {
  const key = table.key.map((field) => clause[field])
  if (key.every((value) => typeof value === "string")) return [rowTag(table, key)]
  let mostSelective: { readonly field: string; readonly values: ReadonlyArray<string> } | undefined
  for (const [field, test] of Object.entries(clause)) {
    const values = textsOf(test)
    if (values === undefined || values.length > maxValues) continue
    // The longest value is most selective: identifiers are long, states and types are short.
    if (mostSelective === undefined || shortestLength(values) >= shortestLength(mostSelective.values))
      mostSelective = { field, values }
  }
  return mostSelective === undefined
    ? [table.name]
    : mostSelective.values.map((value) => fieldTag(table, mostSelective.field, value))
}

/** Returns the texts that a field can have if the test holds. Undefined if it can have other values. */
const textsOf = (test: unknown): ReadonlyArray<string> | undefined => {
  if (typeof test === "string") return [test]
  if (typeof test !== "object" || test === null) return undefined
  const values = isIn(test as never) ? (test as { in: ReadonlyArray<unknown> }).in : undefined
  const anyValues = isAny(test as never) ? (test as unknown as { any: ReadonlyArray<unknown> }).any : undefined
  const texts = values ?? anyValues
  return texts?.every((value) => typeof value === "string") === true ? texts : undefined
}

const shortestLength = (values: ReadonlyArray<string>): number =>
  values.reduce((shortest, { length }) => Math.min(shortest, length), Infinity)

/** Records a read of everything. For reads by another fiber, and for caches that do not record their reads. */
export const readsEverything: Effect.Effect<void> = Effect.withFiber(({ context }) => {
  Context.get(context, CurrentReads)?.addEverything()
  return Effect.void
})

/** Runs an effect without recording its reads. The caller records them. */
export const untracked = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber(({ context }) =>
    Context.get(context, CurrentReads) === undefined ? effect : Effect.provideService(effect, CurrentReads, undefined)
  )

/** Returns the result of an effect with the reads of its computation. The caller's reads include them. */
export const tracked = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, Reads], E, R> =>
  Effect.withFiber(({ context }) => {
    const callerReads = Context.get(context, CurrentReads)
    const reads = new Reads()
    return effect.pipe(
      Effect.provideService(CurrentReads, reads),
      Effect.ensuring(Effect.sync(() => callerReads?.add(reads))),
      Effect.map((value) => [value, reads] as const)
    )
  })

/** Records reads that the caller chooses. */
export const addReads = (add: (reads: Reads) => void): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    const reads = Context.get(context, CurrentReads)
    if (reads !== undefined) add(reads)
    return Effect.void
  })
