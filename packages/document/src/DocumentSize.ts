/**
 * How large a document may be, and how large one is.
 *
 * Limits: nesting of 100, 100,000 nodes (leaves and the values in data count too), 8 MiB as JSON.
 */
import type { Block } from "./Document.ts"

export const maxDepth = 100
export const maxNodes = 100_000
export const maxBytes = 8 * 1024 * 1024

/** The names of a node's own fields, as JSON. */
const nodeBytes = 32
const scalarBytes = 8

/** Counts what a document holds while it is read; each count answers what is wrong once it is too much. */
export class DocumentSize {
  #nodes = 0
  #bytes = 0

  /** A node, leaf or value in data. */
  countNode(): string | undefined {
    return ++this.#nodes > maxNodes ? `A document has at most ${maxNodes.toLocaleString("en")} nodes` : undefined
  }

  countText(text: string): string | undefined {
    this.#bytes += utf8Length(text)
    return this.#bytes + this.#nodes * nodeBytes > maxBytes
      ? `A document has at most ${maxBytes / (1024 * 1024)} MiB`
      : undefined
  }

  /** A number, true, false or null. */
  countScalar(): void {
    this.#bytes += scalarBytes
  }
}

/** The nodes and values of a document as `maxNodes` counts them; stops soon after `limit`. */
export const countNodes = (nodes: ReadonlyArray<Block>, limit: number): number => {
  let count = 0
  const open: Array<unknown> = [nodes]
  while (open.length > 0 && count <= limit) {
    const value = open.pop()
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === "object") open.push(item)
    } else {
      count++
      if (value === null) continue
      const fields = value as { readonly [name: string]: unknown }
      for (const name in fields) if (typeof fields[name] === "object") open.push(fields[name])
    }
  }
  return count
}

const utf8Length = (text: string): number => {
  let length = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return length
}
