/**
 * Parses the packets in which the entry responds to several events of one request (see `BatchScript`).
 *
 * Limit: 128 KiB of a packet's line for each event. The size of bodies is limited by the request.
 */
import type { BodyResult } from "./ProgramResponse.ts"

/** Response to one event. `body` is undefined if a later packet contains it. */
export interface PacketItem {
  readonly number: number
  readonly status: number
  readonly rawHeaders: ReadonlyArray<string>
  readonly isDone: boolean
  readonly body: BodyResult | undefined
}

const maxLine = 128 * 1024
const lineEnd = 10

type PacketLine = readonly [
  number: number,
  status: number,
  rawHeaders: ReadonlyArray<string>,
  isDone: boolean,
  body: number | "too large" | "cut off" | null
]

export class ResponsePackets {
  readonly #maxBytes: number
  readonly #maxLine: number
  readonly onItem: (item: PacketItem) => void
  /** Received bytes of an incomplete packet. Parsing resumes once `#wanted` bytes have arrived. */
  #receivedChunks: Array<Buffer> = []
  #size = 0
  #neededBytes = 0

  constructor(events: number, maxBytes: number, onItem: (item: PacketItem) => void) {
    this.#maxBytes = maxBytes
    this.#maxLine = events * maxLine
    this.onItem = onItem
  }

  /** Parses received bytes. Returns false if they are invalid. */
  push(bytes: Buffer): boolean {
    this.#receivedChunks.push(bytes)
    this.#size += bytes.length
    if (this.#size < this.#neededBytes) return true
    let unreadBytes = this.#receivedChunks.length === 1 ? bytes : Buffer.concat(this.#receivedChunks)
    while (unreadBytes.length > 0) {
      const readLength = this.#read(unreadBytes)
      if (readLength === undefined) return false
      if (readLength === 0) break
      unreadBytes = unreadBytes.subarray(readLength)
      this.#neededBytes = 0
    }
    this.#receivedChunks = unreadBytes.length === 0 ? [] : [unreadBytes]
    this.#size = unreadBytes.length
    return true
  }

  /** Parses a packet and returns its length. 0 = incomplete, undefined = invalid. */
  #read(bytes: Buffer): number | undefined {
    const lineLength = bytes.indexOf(lineEnd)
    if (lineLength === -1) {
      this.#neededBytes = 2 * bytes.length
      return bytes.length > this.#maxLine ? undefined : 0
    }
    const line = lineIn(bytes.toString("utf8", 0, lineLength), this.#maxBytes)
    if (line === undefined) return undefined
    let offset = lineLength + 1
    const size = line.reduce((sum, [, , , , body]) => sum + (typeof body === "number" ? body : 0), offset)
    if (size > bytes.length) {
      this.#neededBytes = size
      return 0
    }
    for (const [number, status, rawHeaders, isDone, bodyField] of line) {
      const body =
        typeof bodyField === "number" ? bytes.subarray(offset, (offset += bodyField)) : (bodyField ?? undefined)
      this.onItem({ number, status, rawHeaders, isDone, body })
    }
    return size
  }
}

/** Parses the line of a packet. Returns undefined if it is invalid, since a script may break the entry. */
const lineIn = (text: string, maxBytes: number): ReadonlyArray<PacketLine> | undefined => {
  try {
    const line: unknown = JSON.parse(text)
    return Array.isArray(line) && line.every((entry) => isLine(entry, maxBytes)) ? line : undefined
  } catch {
    return undefined
  }
}

const isLine = (entry: unknown, maxBytes: number): entry is PacketLine => {
  if (!Array.isArray(entry)) return false
  const [number, status, rawHeaders, isDone, body] = entry as ReadonlyArray<unknown>
  return (
    Number.isSafeInteger(number) &&
    Number.isSafeInteger(status) &&
    typeof isDone === "boolean" &&
    Array.isArray(rawHeaders) &&
    rawHeaders.every((part) => typeof part === "string") &&
    (body === null ||
      body === "too large" ||
      body === "cut off" ||
      (Number.isSafeInteger(body) && (body as number) >= 0 && (body as number) <= maxBytes))
  )
}
