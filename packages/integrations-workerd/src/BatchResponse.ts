/** Receives the responses to the events of one request, in packets (see `BatchScript`). */
import { type EventResponse, type PendingEvent, stateIn } from "./EventResponse.ts"
import { ResponsePackets, type PacketItem } from "./ResponsePackets.ts"
import type { ResponseBody, BodyResult } from "./ProgramResponse.ts"
import type { Exchange, Head, Listener } from "./ProgramSocket.ts"

export type BufferedBody = Pick<ResponseBody, "readAll">

/** Body of one response. It may arrive later than the headers of the response. */
class PendingBody implements BufferedBody {
  #read: BodyResult | undefined
  #onRead: ((read: BodyResult) => void) | undefined

  constructor(read: BodyResult | undefined) {
    this.#read = read
  }

  readAll(maxBytes: number, onRead: (read: BodyResult) => void): void {
    this.#onRead = (read) => onRead(typeof read !== "string" && read.byteLength > maxBytes ? "too large" : read)
    if (this.#read !== undefined) this.#onRead(this.#read)
  }

  complete(read: BodyResult): void {
    this.#read ??= read
    this.#onRead?.(read)
  }
}

/** Handlers for events without a response, by reason. */
export interface IncompleteHandlers {
  /** Called if the process has failed. */
  readonly failed: (events: ReadonlyArray<PendingEvent<BufferedBody>>) => void
  /** Called if the entry has sent invalid packets or has reported a failure. */
  readonly spoilt: (events: ReadonlyArray<PendingEvent<BufferedBody>>) => void
  /** Called if `workerd` has ended the request, or the process has ended. */
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

  /** Ends the responses that have started. `IncompleteHandlers` handle all other events. */
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
    const incompleteEvent = this.#incomplete.get(number)
    // The number is unknown or has a response already.
    if (incompleteEvent === undefined) return this.#abort()
    if (body !== undefined) this.#incomplete.delete(number)
    if (body !== undefined) incompleteEvent.event.responseEnded()
    if (incompleteEvent.body !== undefined) {
      incompleteEvent.event.run.recordResponse(status, isDone)
      if (body !== undefined) incompleteEvent.body.complete(body)
      return
    }
    incompleteEvent.body = new PendingBody(body)
    incompleteEvent.event.respond(completeResponse(status, rawHeaders, isDone, incompleteEvent.body))
  }
}

const completeResponse = (
  status: number,
  rawHeaders: ReadonlyArray<string>,
  isDone: boolean,
  body: BufferedBody
): EventResponse<BufferedBody> => ({ status, rawHeaders, isDone, body, cancel: () => {} })
