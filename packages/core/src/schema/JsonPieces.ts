/**
 * Unfolds large JSON in slices: a thread cuts it into pieces, and each takes no time to unfold.
 *
 * Limits: a piece has 64 KiB of JSON, or is one longer text; what is short is unfolded at once.
 */
import { Effect } from "effect"
import { Slice } from "../storage/Slice.ts"

export const pieceLength = 64 * 1024

/** JSON, or a value whose parts are told apart: neighbours that are short are pieces together. */
export type Piece =
  | string
  /** JSON of an object with some of the entries, or one entry, in their order. */
  | { readonly object: ReadonlyArray<string | readonly [name: string, value: Piece]> }
  /** JSON of an array with some of the items, or one item, in their order. */
  | { readonly array: ReadonlyArray<string | { readonly item: Piece }> }

/** For a thread: the pieces of a value. */
export const cut = (value: unknown): Piece => cutter()(value)

type Parse = (json: string) => unknown

/** Returns the value that was split. `parse`: parses a piece. Default: `JSON.parse`. */
export const join = (piece: Piece, parse: Parse = JSON.parse): Effect.Effect<unknown> =>
  Effect.flatMap(Slice.start, (slice) => unfoldPiece(piece, slice, parse))

const unfoldPiece = (piece: Piece, slice: Slice, parse: Parse): Effect.Effect<unknown> => {
  if (typeof piece === "string") {
    return slice.isOver() ? Effect.map(slice.pause, () => parse(piece)) : Effect.sync(() => parse(piece))
  }
  return "array" in piece ? unfoldArray(piece.array, slice, parse) : unfoldObject(piece.object, slice, parse)
}

type ObjectParts = Extract<Piece, { object: unknown }>["object"]
type ArrayParts = Extract<Piece, { array: unknown }>["array"]

const unfoldObject = Effect.fnUntraced(function* (parts: ObjectParts, slice: Slice, parse: Parse) {
  const entries: Array<readonly [string, unknown]> = []
  for (const part of parts) {
    if (typeof part !== "string") entries.push([part[0], yield* unfoldPiece(part[1], slice, parse)])
    else for (const entry of Object.entries((yield* unfoldPiece(part, slice, parse)) as object)) entries.push(entry)
  }
  return Object.fromEntries(entries)
})

const unfoldArray = Effect.fnUntraced(function* (parts: ArrayParts, slice: Slice, parse: Parse) {
  const items: Array<unknown> = []
  for (const part of parts) {
    if (typeof part !== "string") items.push(yield* unfoldPiece(part.item, slice, parse))
    else for (const item of (yield* unfoldPiece(part, slice, parse)) as ReadonlyArray<unknown>) items.push(item)
  }
  return items
})

const cutter = () => {
  /** About how long their JSON is: each is written once, however deep it is. */
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

  const cut = (value: unknown): Piece => {
    if (typeof value !== "object" || value === null || lengthOf(value) <= pieceLength) return JSON.stringify(value)
    return Array.isArray(value)
      ? { array: grouped(value, JSON.stringify, (item) => ({ item: cut(item) })) }
      : { object: grouped(Object.entries(value), fromEntries, ([name, part]) => [name, cut(part)] as const) }
  }

  /** Neighbours that are short together, the others each by itself. */
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
      const more = lengthOf(part) + 1
      if (length + more > pieceLength) end()
      if (more > pieceLength) pieces.push(large(part))
      else {
        group.push(part)
        length += more
      }
    }
    end()
    return pieces
  }

  return cut
}

const fromEntries = (entries: ReadonlyArray<readonly [string, unknown]>) => JSON.stringify(Object.fromEntries(entries))
