/**
 * Events that are under way in one process: what is known of each, by what the entry writes of it line by line, and how
 * long it may take.
 */
import { Duration } from "effect"
import { maxSubrequests, RunFailed, type RunTrace } from "@lectern/core/integration/IntegrationRuntime"
import type { RunLog } from "@lectern/core/integration/RunLog"

/** How long an event may take until it is answered, and behind that (ms). */
export interface Bounds {
  readonly patience: number
  readonly linger: number
}

export const failed = (reason: RunFailed["reason"], message: string) => new RunFailed({ reason, message, logs: [] })

/** Header of requests that says which event they are about, to the program and from it. It never leaves this machine. */
export const runHeader = "x-lectern-run"

/**
 * Counts a request to a URL that is made for the event of this id, or for an unknown one: false where no more may be,
 * undefined where there is no such event under way.
 */
export type Allowance = (id: string | undefined, url: URL) => boolean | undefined

/** Said of an event that `workerd` has given up. */
export const neverAnswers = "It would never answer"

/** One event, as far as it has come. */
export class Run implements RunTrace {
  readonly logs: Array<RunLog> = []
  exceededLimit = false
  /** How many requests it may still make. */
  requestsLeft = maxSubrequests
  /** URLs that it opens without saying so in the request, and how often it will yet. */
  readonly opens = new Map<string, number>()
  /** Of its answer, once that is known. */
  status: number | undefined
  #isOver = false
  #timer: NodeJS.Timeout
  readonly #linger: number
  readonly #late: (reason: RunFailed) => void
  readonly #ended: () => void

  constructor({ patience, linger }: Bounds, late: (reason: RunFailed) => void, ended: () => void) {
    this.#linger = linger
    this.#late = late
    this.#ended = ended
    const message = () => `It did not answer within ${Duration.format(Duration.millis(patience))}`
    this.#timer = setTimeout(() => late(failed("timed-out", message())), patience).unref()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Notes that it was answered; `isDone`: nothing of it goes on behind that. */
  answered(status: number, isDone: boolean): void {
    const isFirst = this.status === undefined
    this.status = status
    if (isDone) return this.end()
    if (!isFirst || this.#isOver) return
    clearTimeout(this.#timer)
    const tooLong = () => this.#late(failed("timed-out", "It went on for too long behind its answer"))
    this.#timer = setTimeout(tooLong, this.#linger).unref()
  }

  opensTo(url: string): void {
    const href = URL.parse(url.replace(/^ws/i, "http"))?.href
    if (href !== undefined) this.opens.set(href, (this.opens.get(href) ?? 0) + 1)
  }

  /** Logs what is known of it from outside of the script. */
  note(message: string): void {
    this.logs.push({ level: "error", message, timestamp: new Date().toISOString() })
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#ended()
  }
}

export class ProgramRuns {
  readonly #runs = new Map<string, Run>()
  readonly #late: (id: string, reason: RunFailed) => void

  /** `late` is told which event takes more time than it may, and how. */
  constructor(late: (id: string, reason: RunFailed) => void) {
    this.#late = late
  }

  get size(): number {
    return this.#runs.size
  }

  /** Id of the event that alone is under way; undefined where there are several, or none. */
  get only(): string | undefined {
    const [id, ...others] = this.#runs.keys()
    return others.length === 0 ? id : undefined
  }

  get all(): ReadonlyArray<readonly [id: string, run: Run]> {
    return Array.from(this.#runs)
  }

  /** Begins an event; `ended` is called once it is over, when it is none of those under way any more. */
  begin(id: string, bounds: Bounds, ended: () => void): Run {
    const run = new Run(
      bounds,
      (reason) => this.#late(id, reason),
      () => {
        this.#runs.delete(id)
        ended()
      }
    )
    this.#runs.set(id, run)
    return run
  }

  /**
   * An `EventSource` and a `WebSocket` take no headers: such a request counts for an event that the entry has said to
   * open that URL. Where none has, as behind a redirect, it counts for the first event that has any left, and what all of
   * them may make in sum holds.
   */
  readonly allowance: Allowance = (id, url) => {
    const run = id === undefined ? this.#opening(url) : this.#runs.get(id)
    if (run === undefined) return id === undefined ? false : undefined
    if (run.requestsLeft === 0) return false
    run.requestsLeft--
    return true
  }

  #opening({ href }: URL): Run | undefined {
    const runs = Array.from(this.#runs.values())
    const opening = runs.find(({ opens }) => (opens.get(href) ?? 0) > 0)
    if (opening === undefined) {
      return runs.find(({ opens }) => opens.has(href)) ?? runs.find(({ requestsLeft }) => requestsLeft > 0)
    }
    opening.opens.set(href, opening.opens.get(href)! - 1)
    return opening
  }

  /** Hears a line of the entry (see `WorkerScripts`), as far as a script left it as the entry wrote it. */
  hear(line: string): void {
    const told = toldIn(line)
    const run = told && this.#runs.get(told[0])
    if (run === undefined) return
    const [, said, isSo] = told!
    if (said === undefined) run.end()
    else if (typeof said === "number") run.answered(said, isSo === true)
    else if (typeof said === "string") run.opensTo(said)
    else if (isLog(said)) {
      run.logs.push(said)
      run.exceededLimit ||= isSo === true
    }
  }
}

const toldIn = (line: string) => {
  try {
    const told: unknown = JSON.parse(line)
    return Array.isArray(told) && typeof told[0] === "string" ? (told as [string, unknown, unknown]) : undefined
  } catch {
    return undefined
  }
}

const levels = new Set(["debug", "info", "warn", "error"])

const isLog = (log: any): log is RunLog =>
  typeof log === "object" &&
  levels.has(log?.level) &&
  typeof log.message === "string" &&
  typeof log.timestamp === "string"
