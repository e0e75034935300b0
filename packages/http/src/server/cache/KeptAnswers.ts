/**
 * Answers that are kept, by the tokens that asked one question, and the memory that they take: bodies once, however many
 * tokens were answered the same, and what is noted beside them for each.
 */
import type { Reads } from "@lectern/core/storage/Reads"
import type { HttpBody, HttpServerResponse } from "effect/http"
import type { Again } from "../Beside.ts"
import type { Noted } from "../Observation.ts"
import type { Liked, Mark } from "./Admission.ts"
import type { Reading } from "./Reading.ts"

export interface KeptResponse {
  /** The request that it was the answer to; undefined where nobody watches. */
  readonly noted: Noted | undefined
  readonly response: HttpServerResponse.HttpServerResponse
  /** Headers beside its own that are the same each time. */
  readonly headers: Readonly<Record<string, string>>
  /** By which its caller is counted; undefined where nobody counts. */
  readonly caller: string | undefined
  /** Told each time that it is given again, if anybody has to know. */
  readonly again?: Again | undefined
}

/** An answer that is kept. Its fields stand together in memory, of which little else is looked at to give it again. */
export class Entry implements KeptResponse, Liked {
  readonly token: string
  readonly mark: Mark
  readonly until: number
  readonly reads: Reads
  readonly response: KeptResponse["response"]
  readonly headers: KeptResponse["headers"]
  readonly noted: KeptResponse["noted"]
  readonly caller: KeptResponse["caller"]
  readonly again: KeptResponse["again"]
  /** How often the question is answered without keeping that, once this is over and was not given. */
  readonly pause: number
  /** The generation in which it was last known to hold. */
  seen: number
  /** It was given again, so to keep it was worth it. */
  isGiven = false
  /** It holds no more. */
  isOver = false
  /** How often its question was not kept by now. */
  paused = 0
  given = 0
  age = 0

  constructor({ token, mark, clock, reads }: Reading, kept: KeptResponse, generation: number, pause: number) {
    this.token = token
    this.mark = mark
    this.until = clock.holdsUntil
    this.reads = reads
    this.response = kept.response
    this.headers = kept.headers
    this.noted = kept.noted
    this.caller = kept.caller
    this.again = kept.again
    this.pause = pause
    this.seen = generation
  }
}

/** Answers to one question by several tokens, and how many of them have each body. */
interface Many {
  readonly byToken: Map<string, Entry>
  readonly bodies: Map<HttpBody.HttpBody, number>
}

/**
 * Answers to one question. Who asks gets an answer of its own, though most bodies are the same. Most questions are one
 * token's alone, and what is kept for long costs more to be made than what is not: there are no maps for one.
 */
export class Answers {
  /** Bytes. */
  size: number
  #only: Entry | undefined
  #many: Many | undefined

  constructor(question: string) {
    this.size = question.length
  }

  get entries(): ReadonlyArray<Entry> {
    return this.#many === undefined ? (this.#only === undefined ? [] : [this.#only]) : [...this.#many.byToken.values()]
  }

  get(token: string): Entry | undefined {
    if (this.#only === undefined) return this.#many?.byToken.get(token)
    return this.#only.token === token ? this.#only : undefined
  }

  add(entry: Entry): void {
    const { token } = entry
    const before = this.get(token)
    if (before === undefined) this.size += overhead + token.length
    this.size += sizeOf(entry) - (before === undefined ? 0 : sizeOf(before))
    if (this.#many === undefined && (this.#only === undefined || before !== undefined)) {
      this.size += bytesOf(entry.response.body) - (before === undefined ? 0 : bytesOf(before.response.body))
      this.#only = entry
      return
    }
    const many = (this.#many ??= manyOf(this.#only!))
    this.#only = undefined
    many.byToken.set(token, entry)
    if (before !== undefined) this.#count(many, before, -1)
    this.#count(many, entry, 1)
  }

  #count({ bodies }: Many, { response: { body } }: Entry, more: 1 | -1): void {
    const known = bodies.get(body) ?? 0
    if (known + more === 0) bodies.delete(body)
    else bodies.set(body, known + more)
    if (known === 0 || known + more === 0) this.size += more * bytesOf(body)
  }
}

const manyOf = (entry: Entry): Many => ({
  byToken: new Map([[entry.token, entry]]),
  bodies: new Map([[entry.response.body, 1]])
})

/** Twice as long as the last time where that was for nothing, too. */
export const pauseBehind = (before: Entry | undefined): number =>
  before === undefined || before.isGiven ? 0 : Math.min(2 * before.pause + 1, longestPause)

/** Memory that it takes to know what an answer was read from. */
const sizeOf = ({ reads }: Entry): number => reads.tags.size * thingSize

/** Memory that a body takes. A text that is not all ASCII takes two bytes for each character. */
const bytesOf = (body: HttpBody.HttpBody): number => {
  if (body._tag !== "Uint8Array") return 0
  const { text, contentLength } = body
  return text === undefined || text.length === contentLength ? contentLength : 2 * text.length
}

/** For how many asks at most no answer is kept, where none held until the next. */
const longestPause = 15

/** Cost of an answer beside its body: headers and objects (bytes). */
const overhead = 1_500
/** Cost of the name of something that it was read from (bytes). */
const thingSize = 120
