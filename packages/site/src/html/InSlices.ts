/**
 * Writes HTML with rests for others, by the characters written and the steps taken: a long text, a large attribute, a
 * list of many items and a block that holds all of them rest alike.
 *
 * Limit: others have their turn behind 16 Ki characters, or 256 steps, once a slice is over.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { Slice } from "@lectern/core/storage/Slice"
import { Effect } from "effect"
import { Html, Pieces, trusted } from "./Html.ts"

/** Work (characters) between two looks at the clock. */
const most = 16 * 1024
/** Work of a step, whatever it writes. */
const step = 64
/** Characters of a part. */
const partLength = 64 * 1024

/** Text in parts, none of which ends within an element that was written in one piece. */
export type Parts = ReadonlyArray<string>

/** The text in parts of 64 Ki characters or more. */
export const parts = (html: Html): Effect.Effect<Parts> => write(html, partLength)

/** The text in which parts that were written before stand by themselves, and everything between them is one part. */
export const around = (html: Html): Effect.Effect<Parts> => write(html, Infinity)

const write = Effect.fnUntraced(function* (html: Html, length: number) {
  const written: Array<string> = []
  const slice = yield* Slice.begin
  const pieces = new Pieces([html])
  let open: Array<string> = []
  let size = 0
  let work = 0
  const end = () => {
    if (open.length > 0) written.push(open.join(""))
    open = []
    size = 0
  }
  for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) {
    if (piece.length >= partLength) {
      end()
      written.push(piece)
    } else if (piece !== "") {
      open.push(piece)
      size += piece.length
      if (size >= length) end()
    }
    work += piece.length + step
    if (work < most) continue
    work = 0
    if (slice.isOver()) yield* slice.rest
  }
  end()
  return written
})

/** HTML of parts that are written. */
export const joined = (all: Parts): Html => Html.of(all.map(trusted))

/** Each part by itself, with rests between. */
export const map = Effect.fnUntraced(function* <A>(all: Parts, change: (part: string) => A) {
  const slice = yield* Slice.begin
  const changed: Array<A> = []
  for (const part of all) {
    changed.push(change(part))
    if (slice.isOver()) yield* slice.rest
  }
  return changed
})

/** The text as UTF-8. */
export const bytes = Effect.fnUntraced(function* (all: Parts) {
  const encoder = new TextEncoder()
  const encoded = yield* map(all, (part) => encoder.encode(part))
  if (encoded.length === 1) return encoded[0]!
  const whole = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of encoded) {
    whole.set(part, at)
    at += part.length
  }
  return whole
})

/** A hash of the text and of where its parts end. */
export const hash = ({ sha256 }: Pick<Hasher["Service"], "sha256">, all: Parts): Effect.Effect<string> =>
  Effect.map(
    map(all, (part) => sha256(part)),
    (hashes) => (hashes.length === 1 ? hashes[0]! : sha256(hashes.join(" ")))
  )
