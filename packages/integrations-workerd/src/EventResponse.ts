/**
 * Responses to events after their headers have arrived, and the marker of the entry in the headers (see
 * `WorkerScripts`). A response without the marker comes from `workerd`, not from a program.
 */
import { Readable } from "node:stream"
import { RunFailed, type RunTrace } from "@lectern/core/integration/IntegrationRuntime"
import { type ResponseBody, maxBuffered, type ProgramResponse } from "./ProgramResponse.ts"
import { neverResponds, type Run } from "./ProgramRuns.ts"
import type { Head } from "./ProgramSocket.ts"
import { markerHeader } from "./WorkerScripts.ts"

export interface EventResponse<Body = ResponseBody> {
  readonly status: number
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: Body
  /** True if the script has finished the event and has logged nothing. */
  readonly isDone: boolean
  readonly cancel: () => void
}

/** Outcome of a request. `done` resolves with the trace of the event once the script or its process has finished. */
export type Outcome<Body = ResponseBody> = (EventResponse<Body> & { readonly done: Promise<RunTrace> }) | RunFailed

/** An event that was sent to a process, individually or with others, and the callbacks of its caller. */
export class PendingEvent<Body = ResponseBody> {
  readonly id: string
  readonly run: Run
  readonly resolve: (outcome: Outcome<Body>) => void
  readonly #onEnd: () => void
  readonly #linger: number
  #trace: PromiseWithResolvers<RunTrace> | undefined
  #hasResponseEnded = false
  #lingerTimer: NodeJS.Timeout | undefined

  /**
   * `begin` starts the run and takes a callback for its end. `onEnd` is called once the run and the response have
   * ended. A response that is read slowly occupies its process for at most `linger` ms after the run.
   */
  constructor(
    id: string,
    begin: (runEnded: () => void) => Run,
    resolve: (outcome: Outcome<Body>) => void,
    onEnd: () => void,
    linger: number
  ) {
    this.id = id
    this.resolve = resolve
    this.#onEnd = onEnd
    this.#linger = linger
    this.run = begin(() => this.#runEnded())
  }

  /** Reports that the response has ended. */
  responseEnded(): void {
    if (this.#hasResponseEnded) return
    this.#hasResponseEnded = true
    clearTimeout(this.#lingerTimer)
    if (this.run.hasEnded) this.#onEnd()
  }

  #runEnded(): void {
    this.#trace?.resolve(this.run)
    if (this.#hasResponseEnded) this.#onEnd()
    else this.#lingerTimer = setTimeout(() => this.responseEnded(), this.#linger).unref()
  }

  respond(response: EventResponse<Body>): void {
    const { run } = this
    run.recordResponse(response.status, response.isDone)
    if (!run.hasEnded) this.#trace = Promise.withResolvers()
    this.resolve({ ...response, done: this.#trace?.promise ?? Promise.resolve(run) })
  }

  failed({ reason, message }: RunFailed): void {
    this.responseEnded()
    this.run.end()
    this.resolve(new RunFailed({ reason, message, logs: this.run.logs }))
  }
}

/** Returns the index of a header in a list of names and values, or -1. `name` is in lower case. */
const indexOfHeader = (headers: ReadonlyArray<string>, name: string): number =>
  headers.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name)

/**
 * Returns the state in the marker of the entry for a request: an empty text, `done`, or `failed`. Undefined if
 * the response has no marker of this request, so that it comes from `workerd`.
 */
export const stateIn = ({ rawHeaders }: Head, id: string): string | undefined => {
  const index = indexOfHeader(rawHeaders, markerHeader)
  const [run, marker = ""] = index === -1 ? [] : rawHeaders[index + 1]!.split(" ")
  return run === id ? marker : undefined
}

export const responseOf = (
  { status, rawHeaders: receivedHeaders }: Head,
  programResponse: ProgramResponse,
  marker: string
): EventResponse => {
  const rawHeaders = receivedHeaders.toSpliced(indexOfHeader(receivedHeaders, markerHeader), 2)
  return {
    status,
    rawHeaders,
    isDone: marker === "done",
    body: programResponse,
    cancel: () => {
      // A short body is read to its end, so that the connection can be reused.
      if (lengthIn(rawHeaders) <= maxBuffered) programResponse.drop()
      else programResponse.abort()
    }
  }
}

const noBytes = new Uint8Array()
const emptyBody: ResponseBody = { readAll: (_, done) => done(noBytes), stream: () => Readable.from([]) }

/** Completes an event that `workerd` has cancelled because its promise can never resolve. */
export const completeCancelled = <Body>(event: PendingEvent<Body | ResponseBody>): void => {
  const { run } = event
  event.responseEnded()
  run.note(neverResponds)
  run.end()
  event.respond({ status: 500, rawHeaders: [], isDone: false, body: emptyBody, cancel: () => {} })
}

/** Returns the content length of a response, or infinity if it is unknown. */
const lengthIn = (rawHeaders: ReadonlyArray<string>): number => {
  const index = indexOfHeader(rawHeaders, "content-length")
  return index === -1 ? Number.POSITIVE_INFINITY : Number(rawHeaders[index + 1])
}
