/** Receives the responses to the events of one request, in packets (see `BatchScript`). */
import { type EventResponse, type PendingEvent, stateIn } from "./EventResponse.ts"
import { ResponsePackets, type PacketItem } from "./ResponsePackets.ts"
import type { ResponseBody, BodyResult } from "./ProgramResponse.ts"
import type { Exchange, Head, Listener } from "./ProgramSocket.ts"

export type BufferedBody = Pick<ResponseBody, "readAll">

/** Body of one response. It may arrive later than the headers of the response. */
class PendingBody implements BufferedBody {
  #read: BodyResult | undefined
  #done: ((read: BodyResult) => void) | undefined

  constructor(read: BodyResult | undefined) {
    this.#read = read
  }

  readAll(maxBytes: number, done: (read: BodyResult) => void): void {
    this.#done = (read) => done(typeof read !== "string" && read.byteLength > maxBytes ? "too large" : read)
    if (this.#read !== undefined) this.#done(this.#read)
  }

  complete(read: BodyResult): void {
    this.#read ??= read
    this.#done?.(read)
  }
}

/** Handlers for events without a response, by reason. */
export interface IncompleteHandlers {
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
  readonly #incomplete: Map<number, { readonly event: PendingEvent<BufferedBody>; body?: PendingBody }>
  readonly #handlers: IncompleteHandlers
  readonly #packets: ResponsePackets
  #exchange: Exchange | undefined
  #isFromEntry = false
  #isReadable = true

  /** `maxBytes`: maximum size of the body of each response. */
  constructor(
    id: string,
    events: ReadonlyArray<readonly [number: number, event: PendingEvent<BufferedBody>]>,
    maxBytes: number,
    handlers: IncompleteHandlers
  ) {
    this.#id = id
    this.#incomplete = new Map(events.map(([number, event]) => [number, { event }]))
    this.#handlers = handlers
    this.#packets = new ResponsePackets(events.length, maxBytes, (item) => this.#handleItem(item))
  }

  started(exchange: Exchange): void {
    this.#exchange = exchange
  }

  head(head: Head): void {
    const state = stateIn(head, this.#id)
    this.#isFromEntry = state !== undefined
    this.#isReadable = state !== "failed"
  }

  data(bytes: Uint8Array): boolean {
    if (!this.#isFromEntry || !this.#isReadable) return true
    if (!this.#packets.push(bytes as Buffer)) this.#abort()
    return true
  }

  end(): void {
    // A response without the marker of the entry means that `workerd` has cancelled the request.
    if (this.#isFromEntry) this.#handlers.spoilt(this.#withoutResponse())
    else this.#handlers.ended(this.#withoutResponse())
    this.#endStarted()
  }

  fail(): void {
    for (const { body } of this.#incomplete.values()) body?.complete("cut off")
    if (!this.#isFromEntry) this.#handlers.failed(this.#withoutResponse())
    else if (this.#isReadable) this.#handlers.ended(this.#withoutResponse())
    else this.#handlers.spoilt(this.#withoutResponse())
    this.#endStarted()
  }

  /** Ends the responses that have started. The handlers of `Unanswered` handle all other events. */
  #endStarted(): void {
    for (const { event, body } of this.#incomplete.values()) if (body !== undefined) event.responseEnded()
  }

  #abort(): void {
    this.#isReadable = false
    this.#exchange?.abort()
  }

  /** Returns the events without a response. A response whose body is missing ends by its timeout. */
  #withoutResponse(): ReadonlyArray<PendingEvent<BufferedBody>> {
    return Array.from(this.#incomplete.values()).flatMap(({ event, body }) => (body === undefined ? [event] : []))
  }

  #handleItem({ number, status, rawHeaders, isDone, body }: PacketItem): void {
    const known = this.#incomplete.get(number)
    // The number is unknown or has a response already.
    if (known === undefined) return this.#abort()
    if (body !== undefined) this.#incomplete.delete(number)
    if (body !== undefined) known.event.responseEnded()
    if (known.body !== undefined) {
      known.event.run.recordResponse(status, isDone)
      if (body !== undefined) known.body.complete(body)
      return
    }
    known.body = new PendingBody(body)
    known.event.respond(completeResponse(status, rawHeaders, isDone, known.body))
  }
}

const completeResponse = (
  status: number,
  rawHeaders: ReadonlyArray<string>,
  isDone: boolean,
  body: BufferedBody
): EventResponse<BufferedBody> => ({ status, rawHeaders, isDone, body, cancel: () => {} })
