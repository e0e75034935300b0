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
/**
 * Minimum length of a part, in characters. A string of more than 128 KiB is a large object of V8, with memory of its own.
 * A string of 91 Ki characters took 1.3 ms to join, and three parts of it 0.02 ms.
 */
const chunkLength = 32 * 1024

/** Serialized HTML in parts. No element that was serialized as one piece is split between parts. */
export type HtmlChunks = ReadonlyArray<string>

/** Serializes HTML to parts of 32 Ki characters or more. */
export const serialize = Effect.fnUntraced(function* (html: Html): Effect.fn.Return<HtmlChunks> {
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
      if (size >= chunkLength) endChunk()
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

const encoder = new TextEncoder()

/** Buffer for texts of up to 256 Ki characters. New memory for each text would take several times as long. */
const scratchLength = 256 * 1024
let scratch: Uint8Array | undefined

/** Encodes the text as UTF-8. */
export const encode = Effect.fnUntraced(function* (chunks: HtmlChunks) {
  if (chunks.reduce((sum, { length }) => sum + length, 0) <= scratchLength) {
    // A UTF-16 code unit takes up to 3 bytes in UTF-8.
    scratch ??= new Uint8Array(3 * scratchLength)
    let length = 0
    for (const part of chunks) length += encoder.encodeInto(part, scratch.subarray(length)).written
    return scratch.slice(0, length)
  }
  const encodedParts = yield* mapChunks(chunks, (part) => encoder.encode(part))
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
