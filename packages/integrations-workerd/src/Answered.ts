/**
 * Answers to events as far as their heads tell, and what the entry says in those (see `WorkerScripts`). One in which it
 * says nothing is no program's answer.
 */
import { Readable } from "node:stream"
import { RunFailed, type RunTrace } from "@lectern/core/integration/IntegrationRuntime"
import { type AnswerBody, held, type ProgramAnswer } from "./ProgramAnswer.ts"
import { neverAnswers, type Run } from "./ProgramRuns.ts"
import type { Head } from "./ProgramSocket.ts"
import { answeredHeader } from "./WorkerScripts.ts"

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

/**
 * Word of the entry about an answer to this request: nothing but that it gives it, `done`, `failed`, or how many of several
 * events the script was given. Undefined where it has not given it: it is of `workerd`, or of nobody knows whom.
 */
export const saidIn = ({ rawHeaders }: Head, id: string): string | undefined => {
  const at = placeOf(rawHeaders, answeredHeader)
  const [run, said = ""] = at === -1 ? [] : rawHeaders[at + 1]!.split(" ")
  return run === id ? said : undefined
}

export const answeredOf = ({ status, rawHeaders: sent }: Head, answer: ProgramAnswer, said: string): Answered => {
  const rawHeaders = sent.toSpliced(placeOf(sent, answeredHeader), 2)
  return {
    status,
    rawHeaders,
    isDone: said === "done",
    body: answer,
    cancel: () => {
      // What is short is read to its end, so that the connection can be used again.
      if (lengthIn(rawHeaders) <= held) answer.drop()
      else answer.giveUp()
    }
  }
}

const nothing = new Uint8Array()
const empty: AnswerBody = { whole: (_, done) => done(nothing), stream: () => Readable.from([]) }

/** An event is given up by `workerd` itself, as one that nothing will ever answer. */
export const givenUp = <Body>(event: AskedEvent<Body | AnswerBody>): void => {
  const { run } = event
  event.answerOver()
  run.note(neverAnswers)
  run.end()
  event.answered({ status: 500, rawHeaders: [], isDone: false, body: empty, cancel: () => {} })
}

/** How long an answer is; one that does not say may be of any length. */
const lengthIn = (rawHeaders: ReadonlyArray<string>): number => {
  const at = placeOf(rawHeaders, "content-length")
  return at === -1 ? Number.POSITIVE_INFINITY : Number(rawHeaders[at + 1])
}
