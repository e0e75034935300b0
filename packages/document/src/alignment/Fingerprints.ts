/**
 * Numbers for content: two values get the same number exactly when they are the same content. The
 * keys of nodes don't count, nor the order of properties, nor a `data` that is empty, nor the ids
 * by which a table names its records and columns.
 *
 * Each value is numbered by its parts' numbers, once and without recursion, so a whole document
 * costs time in proportion to its size.
 */
import type { Leaf, Text } from "../Document.ts"
import { Effort } from "./Effort.ts"
import * as TableContent from "../table/TableContent.ts"

interface Frame {
  readonly value: object
  readonly names: ReadonlyArray<string> | undefined
  readonly values: ReadonlyArray<unknown>
  text: string
  next: number
}

const nodes = new Set<unknown>(["block", "inline", "text", "fragment"])

export class Fingerprints {
  /** Effort left for the comparison that these are made for. */
  readonly effort: Effort
  #last = 0
  readonly #numbers = new Map<string, number>()
  readonly #strings = new Map<string, number>()
  readonly #known = new Map<object, number>()
  readonly #own = new Map<object, number>()
  readonly #empty = this.#number("[")

  constructor(effort = new Effort()) {
    this.effort = effort
  }

  of(value: unknown): number {
    if (typeof value === "string") return this.#string(value)
    const root = this.#part(value)
    if (root !== undefined) return typeof root === "number" ? root : this.#number(root)
    const frames: Array<Frame> = [open(value as object)]
    for (;;) {
      const frame = frames.at(-1)!
      if (frame.next === frame.values.length) {
        const number = this.#number(frame.text)
        this.#known.set(frame.value, number)
        frames.pop()
        if (frames.length === 0) return number
        continue
      }
      const child = frame.values[frame.next]
      const part = this.#part(child)
      if (part === undefined) {
        frames.push(open(child as object))
        continue
      }
      // A number stands for a composite value, so a primitive must never look like one.
      frame.text += `${frame.names?.[frame.next] ?? ""}${typeof part === "number" ? `#${part}` : part},`
      frame.next++
    }
  }

  /** A number for an aspect of a value, which is computed once. There is one aspect only of each value. */
  ownOf<A extends object>(value: A, aspect: (value: A) => unknown): number {
    let number = this.#own.get(value)
    if (number === undefined) this.#own.set(value, (number = this.of(aspect(value))))
    return number
  }

  /** The text of a primitive, the number of a known value, undefined for what has to be opened. */
  #part(value: unknown): string | number | undefined {
    if (typeof value === "string") return `$${this.#string(value)}`
    if (typeof value !== "object" || value === null) return String(value)
    if (Array.isArray(value) && value.length === 0) return this.#empty
    const known = this.#known.get(value)
    return known ?? (isPlainText(value) ? this.#leaves(value.leaves) : undefined)
  }

  /** A text node, of which a document has more than of anything else. */
  #leaves(leaves: ReadonlyArray<Leaf>): string {
    let text = "<"
    for (const leaf of leaves) text += `$${this.#string(leaf.text)}#${this.of(leaf.marks)},`
    return `${text}>`
  }

  /** Texts are numbered too: those of values are short then, however long the strings in them are. */
  #string(text: string): number {
    let number = this.#strings.get(text)
    if (number === undefined) this.#strings.set(text, (number = ++this.#last))
    return number
  }

  #number(text: string): number {
    let number = this.#numbers.get(text)
    if (number === undefined) this.#numbers.set(text, (number = ++this.#last))
    return number
  }
}

/** Tells whether a value is a text node whose leaves have nothing but text and marks. */
const isPlainText = (value: object): value is Text => {
  const { leaves, object } = value as Partial<Text>
  return (
    object === "text" &&
    Array.isArray(leaves) &&
    Object.entries(value).every(
      ([name, field]) => name === "object" || name === "leaves" || isInsignificant(name, field, true)
    ) &&
    leaves.every(isPlainLeaf)
  )
}

const isPlainLeaf = (leaf: unknown): boolean => {
  if (typeof leaf !== "object" || leaf === null) return false
  const { marks, object, text } = leaf as Partial<Leaf>
  // Not more than the three names that it has.
  return object === "leaf" && typeof text === "string" && Array.isArray(marks) && Object.keys(leaf).length === 3
}

/** Names as they stand in a text, of which there are few. */
const quoted = new Map<string, string>()
const maxQuoted = 10_000

const quote = (name: string): string => {
  const known = quoted.get(name)
  if (known !== undefined) return known
  const text = `${JSON.stringify(name)}:`
  if (quoted.size < maxQuoted) quoted.set(name, text)
  return text
}

const open = (value: object): Frame => {
  if (Array.isArray(value)) return { value, names: undefined, values: value, text: "[", next: 0 }
  const source = (TableContent.canonical(value) ?? value) as Record<string, unknown>
  const isNode = nodes.has(source["object"])
  const names = Object.keys(source)
    .filter((name) => !isInsignificant(name, source[name], isNode))
    .sort()
  return { value, names: names.map(quote), values: names.map((name) => source[name]), text: "{", next: 0 }
}

const isInsignificant = (name: string, value: unknown, isNode: boolean): boolean => {
  if (value === undefined) return true
  if (!isNode) return false
  if (name === "key") return true
  if (name === "isVoid") return value === false
  return name === "data" && typeof value === "object" && value !== null && Object.keys(value).length === 0
}
