/** Receives the responses to the events of one request, in packets (see `TogetherScript`). */
import { type EventResponse, type PendingEvent, stateIn } from "./Answered.ts"
import { EventPackets, type PacketItem } from "./EventPackets.ts"
import type { ResponseBody, WholeBody } from "./ProgramAnswer.ts"
import type { Exchange, Head, Listener } from "./ProgramSocket.ts"

export type BufferedBody = Pick<ResponseBody, "whole">

/** Body of one response. It may arrive later than the headers of the response. */
class PendingBody implements BufferedBody {
  #read: WholeBody | undefined
  #done: ((read: WholeBody) => void) | undefined

  constructor(read: WholeBody | undefined) {
    this.#read = read
  }

  whole(maxBytes: number, done: (read: WholeBody) => void): void {
    this.#done = (read) => done(typeof read !== "string" && read.byteLength > maxBytes ? "too large" : read)
    if (this.#read !== undefined) this.#done(this.#read)
  }

  give(read: WholeBody): void {
    this.#read ??= read
    this.#done?.(read)
  }
}

/** Handlers for events without a response, by reason. */
export interface Unanswered {
  /** The process has failed. */
  readonly failed: (events: ReadonlyArray<PendingEvent<BufferedBody>>) => void
  /** The entry has sent invalid packets or has reported a failure. */
  readonly spoilt: (events: ReadonlyArray<PendingEvent<BufferedBody>>) => void
  /** `workerd` has ended the request, or the process has ended. */
  readonly ended: (events: ReadonlyArray<PendingEvent<BufferedBody>>) => void
}

/** Listener for the response to a request with several events. */
export class BatchResponse implements Listener {
  readonly #id: string
  /** Events without a complete response, by number. */
  readonly #left: Map<number, { readonly event: PendingEvent<BufferedBody>; body?: PendingBody }>
  readonly #unanswered: Unanswered
  readonly #packets: EventPackets
  #exchange: Exchange | undefined
  #isOfEntry = false
  #isReadable = true

  /** `maxBytes`: maximum size of the body of each response. */
  constructor(
    id: string,
    events: ReadonlyArray<readonly [number: number, event: PendingEvent<BufferedBody>]>,
    maxBytes: number,
    unanswered: Unanswered
  ) {
    this.#id = id
    this.#left = new Map(events.map(([number, event]) => [number, { event }]))
    this.#unanswered = unanswered
    this.#packets = new EventPackets(events.length, maxBytes, (item) => this.#handleItem(item))
  }

  started(exchange: Exchange): void {
    this.#exchange = exchange
  }

  head(head: Head): void {
    const state = stateIn(head, this.#id)
    this.#isOfEntry = state !== undefined
    this.#isReadable = state !== "failed"
  }

  data(bytes: Uint8Array): boolean {
    if (!this.#isOfEntry || !this.#isReadable) return true
    if (!this.#packets.take(bytes as Buffer)) this.#giveUp()
    return true
  }

  end(): void {
    // A response without the marker of the entry means that `workerd` has cancelled the request.
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

  /** Ends the responses that have started. The handlers of `Unanswered` handle all other events. */
  #over(): void {
    for (const { event, body } of this.#left.values()) if (body !== undefined) event.answerOver()
  }

  #giveUp(): void {
    this.#isReadable = false
    this.#exchange?.abort()
  }

  /** Returns the events without a response. A response whose body is missing ends by its timeout. */
  #rest(): ReadonlyArray<PendingEvent<BufferedBody>> {
    return Array.from(this.#left.values()).flatMap(({ event, body }) => (body === undefined ? [event] : []))
  }

  #handleItem({ number, status, rawHeaders, isDone, body }: PacketItem): void {
    const known = this.#left.get(number)
    // The number is unknown or has a response already.
    if (known === undefined) return this.#giveUp()
    if (body !== undefined) this.#left.delete(number)
    if (body !== undefined) known.event.answerOver()
    if (known.body !== undefined) {
      known.event.run.answered(status, isDone)
      if (body !== undefined) known.body.give(body)
      return
    }
    known.body = new PendingBody(body)
    known.event.respond(wholeAnswer(status, rawHeaders, isDone, known.body))
  }
}

const wholeAnswer = (
  status: number,
  rawHeaders: ReadonlyArray<string>,
  isDone: boolean,
  body: BufferedBody
): EventResponse<BufferedBody> => ({ status, rawHeaders, isDone, body, cancel: () => {} })
