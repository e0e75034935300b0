/**
 * Parses large JSON in slices. A thread splits the JSON into pieces that each parse quickly.
 *
 * Limits: a piece has up to 64 KiB of JSON, or is one longer text. Short JSON is one piece.
 */
import { Effect } from "effect"
import { Slice } from "../storage/Slice.ts"

export const pieceLength = 64 * 1024

/** JSON, or an object or array whose parts are split. Short neighbours share a piece. */
export type Piece =
  | string
  /** Entries in order: JSON of an object with several entries, or one large entry. */
  | { readonly object: ReadonlyArray<string | readonly [name: string, value: Piece]> }
  /** Items in order: JSON of an array with several items, or one large item. */
  | { readonly array: ReadonlyArray<string | { readonly item: Piece }> }

/** Splits a value into pieces. Runs in a thread. */
export const splitValue = (value: unknown): Piece => makeSplitter()(value)

type Parse = (json: string) => unknown

/** Returns the value of the pieces. `parse`: parses a piece. Default: `JSON.parse`. */
export const join = (piece: Piece, parse: Parse = JSON.parse): Effect.Effect<unknown> =>
  Effect.flatMap(Slice.start, (slice) => parsePiece(piece, slice, parse))

const parsePiece = (piece: Piece, slice: Slice, parse: Parse): Effect.Effect<unknown> => {
  if (typeof piece === "string") {
    return slice.isOver() ? Effect.map(slice.pause, () => parse(piece)) : Effect.sync(() => parse(piece))
  }
  return "array" in piece ? parseArray(piece.array, slice, parse) : parseObject(piece.object, slice, parse)
}

type ObjectParts = Extract<Piece, { object: unknown }>["object"]
type ArrayParts = Extract<Piece, { array: unknown }>["array"]

const parseObject = Effect.fnUntraced(function* (parts: ObjectParts, slice: Slice, parse: Parse) {
  const entries: Array<readonly [string, unknown]> = []
  for (const part of parts) {
    if (typeof part !== "string") entries.push([part[0], yield* parsePiece(part[1], slice, parse)])
    else for (const entry of Object.entries((yield* parsePiece(part, slice, parse)) as object)) entries.push(entry)
  }
  return Object.fromEntries(entries)
})

const parseArray = Effect.fnUntraced(function* (parts: ArrayParts, slice: Slice, parse: Parse) {
  const items: Array<unknown> = []
  for (const part of parts) {
    if (typeof part !== "string") items.push(yield* parsePiece(part.item, slice, parse))
    else for (const item of (yield* parsePiece(part, slice, parse)) as ReadonlyArray<unknown>) items.push(item)
  }
  return items
})

const makeSplitter = () => {
  /** Approximate length of the JSON of objects. Each object is measured once. */
  const lengths = new Map<object, number>()
  const lengthOf = (value: unknown): number => {
    if (typeof value === "string") return value.length + 2
    if (typeof value !== "object" || value === null) return 8
    let length = lengths.get(value)
    if (length === undefined) {
      length = 2
      for (const [name, part] of Object.entries(value)) length += name.length + 4 + lengthOf(part)
      lengths.set(value, length)
    }
    return length
  }

  const splitPart = (value: unknown): Piece => {
    if (typeof value !== "object" || value === null || lengthOf(value) <= pieceLength) return JSON.stringify(value)
    return Array.isArray(value)
      ? { array: grouped(value, JSON.stringify, (item) => ({ item: splitPart(item) })) }
      : { object: grouped(Object.entries(value), fromEntries, ([name, part]) => [name, splitPart(part)] as const) }
  }

  /** Groups short neighbours. A long part stays separate. */
  const grouped = <A, Large>(
    parts: ReadonlyArray<A>,
    jsonOf: (group: ReadonlyArray<A>) => string,
    large: (part: A) => Large
  ): ReadonlyArray<string | Large> => {
    const pieces: Array<string | Large> = []
    let group: Array<A> = []
    let length = 0
    const end = () => {
      if (group.length > 0) pieces.push(jsonOf(group))
      group = []
      length = 0
    }
    for (const part of parts) {
      const partLength = lengthOf(part) + 1
      if (length + partLength > pieceLength) end()
      if (partLength > pieceLength) pieces.push(large(part))
      else {
        group.push(part)
        length += partLength
      }
    }
    end()
    return pieces
  }

  return splitPart
}

const fromEntries = (entries: ReadonlyArray<readonly [string, unknown]>) => JSON.stringify(Object.fromEntries(entries))
