/**
 * Reads JSON that comes from outside, as bytes: valid UTF-8, nested no deeper than `maxDepth`. What is
 * large in it, a text or a document, is told apart from the rest (`parts`), so that who waits for it
 * unfolds next to nothing: a place in the rest names the part that belongs there. What is short is read in one piece.
 *
 * Limit: the rest, without texts and documents, holds at most `maxValues` values.
 */
import * as Computation from "../thread/Computation.ts"
import { JsonText } from "./JsonText.ts"

export const maxDepth = 200
export const maxValues = 10_000

/** Texts from so many characters on are parts, as documents are. */
const largePart = 16 * 1024

/** Bytes up to here are read in no time. */
const smallBody = 256 * 1024

type Part = { readonly text: string } | { readonly json: string }

export interface Rest {
  /** JSON. */
  readonly text: string
  readonly parts: ReadonlyArray<Part>
}

export type Problem = "not UTF-8" | "too deep" | "not JSON" | "too many values"

/** A private character: what begins like this by itself becomes a part, too. */
const mark = "\uE000part "

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false })

/** Undefined where it is no UTF-8. */
export const decode = (bytes: Uint8Array | ArrayBuffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Tells whether arrays and objects nest deeper than `maxDepth`; strings are skipped. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: // "
        for (i++; i < text.length && text.charCodeAt(i) !== 0x22; i++) {
          if (text.charCodeAt(i) === 0x5c) i++
        }
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
    }
  }
  return false
}

const run = (bytes: Uint8Array): Rest | { readonly problem: Problem } => {
  const text = decode(bytes)
  if (text === undefined) return { problem: "not UTF-8" }
  if (isTooDeep(text)) return { problem: "too deep" }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: "not JSON" }
  }
  const parts: Array<Part> = []
  let values = 0
  const put = (part: Part): string => mark + (parts.push(part) - 1)
  const restOf = (value: unknown): unknown => {
    if (++values > maxValues) return undefined
    if (typeof value === "string") {
      return value.length >= largePart || value.startsWith(mark) ? put({ text: value }) : value
    }
    if (typeof value !== "object" || value === null) return value
    if (isDocument(value)) return put({ json: JSON.stringify(value) })
    if (Array.isArray(value)) return value.map(restOf)
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, restOf(field)]))
  }
  const rest = restOf(value)
  return values > maxValues ? { problem: "too many values" } : { text: JSON.stringify(rest), parts }
}

const isDocument = (value: object): boolean => "nodes" in value && Array.isArray(value.nodes)

export const ReadJson = Computation.make({
  name: "read-json",
  isSmall: (bytes: Uint8Array) => bytes.byteLength <= smallBody,
  run
})

/** The value with its parts where they belong, documents as `JsonText`. */
export const filled = (value: unknown, parts: ReadonlyArray<Part>): unknown => {
  if (typeof value === "string") {
    const part = value.startsWith(mark) ? parts[Number(value.slice(mark.length))] : undefined
    return part === undefined ? value : "text" in part ? part.text : new JsonText(part.json)
  }
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => filled(item, parts))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, filled(field, parts)]))
}
