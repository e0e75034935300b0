/**
 * Parses the packets in which the entry responds to several events of one request (see `TogetherScript`).
 *
 * Limit: 128 KiB of a packet's line for each event. The size of bodies is limited by the request.
 */
import type { WholeBody } from "./ProgramAnswer.ts"

/** Response to one event. `body` is undefined if a later packet contains it. */
export interface PacketItem {
  readonly number: number
  readonly status: number
  readonly rawHeaders: ReadonlyArray<string>
  readonly isDone: boolean
  readonly body: WholeBody | undefined
}

const maxLine = 128 * 1024
const lineEnd = 10

type Line = readonly [
  number: number,
  status: number,
  rawHeaders: ReadonlyArray<string>,
  isDone: boolean,
  body: number | "too large" | "cut off" | null
]

export class EventPackets {
  readonly #maxBytes: number
  readonly #maxLine: number
  readonly onItem: (item: PacketItem) => void
  /** Received bytes of an incomplete packet. Parsing resumes once `#wanted` bytes have arrived. */
  #held: Array<Buffer> = []
  #size = 0
  #wanted = 0

  constructor(events: number, maxBytes: number, tell: (told: PacketItem) => void) {
    this.#maxBytes = maxBytes
    this.#maxLine = events * maxLine
    this.onItem = tell
  }

  /** Parses received bytes. Returns false if they are invalid. */
  take(bytes: Buffer): boolean {
    this.#held.push(bytes)
    this.#size += bytes.length
    if (this.#size < this.#wanted) return true
    let rest = this.#held.length === 1 ? bytes : Buffer.concat(this.#held)
    while (rest.length > 0) {
      const read = this.#read(rest)
      if (read === undefined) return false
      if (read === 0) break
      rest = rest.subarray(read)
      this.#wanted = 0
    }
    this.#held = rest.length === 0 ? [] : [rest]
    this.#size = rest.length
    return true
  }

  /** Parses a packet and returns its length. 0 = incomplete, undefined = invalid. */
  #read(bytes: Buffer): number | undefined {
    const end = bytes.indexOf(lineEnd)
    if (end === -1) {
      this.#wanted = 2 * bytes.length
      return bytes.length > this.#maxLine ? undefined : 0
    }
    const line = lineIn(bytes.toString("utf8", 0, end), this.#maxBytes)
    if (line === undefined) return undefined
    let at = end + 1
    const size = line.reduce((sum, [, , , , body]) => sum + (typeof body === "number" ? body : 0), at)
    if (size > bytes.length) {
      this.#wanted = size
      return 0
    }
    for (const [number, status, rawHeaders, isDone, told] of line) {
      const body = typeof told === "number" ? bytes.subarray(at, (at += told)) : (told ?? undefined)
      this.onItem({ number, status, rawHeaders, isDone, body })
    }
    return size
  }
}

/** Parses the line of a packet. Returns undefined if it is invalid, since a script may break the entry. */
const lineIn = (text: string, maxBytes: number): ReadonlyArray<Line> | undefined => {
  try {
    const line: unknown = JSON.parse(text)
    return Array.isArray(line) && line.every((told) => isLine(told, maxBytes)) ? line : undefined
  } catch {
    return undefined
  }
}

const isLine = (told: unknown, maxBytes: number): told is Line => {
  if (!Array.isArray(told)) return false
  const [number, status, rawHeaders, isDone, body] = told as ReadonlyArray<unknown>
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
