/**
 * Serializes HTML with pauses for other work. Pauses depend on characters and steps, so long texts, large attributes,
 * long lists and large blocks all pause.
 *
 * Limit: after its time slice ends, serialization pauses within 16 Ki characters or 256 steps.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { Slice } from "@lectern/core/storage/Slice"
import { Effect } from "effect"
import { Html, Pieces, trusted } from "./Html.ts"

/** Work, in characters, between two checks of the clock. */
const most = 16 * 1024
/** Work of a step in addition to its characters. */
const step = 64
/** Minimum length of a part, in characters. */
const partLength = 64 * 1024

/** Serialized HTML in parts. No element that was serialized as one piece is split between parts. */
export type Parts = ReadonlyArray<string>

/** Serializes HTML to parts of 64 Ki characters or more. */
export const parts = (html: Html): Effect.Effect<Parts> => write(html, partLength)

/**
 * Serializes HTML so that each existing part of 64 Ki characters or more stays separate. Everything between existing
 * parts becomes one part.
 */
export const around = (html: Html): Effect.Effect<Parts> => write(html, Infinity)

const write = Effect.fnUntraced(function* (html: Html, length: number) {
  const written: Array<string> = []
  const slice = yield* Slice.start
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
    if (slice.isOver()) yield* slice.pause
  }
  end()
  return written
})

/** Returns the HTML of serialized parts. */
export const joined = (all: Parts): Html => Html.of(all.map(trusted))

/** Maps each part, with pauses in between. */
export const map = Effect.fnUntraced(function* <A>(all: Parts, change: (part: string) => A) {
  const slice = yield* Slice.start
  const changed: Array<A> = []
  for (const part of all) {
    changed.push(change(part))
    if (slice.isOver()) yield* slice.pause
  }
  return changed
})

/** Encodes the text as UTF-8. */
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

/** Returns a hash of the text and of the boundaries of its parts. */
export const hash = ({ sha256 }: Pick<Hasher["Service"], "sha256">, all: Parts): Effect.Effect<string> =>
  Effect.map(
    map(all, (part) => sha256(part)),
    (hashes) => (hashes.length === 1 ? hashes[0]! : sha256(hashes.join(" ")))
  )
