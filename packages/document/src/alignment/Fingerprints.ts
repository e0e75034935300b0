/**
 * Assigns numbers to content. Two values get the same number if and only if their content is equal. Content excludes
 * the keys of nodes, the order of properties, empty `data`, and the ids of the records and columns of a table.
 *
 * The number of a value derives from the numbers of its parts. Each value is visited once and without recursion, so a
 * whole document takes linear time.
 */
import type { Leaf, Text } from "../Document.ts"
import { WorkBudget } from "./WorkBudget.ts"
import * as TableContent from "../table/TableContent.ts"

interface Frame {
  readonly value: object
  readonly names: ReadonlyArray<string> | undefined
  readonly values: ReadonlyArray<unknown>
  text: string
  next: number
}

const nodeObjects = new Set<unknown>(["block", "inline", "text", "fragment"])

export class Fingerprints {
  /** Remaining work budget of the comparison that uses these fingerprints. */
  readonly budget: WorkBudget
  #lastNumber = 0
  readonly #numberByText = new Map<string, number>()
  readonly #numberByString = new Map<string, number>()
  readonly #numberByValue = new Map<object, number>()
  readonly #aspectNumbers = new Map<object, number>()
  readonly #empty = this.#number("[")

  constructor(budget = new WorkBudget()) {
    this.budget = budget
  }

  of(value: unknown): number {
    if (typeof value === "string") return this.#string(value)
    const root = this.#part(value)
    if (root !== undefined) return typeof root === "number" ? root : this.#number(root)
    const frames: Array<Frame> = [openFrame(value as object)]
    for (;;) {
      const frame = frames.at(-1)!
      if (frame.next === frame.values.length) {
        const number = this.#number(frame.text)
        this.#numberByValue.set(frame.value, number)
        frames.pop()
        if (frames.length === 0) return number
        continue
      }
      const child = frame.values[frame.next]
      const part = this.#part(child)
      if (part === undefined) {
        frames.push(openFrame(child as object))
        continue
      }
      // A `#` precedes the number of a composite value, since no primitive value starts with `#`.
      frame.text += `${frame.names?.[frame.next] ?? ""}${typeof part === "number" ? `#${part}` : part},`
      frame.next++
    }
  }

  /**
   * Returns the number of `aspect(value)`, computed once per value. A value must always be passed with the same
   * function.
   */
  ofAspect<A extends object>(value: A, aspect: (value: A) => unknown): number {
    let number = this.#aspectNumbers.get(value)
    if (number === undefined) this.#aspectNumbers.set(value, (number = this.of(aspect(value))))
    return number
  }

  /**
   * Returns the text of a primitive, or the number of a cached value. Undefined if the parts of the value must be
   * visited first.
   */
  #part(value: unknown): string | number | undefined {
    if (typeof value === "string") return `$${this.#string(value)}`
    if (typeof value !== "object" || value === null) return String(value)
    if (Array.isArray(value) && value.length === 0) return this.#empty
    const cached = this.#numberByValue.get(value)
    return cached ?? (isPlainText(value) ? this.#leaves(value.leaves) : undefined)
  }

  /** Serializes the leaves of a text node. This is a fast path for the most frequent type of node. */
  #leaves(leaves: ReadonlyArray<Leaf>): string {
    let text = "<"
    for (const leaf of leaves) text += `$${this.#string(leaf.text)}#${this.of(leaf.marks)},`
    return `${text}>`
  }

  /**
   * Returns the number of a string. Numbers keep the serialized form of composite values short, even if their strings
   * are long.
   */
  #string(text: string): number {
    let number = this.#numberByString.get(text)
    if (number === undefined) this.#numberByString.set(text, (number = ++this.#lastNumber))
    return number
  }

  #number(text: string): number {
    let number = this.#numberByText.get(text)
    if (number === undefined) this.#numberByText.set(text, (number = ++this.#lastNumber))
    return number
  }
}

/** Returns true if a value is a text node whose leaves have only text and marks. */
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
  // True if the leaf has no other properties.
  return object === "leaf" && typeof text === "string" && Array.isArray(marks) && Object.keys(leaf).length === 3
}

/** Cache of property names in serialized form. Documents use few different names. */
const quotedNames = new Map<string, string>()
const maxQuotedNames = 10_000

const quoteName = (name: string): string => {
  const cached = quotedNames.get(name)
  if (cached !== undefined) return cached
  const text = `${JSON.stringify(name)}:`
  if (quotedNames.size < maxQuotedNames) quotedNames.set(name, text)
  return text
}

const openFrame = (value: object): Frame => {
  if (Array.isArray(value)) return { value, names: undefined, values: value, text: "[", next: 0 }
  const source = (TableContent.canonicalTable(value) ?? value) as Record<string, unknown>
  const isNode = nodeObjects.has(source["object"])
  const names = Object.keys(source)
    .filter((name) => !isInsignificant(name, source[name], isNode))
    .sort()
  return { value, names: names.map(quoteName), values: names.map((name) => source[name]), text: "{", next: 0 }
}

const isInsignificant = (name: string, value: unknown, isNode: boolean): boolean => {
  if (value === undefined) return true
  if (!isNode) return false
  if (name === "key") return true
  if (name === "isVoid") return value === false
  return name === "data" && typeof value === "object" && value !== null && Object.keys(value).length === 0
}
