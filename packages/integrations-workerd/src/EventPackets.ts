/**
 * Reads the packets in which the entry answers events that it was asked for together (see `TogetherScript`), as they
 * come.
 *
 * Limit: 128 KiB of the line of a packet for each event; the bodies as long as was asked for.
 */
import type { Whole } from "./ProgramAnswer.ts"

/** All that is said of one event: `body` is undefined where it is yet to come. */
export interface ToldAnswer {
  readonly number: number
  readonly status: number
  readonly rawHeaders: ReadonlyArray<string>
  readonly isDone: boolean
  readonly body: Whole | undefined
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
  readonly #tell: (told: ToldAnswer) => void
  /** Part that was read of a packet that is not all there, and how long that has to be at least before it is looked at again. */
  #held: Array<Buffer> = []
  #size = 0
  #wanted = 0

  constructor(events: number, maxBytes: number, tell: (told: ToldAnswer) => void) {
    this.#maxBytes = maxBytes
    this.#maxLine = events * maxLine
    this.#tell = tell
  }

  /** Answers false where this can't be read. */
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

  /** Reads a packet, and answers its length: 0 where not all of it is there, undefined where it is none. */
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
      this.#tell({ number, status, rawHeaders, isDone, body })
    }
    return size
  }
}

/** A line as the entry writes it: a script may have changed what that writes with. */
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
