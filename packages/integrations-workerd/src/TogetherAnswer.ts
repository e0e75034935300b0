/** Answers to events that were asked for in one request, as they come (see `TogetherScript`). */
import { type Answered, type AskedEvent, saidIn } from "./Answered.ts"
import { EventPackets, type ToldAnswer } from "./EventPackets.ts"
import type { AnswerBody, Whole } from "./ProgramAnswer.ts"
import type { Exchange, Head, Listener } from "./ProgramSocket.ts"

export type WholeBody = Pick<AnswerBody, "whole">

/** Body of one answer, once it is there. */
class ToldBody implements WholeBody {
  #read: Whole | undefined
  #done: ((read: Whole) => void) | undefined

  constructor(read: Whole | undefined) {
    this.#read = read
  }

  whole(maxBytes: number, done: (read: Whole) => void): void {
    this.#done = (read) => done(typeof read !== "string" && read.byteLength > maxBytes ? "too large" : read)
    if (this.#read !== undefined) this.#done(this.#read)
  }

  give(read: Whole): void {
    this.#read ??= read
    this.#done?.(read)
  }
}

/** Ends of those that have no answer, by why they have none. */
export interface Unanswered {
  /** Their process has failed. */
  readonly failed: (events: ReadonlyArray<AskedEvent<WholeBody>>) => void
  /** Their process says what can't be read, or that it can't answer. */
  readonly spoilt: (events: ReadonlyArray<AskedEvent<WholeBody>>) => void
  /** Their request was ended by `workerd`, unless its process has. */
  readonly ended: (events: ReadonlyArray<AskedEvent<WholeBody>>) => void
}

/** Answers to several events as they come. */
export class TogetherAnswer implements Listener {
  readonly #id: string
  /** Those that are not all answered, by their numbers. */
  readonly #left: Map<number, { readonly event: AskedEvent<WholeBody>; body?: ToldBody }>
  readonly #unanswered: Unanswered
  readonly #packets: EventPackets
  #exchange: Exchange | undefined
  #isOfEntry = false
  #isReadable = true

  /** Answers to these events by their numbers, of at most so many bytes each. */
  constructor(
    id: string,
    events: ReadonlyArray<readonly [number: number, event: AskedEvent<WholeBody>]>,
    maxBytes: number,
    unanswered: Unanswered
  ) {
    this.#id = id
    this.#left = new Map(events.map(([number, event]) => [number, { event }]))
    this.#unanswered = unanswered
    this.#packets = new EventPackets(events.length, maxBytes, (told) => this.#hear(told))
  }

  asked(exchange: Exchange): void {
    this.#exchange = exchange
  }

  head(head: Head): void {
    const said = saidIn(head, this.#id)
    this.#isOfEntry = said !== undefined
    this.#isReadable = said !== "failed"
  }

  data(bytes: Uint8Array): boolean {
    if (!this.#isOfEntry || !this.#isReadable) return true
    if (!this.#packets.take(bytes as Buffer)) this.#giveUp()
    return true
  }

  end(): void {
    // One that is not the entry's is of `workerd`, to what nothing would ever answer.
    if (this.#isOfEntry) this.#unanswered.spoilt(this.#rest())
    else this.#unanswered.ended(this.#rest())
    this.#over()
  }

  fail(): void {
    for (const { body } of this.#left.values()) body?.give("cut off")
    if (!this.#isOfEntry) this.#unanswered.failed(this.#rest())
    else if (this.#isReadable) this.#unanswered.ended(this.#rest())
    else this.#unanswered.spoilt(this.#rest())
    this.#over()
  }

  /** Nothing more comes of those that have begun to answer. Of the others it is found out yet. */
  #over(): void {
    for (const { event, body } of this.#left.values()) if (body !== undefined) event.answerOver()
  }

  #giveUp(): void {
    this.#isReadable = false
    this.#exchange?.abort()
  }

  /** Those of which nothing was heard. The body of an answer that did not come is late: whoever waits for it knows. */
  #rest(): ReadonlyArray<AskedEvent<WholeBody>> {
    return Array.from(this.#left.values()).flatMap(({ event, body }) => (body === undefined ? [event] : []))
  }

  #hear({ number, status, rawHeaders, isDone, body }: ToldAnswer): void {
    const known = this.#left.get(number)
    // Nothing was asked of that number, or it was answered.
    if (known === undefined) return this.#giveUp()
    if (body !== undefined) this.#left.delete(number)
    if (body !== undefined) known.event.answerOver()
    if (known.body !== undefined) {
      known.event.run.answered(status, isDone)
      if (body !== undefined) known.body.give(body)
      return
    }
    known.body = new ToldBody(body)
    known.event.answered(wholeAnswer(status, rawHeaders, isDone, known.body))
  }
}

const wholeAnswer = (
  status: number,
  rawHeaders: ReadonlyArray<string>,
  isDone: boolean,
  body: WholeBody
): Answered<WholeBody> => ({ status, rawHeaders, isDone, body, cancel: () => {} })
