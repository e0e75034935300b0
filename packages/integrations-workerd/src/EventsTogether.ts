/**
 * Events whose answers are wanted in one piece, and which come in the same turn of the event loop: their program is
 * asked for some of them in one request, and answers each as soon as it has that (see `TogetherScript`). A request
 * of its own for each would wake both processes for each, and twice; one request for all would have the program wait
 * until the last of them has come, and us for the program.
 *
 * Limits: 8 events and 256 KiB of their texts, in UTF-16, in one request.
 */
import type { Delivery } from "@lectern/core/integration/IntegrationRuntime"
import { cutInParts } from "@lectern/core/thread/CutInParts"
import { type AskedEvent, givenUp } from "./Answered.ts"
import { type Asked, formOf } from "./EventForms.ts"
import { textsOf } from "./EventTexts.ts"
import type { Listener } from "./ProgramSocket.ts"
import { TogetherAnswer, type WholeBody } from "./TogetherAnswer.ts"
import { togetherHeader } from "./TogetherScript.ts"

/** Of one event, in UTF-16. */
const maxLength = 128 * 1024
const most = { size: 2 * maxLength, count: 8 }

/** An event that waits for others until the turn ends. */
interface WaitingEvent {
  readonly number: number
  readonly event: AskedEvent<WholeBody>
  readonly delivery: Delivery
  readonly maxBytes: number
  readonly patience: number
}

const lengthOf = ({ event, environment }: Delivery) => event.length + environment.length

/** Tells whether an event may be asked for together with others. */
const mayBeTogether = (delivery: Delivery): boolean => delivery.body === undefined && lengthOf(delivery) <= maxLength

/** Request for several events, and the header that tells them apart. */
const requestFor = (waiting: ReadonlyArray<WaitingEvent>) => {
  const { asked, listed } = textsOf(waiting.map(({ number, delivery }) => [number, delivery]))
  const maxBytes = Math.max(...waiting.map(({ maxBytes }) => maxBytes))
  const { patience } = waiting[0]!
  return { asked, maxBytes, headers: `${togetherHeader}: ${maxBytes};${patience};${listed}\r\n` }
}

/** A request for no event at all: one that the entry answers shows that the process is there. */
export const requestForNone = {
  asked: { contentType: "text/plain", body: "", size: 0 } satisfies Asked,
  headers: `${togetherHeader}: 0;0;\r\n`
}

/** Told of what comes of a request for no event. */
export interface Found {
  readonly answers: () => void
  readonly failed: () => void
  /** It is there, and the entry does not answer in it. */
  readonly spoilt: () => void
}

/** How their process is asked. */
export interface AskingProcess {
  readonly alone: (event: AskedEvent<WholeBody>, asked: Asked) => void
  readonly send: (asked: Asked, headers: string, answer: Listener) => void
  /** Finds out whether the process answers still. */
  readonly find: (found: Found) => void
  /** The process has failed an event. */
  readonly fail: (event: AskedEvent<WholeBody>) => void
  /** The entry has failed an event. */
  readonly spoilt: (event: AskedEvent<WholeBody>) => void
}

export class EventsTogether {
  /** The entry answers with it. */
  readonly #id: string
  readonly #process: AskingProcess
  readonly #waiting: Array<WaitingEvent> = []
  #isPlanned = false

  constructor(id: string, process: AskingProcess) {
    this.#id = id
    this.#process = process
  }

  ask(wanted: WaitingEvent): void {
    if (!mayBeTogether(wanted.delivery)) return this.#process.alone(wanted.event, formOf(wanted.delivery))
    this.#waiting.push(wanted)
    if (this.#waiting.length === most.count) return this.#askAll()
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      this.#askAll()
    })
  }

  #askAll(): void {
    for (const waiting of cutInParts(this.#waiting.splice(0), ({ delivery }) => lengthOf(delivery), most)) {
      const [first, ...others] = waiting as readonly [WaitingEvent, ...Array<WaitingEvent>]
      if (others.length === 0) this.#process.alone(first.event, formOf(first.delivery))
      else this.#askFor(waiting)
    }
  }

  #askFor(waiting: ReadonlyArray<WaitingEvent>): void {
    const { asked, maxBytes, headers } = requestFor(waiting)
    const answer = new TogetherAnswer(
      this.#id,
      waiting.map(({ number, event }) => [number, event]),
      maxBytes,
      {
        failed: (events) => events.forEach(this.#process.fail),
        spoilt: (events) => events.forEach(this.#process.spoilt),
        ended: (events) => this.#ended(events)
      }
    )
    this.#process.send(asked, headers, answer)
  }

  /** Nothing is known of them: where the process answers still, `workerd` has given them up. */
  #ended(events: ReadonlyArray<AskedEvent<WholeBody>>): void {
    if (events.length === 0) return
    this.#process.find({
      answers: () => events.forEach(givenUp),
      failed: () => events.forEach(this.#process.fail),
      spoilt: () => events.forEach(this.#process.spoilt)
    })
  }
}
