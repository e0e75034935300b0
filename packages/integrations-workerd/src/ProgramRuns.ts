/** Running events of one process: their logs and state, from the lines that the entry writes, and their timeouts. */
import { Duration } from "effect"
import { maxSubrequests, RunFailed, type RunTrace } from "@lectern/core/integration/IntegrationRuntime"
import type { RunLog } from "@lectern/core/integration/RunLog"

/**
 * Timeouts of an event in ms: `responseTimeout` until its response, `backgroundTimeout` for work after its response.
 */
export interface RunTimeouts {
  readonly responseTimeout: number
  readonly backgroundTimeout: number
}

export const failed = (reason: RunFailed["reason"], message: string) => new RunFailed({ reason, message, logs: [] })

/** Header with the id of the event, in requests to a program and from it. It never leaves this machine. */
export const runHeader = "x-lectern-run"

/**
 * Counts a request of the event with an id, or of an unknown event. Returns false if the event may send no more
 * requests, and undefined if no event with the id is running.
 */
export type Allowance = (id: string | undefined, url: URL) => boolean | undefined

/** Log message of an event that `workerd` has cancelled. */
export const neverResponds = "It would never answer"

/** State of one running event. */
export class Run implements RunTrace {
  readonly logs: Array<RunLog> = []
  exceededLimit = false
  /** Number of requests that the event may still send. */
  requestsLeft = maxSubrequests
  /** URLs that the event opens with requests without headers, and the number of pending requests for each. */
  readonly opens = new Map<string, number>()
  /** Status of the response. Undefined before the response. */
  status: number | undefined
  #hasEnded = false
  #timer: NodeJS.Timeout
  readonly #backgroundTimeout: number
  readonly #onTimeout: (reason: RunFailed) => void
  readonly #onEnd: () => void

  constructor(
    { responseTimeout, backgroundTimeout }: RunTimeouts,
    onTimeout: (reason: RunFailed) => void,
    onEnd: () => void
  ) {
    this.#backgroundTimeout = backgroundTimeout
    this.#onTimeout = onTimeout
    this.#onEnd = onEnd
    const message = () => `It did not answer within ${Duration.format(Duration.millis(responseTimeout))}`
    this.#timer = setTimeout(() => onTimeout(failed("timed-out", message())), responseTimeout).unref()
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Records the response. `isDone`: true if no work continues after the response. */
  recordResponse(status: number, isDone: boolean): void {
    const isFirst = this.status === undefined
    this.status = status
    if (isDone) return this.end()
    if (!isFirst || this.#hasEnded) return
    clearTimeout(this.#timer)
    const failTooLong = () => this.#onTimeout(failed("timed-out", "It went on for too long after its response"))
    this.#timer = setTimeout(failTooLong, this.#backgroundTimeout).unref()
  }

  opensTo(url: string): void {
    const href = URL.parse(url.replace(/^ws/i, "http"))?.href
    if (href !== undefined) this.opens.set(href, (this.opens.get(href) ?? 0) + 1)
  }

  /** Adds a log entry of Lectern, not of the script. */
  note(message: string): void {
    this.logs.push({ level: "error", message, timestamp: new Date().toISOString() })
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#onEnd()
  }
}

export class ProgramRuns {
  readonly #runs = new Map<string, Run>()
  readonly #onTimeout: (id: string, reason: RunFailed) => void

  /** `onTimeout` is called for each event that exceeds a timeout, with the reason. */
  constructor(onTimeout: (id: string, reason: RunFailed) => void) {
    this.#onTimeout = onTimeout
  }

  get size(): number {
    return this.#runs.size
  }

  /** Id of the running event. Undefined unless exactly one event runs. */
  get singleRun(): string | undefined {
    const [id, ...otherIds] = this.#runs.keys()
    return otherIds.length === 0 ? id : undefined
  }

  get all(): ReadonlyArray<readonly [id: string, run: Run]> {
    return Array.from(this.#runs)
  }

  /** Starts an event. `onEnd` is called after the event has ended and was removed. */
  start(id: string, bounds: RunTimeouts, onEnd: () => void): Run {
    const run = new Run(
      bounds,
      (reason) => this.#onTimeout(id, reason),
      () => {
        this.#runs.delete(id)
        onEnd()
      }
    )
    this.#runs.set(id, run)
    return run
  }

  /**
   * Requests of an `EventSource` or a `WebSocket` have no headers. They count for an event that opens the URL according
   * to the entry. If none does, for example after a redirect, they count for the first event that may send more
   * requests, so that the sum of all limits holds.
   */
  readonly allowance: Allowance = (id, url) => {
    const run = id === undefined ? this.#runOpening(url) : this.#runs.get(id)
    if (run === undefined) return id === undefined ? false : undefined
    if (run.requestsLeft === 0) return false
    run.requestsLeft--
    return true
  }

  #runOpening({ href }: URL): Run | undefined {
    const runs = Array.from(this.#runs.values())
    const openingRun = runs.find(({ opens }) => (opens.get(href) ?? 0) > 0)
    if (openingRun === undefined) {
      return runs.find(({ opens }) => opens.has(href)) ?? runs.find(({ requestsLeft }) => requestsLeft > 0)
    }
    openingRun.opens.set(href, openingRun.opens.get(href)! - 1)
    return openingRun
  }

  /** Handles a line of the entry (see `WorkerScripts`). Invalid lines are ignored. */
  handleLine(line: string): void {
    const fields = lineIn(line)
    const run = fields && this.#runs.get(fields[0])
    if (run === undefined) return
    const [, value, exceededLimit] = fields!
    if (value === undefined) run.end()
    else if (typeof value === "string") run.opensTo(value)
    else if (isLog(value)) {
      run.logs.push(value)
      run.exceededLimit ||= exceededLimit === true
    }
  }
}

const lineIn = (line: string) => {
  try {
    const parsed: unknown = JSON.parse(line)
    return Array.isArray(parsed) && typeof parsed[0] === "string" ? (parsed as [string, unknown, unknown]) : undefined
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
