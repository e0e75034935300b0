/**
 * Notes of what was read of the store while an answer was made, so that the answer holds for as long as nothing of that
 * is written (`Storage.changedSince`), however much else is.
 *
 * Repositories note every read of a fiber that carries `CurrentReads`: a row by its key, a list by the most
 * telling value that its condition asks for, else by its table. Objects and blobs never change, so they aren't
 * noted. Every other question to the store counts as everything. Whoever keeps in memory what is read of
 * the store notes for each caller what that was read from; whoever waits for what another fiber reads notes
 * everything.
 *
 * Limit: more than 2,000 things are everything.
 */
import { Context, Effect } from "effect"
import { alternatives, type Condition, isAny, isIn } from "./Condition.ts"
import type { Table } from "./Table.ts"

const maxTags = 2_000

/** Up to how many names are a list. */
const maxListed = 16

/** Rows that are asked for as one list of values: more are their table. */
const maxValues = 32

type Values = Readonly<Record<string, unknown>>

export class Reads {
  /** Tables, of which something was read. */
  readonly tables = new TextSet()
  /** Rows and kinds of rows, by the names that `WrittenRows` has for them. */
  readonly tags = new TextSet()
  #isEverything = false

  /** Nothing tells what else may have been read. */
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

  /** Notes what something that was kept was read from. */
  add(other: Reads): void {
    if (other.#isEverything) return this.addEverything()
    for (const table of other.tables) this.tables.add(table)
    for (const thing of other.tags) this.#add(thing)
  }

  #addTag(table: Table, name: string): void {
    this.tables.add(table.name)
    this.#add(name)
  }

  #add(thing: string): void {
    if (this.#isEverything) return
    this.tags.add(thing)
    if (this.tags.size > maxTags) this.addEverything()
  }
}

/** Different texts. Most are few, and then a list is made, kept and gone through sooner than a set. */
class TextSet {
  #few: Array<string> | undefined = []
  #many: Set<string> | undefined

  add(name: string): void {
    if (this.#few === undefined) {
      this.#many!.add(name)
      return
    }
    if (this.#few.includes(name)) return
    this.#few.push(name)
    if (this.#few.length <= maxListed) return
    this.#many = new Set(this.#few)
    this.#few = undefined
  }

  get size(): number {
    return this.#few?.length ?? this.#many!.size
  }

  clear(): void {
    this.#few = []
    this.#many = undefined
  }

  [Symbol.iterator](): Iterator<string> {
    return (this.#few ?? this.#many!)[Symbol.iterator]()
  }
}

/** Reads that the fiber notes; undefined where nobody wants to know. */
export const CurrentReads = Context.Reference<Reads | undefined>("@lectern/core/storage/Reads", {
  defaultValue: () => undefined
})

/** Name of the row that has the fields of a key, among others or alone. */
export const rowTagOf = (table: Table, row: Values): string =>
  rowTag(
    table,
    table.key.map((field) => row[field])
  )

/** Name of a row. No value of a key holds NUL, and no name of a table a line break. */
const rowTag = (table: Table, key: ReadonlyArray<unknown>): string => `${table.name}\n${key.join("\0")}`

/** Name of the rows whose field has this value: where it is all of the key, that of the row. */
export const fieldTag = (table: Table, field: string, value: string): string =>
  isWholeKey(table, field) ? rowTag(table, [value]) : `${table.name}\t${field}\t${value}`

/** Tells whether a field is all of the key of a table. */
export const isWholeKey = ({ key }: Table, field: string): boolean => key.length === 1 && key[0] === field

/** Names of rows, one of which is written whenever the answer to a condition changes. */
const tagsOf = (table: Table, clause: Values): ReadonlyArray<string> => {
  const key = table.key.map((field) => clause[field])
  if (key.every((value) => typeof value === "string")) return [rowTag(table, key)]
  let mostSelective: { readonly field: string; readonly values: ReadonlyArray<string> } | undefined
  for (const [field, test] of Object.entries(clause)) {
    const values = textsOf(test)
    if (values === undefined || values.length > maxValues) continue
    // Identifiers are long, states and kinds are short.
    if (mostSelective === undefined || shortestLength(values) >= shortestLength(mostSelective.values))
      mostSelective = { field, values }
  }
  return mostSelective === undefined
    ? [table.name]
    : mostSelective.values.map((value) => fieldTag(table, mostSelective.field, value))
}

/** Texts, one of which a field has where the test holds; undefined where it may have others. */
const textsOf = (test: unknown): ReadonlyArray<string> | undefined => {
  if (typeof test === "string") return [test]
  if (typeof test !== "object" || test === null) return undefined
  const values = isIn(test as never) ? (test as { in: ReadonlyArray<unknown> }).in : undefined
  const any = isAny(test as never) ? (test as unknown as { any: ReadonlyArray<unknown> }).any : undefined
  const texts = values ?? any
  return texts?.every((value) => typeof value === "string") === true ? texts : undefined
}

const shortestLength = (values: ReadonlyArray<string>): number =>
  values.reduce((least, { length }) => Math.min(least, length), Infinity)

/** Notes that what comes next may be of anything: it is read by another fiber, or kept by who doesn't say from what. */
export const readsEverything: Effect.Effect<void> = Effect.withFiber(({ context }) => {
  Context.get(context, CurrentReads)?.addEverything()
  return Effect.void
})

/** Runs an effect whose reads the caller notes itself. */
export const untracked = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber(({ context }) =>
    Context.get(context, CurrentReads) === undefined ? effect : Effect.provideService(effect, CurrentReads, undefined)
  )

/** Gives the result of an effect, and what that was read from; the caller has read it, too. */
export const tracked = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, Reads], E, R> =>
  Effect.withFiber(({ context }) => {
    const around = Context.get(context, CurrentReads)
    const reads = new Reads()
    return effect.pipe(
      Effect.provideService(CurrentReads, reads),
      Effect.ensuring(Effect.sync(() => around?.add(reads))),
      Effect.map((value) => [value, reads] as const)
    )
  })

/** Notes reads of the caller's own choice. */
export const addReads = (of: (reads: Reads) => void): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    const reads = Context.get(context, CurrentReads)
    if (reads !== undefined) of(reads)
    return Effect.void
  })
