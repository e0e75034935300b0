/**
 * Parses JSON of requests: valid UTF-8, nested at most `maxDepth` levels. Large texts and documents are split off as
 * `parts`, so that the waiting thread parses little. A placeholder in the rest names the part. Short JSON is parsed in
 * one piece.
 *
 * Limit: at most `maxValues` values, not counting texts and documents that are split off.
 */
import * as Computation from "../thread/Computation.ts"
import { JsonText } from "./JsonText.ts"

export const maxDepth = 200
export const maxValues = 10_000

/** Length from which a text becomes a part, in characters. Documents always become parts. */
const largePart = 16 * 1024

/** Size up to which a body is parsed on the calling thread (bytes). */
const smallBody = 256 * 1024

type BodyPart = { readonly text: string } | { readonly json: string }

export interface BodyRemainder {
  /** JSON with placeholders. */
  readonly text: string
  readonly parts: ReadonlyArray<BodyPart>
}

export type Problem = "not UTF-8" | "too deep" | "not JSON" | "too many values"

/** Prefix of placeholders, with a private-use character. A text of the input with this prefix becomes a part, too. */
const mark = "\uE000part "

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false })

/** Decodes UTF-8. Returns undefined if the bytes are invalid. */
export const decode = (bytes: Uint8Array | ArrayBuffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** True if arrays and objects nest deeper than `maxDepth`. Ignores strings. */
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

const run = (bytes: Uint8Array): BodyRemainder | { readonly problem: Problem } => {
  const text = decode(bytes)
  if (text === undefined) return { problem: "not UTF-8" }
  if (isTooDeep(text)) return { problem: "too deep" }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: "not JSON" }
  }
  const parts: Array<BodyPart> = []
  let values = 0
  const put = (part: BodyPart): string => mark + (parts.push(part) - 1)
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

/** Returns the value with its parts inserted. Documents become `JsonText`. */
export const withParts = (value: unknown, parts: ReadonlyArray<BodyPart>): unknown => {
  if (typeof value === "string") {
    const part = value.startsWith(mark) ? parts[Number(value.slice(mark.length))] : undefined
    return part === undefined ? value : "text" in part ? part.text : new JsonText(part.json)
  }
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withParts(item, parts))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withParts(field, parts)]))
}
