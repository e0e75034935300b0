/**
 * Numbers for content: two values get the same number exactly when they are the same content. The
 * keys of nodes don't count, nor the order of properties, nor a `data` that is empty, nor the ids
 * by which a table names its records and columns.
 *
 * Each value is numbered by its parts' numbers, once and without recursion, so a whole document
 * costs time in proportion to its size.
 */
import * as TableContent from "./TableContent.ts"

interface Frame {
  readonly value: object
  readonly names: ReadonlyArray<string> | undefined
  readonly values: ReadonlyArray<unknown>
  text: string
  next: number
}

const nodes = new Set<unknown>(["block", "inline", "text", "fragment"])

export class Fingerprints {
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<object, number>()

  of(value: unknown): number {
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

  /** The text of a primitive, the number of a known value, undefined for what has to be opened. */
  #part(value: unknown): string | number | undefined {
    if (typeof value === "object" && value !== null) return this.#known.get(value)
    return value === undefined ? "undefined" : JSON.stringify(value)
  }

  #number(text: string): number {
    let number = this.#numbers.get(text)
    if (number === undefined) this.#numbers.set(text, (number = this.#numbers.size + 1))
    return number
  }
}

const open = (value: object): Frame => {
  if (Array.isArray(value)) return { value, names: undefined, values: value, text: "[", next: 0 }
  const source = (TableContent.canonical(value) ?? value) as Record<string, unknown>
  const isNode = nodes.has(source["object"])
  const names = Object.keys(source)
    .filter((name) => !isInsignificant(name, source[name], isNode))
    .sort()
  return {
    value,
    names: names.map((name) => `${JSON.stringify(name)}:`),
    values: names.map((name) => source[name]),
    text: "{",
    next: 0
  }
}

const isInsignificant = (name: string, value: unknown, isNode: boolean): boolean => {
  if (value === undefined) return true
  if (!isNode) return false
  if (name === "key") return true
  if (name === "isVoid") return value === false
  return name === "data" && typeof value === "object" && value !== null && Object.keys(value).length === 0
}
