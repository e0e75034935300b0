/**
 * Limits of the size of a document.
 *
 * 100 levels, 100,000 nodes (including leaves and values in data), 8 MiB as JSON.
 */
import type { Block } from "./Document.ts"

export const maxDepth = 100
export const maxNodes = 100_000
export const maxBytes = 8 * 1024 * 1024

/** Estimated bytes of a node's own field names in JSON. */
const nodeBytes = 32
const scalarBytes = 8

/** Counts the content of a document while it is read. Methods return a problem if a limit is exceeded. */
export class DocumentSize {
  #nodes = 0
  #bytes = 0

  /** Counts a node, leaf or value in data. */
  countNode(): string | undefined {
    return ++this.#nodes > maxNodes ? `A document has at most ${maxNodes.toLocaleString("en")} nodes` : undefined
  }

  countText(text: string): string | undefined {
    this.#bytes += utf8Length(text)
    return this.#bytes + this.#nodes * nodeBytes > maxBytes
      ? `A document has at most ${maxBytes / (1024 * 1024)} MiB`
      : undefined
  }

  /** Counts a number, true, false or null. */
  countScalar(): void {
    this.#bytes += scalarBytes
  }
}

/**
 * Counts the nodes and values of a document as `maxNodes` defines. Stops counting soon after the count exceeds `limit`.
 */
export const countNodes = (nodes: ReadonlyArray<Block>, limit: number): number => {
  let count = 0
  const pendingValues: Array<unknown> = [nodes]
  while (pendingValues.length > 0 && count <= limit) {
    const value = pendingValues.pop()
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === "object") pendingValues.push(item)
    } else {
      count++
      if (value === null) continue
      const fields = value as { readonly [name: string]: unknown }
      for (const name in fields) if (typeof fields[name] === "object") pendingValues.push(fields[name])
    }
  }
  return count
}

const utf8Length = (text: string): number => {
  let length = text.length
  for (let i = 0; i < text.length; i++) {
    const codeUnit = text.charCodeAt(i)
    if (codeUnit > 0x7f) length += codeUnit > 0x7ff && (codeUnit < 0xd800 || codeUnit > 0xdfff) ? 2 : 1
  }
  return length
}
