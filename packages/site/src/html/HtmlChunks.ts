/**
 * Serializes HTML with pauses for other work. Pauses depend on characters and steps, so long texts, large attributes,
 * long lists and large blocks all pause.
 *
 * Limit: after its time slice ends, serialization pauses within 16 Ki characters or 256 steps.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { Slice } from "@lectern/core/storage/Slice"
import { Effect } from "effect"
import { Html, HtmlPieces, trusted } from "./Html.ts"

/** Work, in characters, between two checks of the clock. */
const pauseLength = 16 * 1024
/** Work of a step in addition to its characters. */
const stepCost = 64
/** Minimum length of a part, in characters. */
const chunkLength = 64 * 1024

/** Serialized HTML in parts. No element that was serialized as one piece is split between parts. */
export type HtmlChunks = ReadonlyArray<string>

/** Serializes HTML to parts of 64 Ki characters or more. */
export const serialize = (html: Html): Effect.Effect<HtmlChunks> => serializeChunks(html, chunkLength)

/**
 * Serializes HTML so that each existing part of 64 Ki characters or more stays separate. Everything between existing
 * parts becomes one part.
 */
export const serializeKeepingLargeChunks = (html: Html): Effect.Effect<HtmlChunks> => serializeChunks(html, Infinity)

const serializeChunks = Effect.fnUntraced(function* (html: Html, length: number) {
  const chunks: Array<string> = []
  const slice = yield* Slice.start
  const pieces = new HtmlPieces([html])
  let pendingPieces: Array<string> = []
  let size = 0
  let workSincePause = 0
  const endChunk = () => {
    if (pendingPieces.length > 0) chunks.push(pendingPieces.join(""))
    pendingPieces = []
    size = 0
  }
  for (let piece = pieces.next(); piece !== undefined; piece = pieces.next()) {
    if (piece.length >= chunkLength) {
      endChunk()
      chunks.push(piece)
    } else if (piece !== "") {
      pendingPieces.push(piece)
      size += piece.length
      if (size >= length) endChunk()
    }
    workSincePause += piece.length + stepCost
    if (workSincePause < pauseLength) continue
    workSincePause = 0
    if (slice.isOver()) yield* slice.pause
  }
  endChunk()
  return chunks
})

/** Returns the HTML of serialized parts. */
export const concatenate = (chunks: HtmlChunks): Html => Html.of(chunks.map(trusted))

/** Maps each part, with pauses in between. */
export const mapChunks = Effect.fnUntraced(function* <A>(chunks: HtmlChunks, transform: (part: string) => A) {
  const slice = yield* Slice.start
  const results: Array<A> = []
  for (const part of chunks) {
    results.push(transform(part))
    if (slice.isOver()) yield* slice.pause
  }
  return results
})

/** Encodes the text as UTF-8. */
export const encode = Effect.fnUntraced(function* (chunks: HtmlChunks) {
  const encoder = new TextEncoder()
  const encodedParts = yield* mapChunks(chunks, (part) => encoder.encode(part))
  if (encodedParts.length === 1) return encodedParts[0]!
  const allBytes = new Uint8Array(encodedParts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of encodedParts) {
    allBytes.set(part, offset)
    offset += part.length
  }
  return allBytes
})

/** Returns a hash of the text and of the boundaries of its parts. */
export const hashChunks = ({ sha256 }: Pick<Hasher["Service"], "sha256">, chunks: HtmlChunks): Effect.Effect<string> =>
  Effect.map(
    mapChunks(chunks, (part) => sha256(part)),
    (hashes) => (hashes.length === 1 ? hashes[0]! : sha256(hashes.join(" ")))
  )
