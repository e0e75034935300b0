/** Reads a `data:` URL: `data:text/markdown;base64,…`, or percent-encoded without `;base64`. */
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import { Slice } from "@lectern/core/storage/Slice"

export interface DataUrl {
  readonly bytes: Uint8Array
  /** Media type, including its parameters. */
  readonly contentType?: string
}

const maxHeadLength = 1024

export const isDataUrl = (url: string): boolean => /^data:/i.test(url)

/** Number of characters that are decoded at once. A multiple of four, so that base64 can be split at this length. */
const chunkLength = 64 * 1024

/** Decodes a data URL. Undefined if the URL is invalid. */
export const read = (url: string): DataUrl | undefined => {
  const steps = decodeSteps(url)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Decodes a data URL in time slices (see `Slice`); undefined if the URL is invalid. */
export const readInSlices = Effect.fnUntraced(function* (url: string) {
  const slice = yield* Slice.start
  const steps = decodeSteps(url)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (slice.isOver()) yield* slice.pause
  }
})

/** Decodes a data URL and yields after each piece. */
function* decodeSteps(url: string): Generator<void, DataUrl | undefined> {
  const comma = url.slice(0, maxHeadLength).indexOf(",")
  if (!isDataUrl(url) || comma === -1) return undefined
  const head = url.slice("data:".length, comma).trim()
  const contentType = head.replace(/;\s*base64$/i, "").trim()
  const payload = url.slice(comma + 1)
  const bytes = contentType === head ? yield* percentDecode(payload) : yield* base64(payload)
  return bytes && { bytes, ...(contentType !== "" && { contentType }) }
}

function* base64(written: string): Generator<void, Uint8Array | undefined> {
  const decoder = new TextDecoder()
  const plain = written.includes("%") ? decoder.decode(yield* percentDecode(written)) : written
  yield
  const text = plain.replace(/[\r\n]/g, "")
  const parts: Array<Uint8Array> = []
  for (let from = 0; from < text.length; from += chunkLength) {
    yield
    const chunk = text.slice(from, from + chunkLength)
    // Padding is allowed only at the end of the last piece.
    if (from + chunkLength < text.length && chunk.includes("=")) return undefined
    const decoded = Base64.decode(chunk)
    if (Result.isFailure(decoded)) return undefined
    parts.push(decoded.success)
  }
  return concatenate(parts)
}

const concatenate = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    result.set(part, offset)
    offset += part.length
  }
  return result
}

const percentCode = 37

/** Decodes percent escapes to bytes. A percent sign without two hexadecimal digits stays. */
function* percentDecode(text: string): Generator<void, Uint8Array> {
  const encoder = new TextEncoder()
  const parts: Array<Uint8Array> = []
  for (let from = 0; from < text.length;) {
    yield
    const end = chunkEnd(text, from)
    parts.push(percentDecodeChunk(encoder.encode(text.slice(from, end))))
    from = end
  }
  return concatenate(parts)
}

/** Returns the end of a piece, moved back so that it splits neither a surrogate pair nor a percent escape. */
const chunkEnd = (text: string, from: number): number => {
  const end = from + chunkLength
  if (end >= text.length) return text.length
  const percentIndex = text.slice(end - 2, end).indexOf("%")
  if (percentIndex !== -1) return end - 2 + percentIndex
  const last = text.charCodeAt(end - 1)
  return last >= 0xd8_00 && last <= 0xdb_ff ? end - 1 : end
}

const percentDecodeChunk = (bytes: Uint8Array): Uint8Array => {
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const high = bytes[i] === percentCode ? hexDigit(bytes[i + 1]) : undefined
    const low = high === undefined ? undefined : hexDigit(bytes[i + 2])
    bytes[length++] = low === undefined ? bytes[i]! : high! * 16 + low
    if (low !== undefined) i += 2
  }
  return bytes.subarray(0, length)
}

const hexDigit = (code: number | undefined): number | undefined => {
  const value = code === undefined ? -1 : "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase())
  return value === -1 ? undefined : value
}
