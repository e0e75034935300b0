/**
 * Batches events with buffered responses that arrive in one turn of the event loop. A batch goes to the program in one
 * request, and the program responds to each event as soon as its response is ready (see `BatchScript`). Separate
 * requests would wake both processes twice for each event. One request for all events would delay the first of them.
 *
 * Limits: 8 events and 256 KiB of their texts (UTF-16) in one request.
 */
import type { Delivery } from "@lectern/core/integration/IntegrationRuntime"
import { splitIntoParts } from "@lectern/core/thread/SplitIntoParts"
import { type PendingEvent, completeCancelled } from "./EventResponse.ts"
import { type EventRequest, formOf } from "./EventRequests.ts"
import { textsOf } from "./EventTexts.ts"
import type { Listener } from "./ProgramSocket.ts"
import { BatchResponse, type BufferedBody } from "./BatchResponse.ts"
import { batchHeader } from "./BatchScript.ts"

/** Maximum length of one event in UTF-16. Longer events are sent individually. */
const maxLength = 128 * 1024
const maxBatch = { size: 2 * maxLength, count: 8 }

/** An event that waits for others until the end of the turn. */
interface QueuedEvent {
  readonly number: number
  readonly event: PendingEvent<BufferedBody>
  readonly delivery: Delivery
  readonly maxBytes: number
  readonly timeout: number
}

const lengthOf = ({ event, environment }: Delivery) => event.length + environment.length

/** True if an event may be sent with others. */
const canBeBatched = (delivery: Delivery): boolean => delivery.body === undefined && lengthOf(delivery) <= maxLength

/** Returns the request for several events and its header. */
const requestFor = (queuedEvents: ReadonlyArray<QueuedEvent>) => {
  const { request, listed } = textsOf(queuedEvents.map(({ number, delivery }) => [number, delivery]))
  const maxBytes = Math.max(...queuedEvents.map(({ maxBytes }) => maxBytes))
  const { timeout } = queuedEvents[0]!
  return { request, maxBytes, headers: `${batchHeader}: ${maxBytes};${timeout};${listed}\r\n` }
}

/** Request without events. A response of the entry shows that the process works. */
export const probeRequest = {
  request: { contentType: "text/plain", body: "", size: 0 } satisfies EventRequest,
  headers: `${batchHeader}: 0;0;\r\n`
}

/** Callbacks for the outcome of a request without events. */
export interface ProbeCallbacks {
  readonly responds: () => void
  readonly failed: () => void
  /** Called if the process runs, but its entry does not respond. */
  readonly spoilt: () => void
}

/** Operations of the process that handles the events. */
export interface ProcessOperations {
  readonly sendOne: (event: PendingEvent<BufferedBody>, request: EventRequest) => void
  readonly send: (request: EventRequest, headers: string, response: Listener) => void
  /** Checks whether the process still responds. */
  readonly probe: (callbacks: ProbeCallbacks) => void
  /** Fails an event because its process has failed. */
  readonly fail: (event: PendingEvent<BufferedBody>) => void
  /** Fails an event because its entry has failed. */
  readonly spoilt: (event: PendingEvent<BufferedBody>) => void
}

export class EventBatches {
  /** Id of the requests, which the entry returns in its marker. */
  readonly #id: string
  readonly #process: ProcessOperations
  readonly #queuedEvents: Array<QueuedEvent> = []
  #isSendScheduled = false

  constructor(id: string, process: ProcessOperations) {
    this.#id = id
    this.#process = process
  }

  add(queuedEvent: QueuedEvent): void {
    if (!canBeBatched(queuedEvent.delivery))
      return this.#process.sendOne(queuedEvent.event, formOf(queuedEvent.delivery))
    this.#queuedEvents.push(queuedEvent)
    if (this.#queuedEvents.length === maxBatch.count) return this.#sendAll()
    if (this.#isSendScheduled) return
    this.#isSendScheduled = true
    setImmediate(() => {
      this.#isSendScheduled = false
      this.#sendAll()
    })
  }

  #sendAll(): void {
    for (const batch of splitIntoParts(this.#queuedEvents.splice(0), ({ delivery }) => lengthOf(delivery), maxBatch)) {
      const [firstEvent, ...otherEvents] = batch as readonly [QueuedEvent, ...Array<QueuedEvent>]
      if (otherEvents.length === 0) this.#process.sendOne(firstEvent.event, formOf(firstEvent.delivery))
      else this.#sendBatch(batch)
    }
  }

  #sendBatch(batch: ReadonlyArray<QueuedEvent>): void {
    const { request, maxBytes, headers } = requestFor(batch)
    const response = new BatchResponse(
      this.#id,
      batch.map(({ number, event }) => [number, event]),
      maxBytes,
      {
        failed: (events) => events.forEach(this.#process.fail),
        spoilt: (events) => events.forEach(this.#process.spoilt),
        ended: (events) => this.#handleEnded(events)
      }
    )
    this.#process.send(request, headers, response)
  }

  /** Handles events without a response. If the process still responds, `workerd` has cancelled them. */
  #handleEnded(events: ReadonlyArray<PendingEvent<BufferedBody>>): void {
    if (events.length === 0) return
    this.#process.probe({
      responds: () => events.forEach(completeCancelled),
      failed: () => events.forEach(this.#process.fail),
      spoilt: () => events.forEach(this.#process.spoilt)
    })
  }
}
