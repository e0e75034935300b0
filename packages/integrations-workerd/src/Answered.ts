/** Answers to events as far as their heads tell, and what the entry says in those (see `WorkerScripts`). */
import { RunFailed, type RunTrace } from "@lectern/core/integration/IntegrationRuntime"
import { type AnswerBody, held, type ProgramAnswer } from "./ProgramAnswer.ts"
import type { Run } from "./ProgramRuns.ts"
import type { Head } from "./ProgramSocket.ts"
import { doneHeader } from "./WorkerScripts.ts"

export interface Answered<Body = AnswerBody> {
  readonly status: number
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: Body
  /** The script is done with the event, and has logged nothing. */
  readonly isDone: boolean
  readonly cancel: () => void
}

/** Outcome of a request. `done` tells what is known of the event once the script is done with it, or has ended. */
export type Outcome<Body = AnswerBody> = (Answered<Body> & { readonly done: Promise<RunTrace> }) | RunFailed

/** An event that is asked for by itself or together with others, and who waits for its answer. */
export class AskedEvent<Body = AnswerBody> {
  readonly id: string
  readonly run: Run
  readonly #settle: (outcome: Outcome<Body>) => void
  readonly #over: () => void
  readonly #linger: number
  #trace: PromiseWithResolvers<RunTrace> | undefined
  #isAnswerOver = false
  #late: NodeJS.Timeout | undefined

  /**
   * `begin` begins its run, with what is to be done once that is over. `over` is called when the answer is over as well:
   * it may be on its way still, or be read slowly, which keeps its process for `linger` (ms) and no longer.
   */
  constructor(
    id: string,
    begin: (ended: () => void) => Run,
    settle: (outcome: Outcome<Body>) => void,
    over: () => void,
    linger: number
  ) {
    this.id = id
    this.#settle = settle
    this.#over = over
    this.#linger = linger
    this.run = begin(() => this.#ended())
  }

  /** No more of its answer will come. */
  answerOver(): void {
    if (this.#isAnswerOver) return
    this.#isAnswerOver = true
    clearTimeout(this.#late)
    if (this.run.isOver) this.#over()
  }

  #ended(): void {
    this.#trace?.resolve(this.run)
    if (this.#isAnswerOver) this.#over()
    else this.#late = setTimeout(() => this.answerOver(), this.#linger).unref()
  }

  answered(answered: Answered<Body>): void {
    const { run } = this
    run.answered(answered.status, answered.isDone)
    if (!run.isOver) this.#trace = Promise.withResolvers()
    this.#settle({ ...answered, done: this.#trace?.promise ?? Promise.resolve(run) })
  }

  failed({ reason, message }: RunFailed): void {
    this.answerOver()
    this.run.end()
    this.#settle(new RunFailed({ reason, message, logs: this.run.logs }))
  }
}

/** Place of a header in a list of names and values, -1 where it is not there; the name in small letters. */
const placeOf = (headers: ReadonlyArray<string>, name: string): number =>
  headers.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name)

/** The headers as the script made them, and whether the entry says in them that it is done with this event. */
const withoutDone = (headers: ReadonlyArray<string>, id: string) => {
  const at = placeOf(headers, doneHeader)
  return at === -1
    ? { isDone: false, rawHeaders: headers }
    : { isDone: headers[at + 1] === id, rawHeaders: headers.toSpliced(at, 2) }
}

/** How many of several events the entry says that the script was given. */
export const givenIn = (headers: ReadonlyArray<string>, id: string): number | undefined => {
  const at = placeOf(headers, doneHeader)
  const [run, given] = (headers[at + 1] ?? "").split(".")
  return at !== -1 && run === id ? Number(given) : undefined
}

/** Tells whether an answer is one that the entry has made by itself, to this request. */
export const isOfEntry = ({ rawHeaders }: Head, id: string): boolean => withoutDone(rawHeaders, id).isDone

export const answeredOf = ({ status, rawHeaders: sent }: Head, answer: ProgramAnswer, id: string): Answered => {
  const { isDone, rawHeaders } = withoutDone(sent, id)
  return {
    status,
    rawHeaders,
    isDone,
    body: answer,
    cancel: () => {
      // What is short is read to its end, so that the connection can be used again.
      if (lengthIn(rawHeaders) <= held) answer.drop()
      else answer.giveUp()
    }
  }
}

/** How long an answer is; one that does not say may be of any length. */
const lengthIn = (rawHeaders: ReadonlyArray<string>): number => {
  const at = placeOf(rawHeaders, "content-length")
  return at === -1 ? Number.POSITIVE_INFINITY : Number(rawHeaders[at + 1])
}
