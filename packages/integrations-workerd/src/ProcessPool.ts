/**
 * Pool of `workerd` processes: starts and ends them. `ProcessSlots` decides which program gets a process.
 *
 * Defaults: 20 processes, including starting and ending ones; 20 seconds and at most 256 pieces of work in the queue; an
 * idle process ends after 5 minutes.
 */
import { type Program, type CapacityCallbacks, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { StorageError } from "@lectern/core/storage/Storage"
import { Duration } from "effect"
import type { ProxyOptions } from "./OutboundProxy.ts"
import { type ProcessSlot, ProcessSlots, type Work } from "./ProcessSlots.ts"
import { failed } from "./ProgramRuns.ts"
import { WorkerdProcess } from "./WorkerdProcess.ts"

export interface ProcessPoolOptions extends ProxyOptions {
  /** Maximum number of processes, including starting and ending ones. Default: 20. */
  readonly maxProcesses?: number
  /** Maximum time that work waits for a process. Default: 20 seconds. */
  readonly queueTimeout?: Duration.Input
  /** Time without an event after which a process ends. Default: 5 minutes. */
  readonly idleTimeout?: Duration.Input
}

const maxWaiting = 256

const busy = () =>
  new StorageError({ reason: "busy", message: "Too many integrations are running: try again in a moment" })

const stopped = failed("unreachable", "Integrations no longer run: the server is stopping")

/** Work for a program, and the callbacks of its caller. */
export interface PoolRequest {
  readonly program: Program
  /** Callbacks for queued work. Undefined if a request waits for the work. */
  readonly queued: CapacityCallbacks | undefined
  /** Loads the text of the script. Called if a process has to be started. */
  readonly script: () => Promise<string>
  /** Starts the work. It calls `over` when the process has finished the work. */
  readonly start: (process: WorkerdProcess, over: () => void) => void
  /** Reports that the work did not start. */
  readonly fail: (failure: RunFailed | StorageError) => void
}

/** Reports a process that was killed for the behaviour of its program. */
export type OnMisbehaviour = (program: Program, reason: RunFailed) => void

interface PoolWork extends Work<WorkerdProcess> {
  readonly program: Program
  readonly script: () => Promise<string>
}

const asFailure = (error: unknown) =>
  error instanceof RunFailed || (error instanceof StorageError && error.reason === "busy")
    ? error
    : failed("unreachable", String(error))

export class ProcessPool {
  readonly #program: string
  readonly #options: ProcessPoolOptions
  readonly #misbehaved: OnMisbehaviour
  readonly #slots: ProcessSlots<WorkerdProcess, PoolWork>
  /** Pending starts and running processes. */
  readonly #lives = new Set<Promise<void>>()
  readonly #idle = new Map<ProcessSlot<WorkerdProcess>, NodeJS.Timeout>()
  /** In ms. */
  readonly #idleTimeout: number
  readonly #slotTimeout: number
  #isStopped = false

  constructor(program: string, options: ProcessPoolOptions, misbehaved: OnMisbehaviour) {
    this.#program = program
    this.#options = options
    this.#misbehaved = misbehaved
    this.#idleTimeout = Duration.toMillis(options.idleTimeout ?? Duration.minutes(5))
    this.#slotTimeout = Duration.toMillis(options.queueTimeout ?? Duration.seconds(20))
    this.#slots = new ProcessSlots(options.maxProcesses ?? 20, maxWaiting, {
      start: (place, { program, script }) => this.#start(place, program, script),
      end: (place) => place.process!.end(),
      idle: (place) => this.#rests(place)
    })
  }

  /** Passes work to the process of its program. Returns a function that cancels the work while it waits. */
  enter({ program, queued, script, start: startWork, fail }: PoolRequest): () => void {
    let late: NodeJS.Timeout | undefined
    const work: PoolWork = {
      program,
      isQueued: queued !== undefined,
      script,
      start: (process) => {
        clearTimeout(late)
        if (late !== undefined) queued?.onStart()
        startWork(process, () => this.#slots.remove(work))
      },
      refuse: (reason) => {
        clearTimeout(late)
        fail(asFailure(reason))
      }
    }
    const giveUp = () => {
      clearTimeout(late)
      if (this.#slots.waiting.has(work)) this.#slots.remove(work)
    }
    if (!this.#slots.enter(work)) fail(busy())
    else if (this.#slots.waiting.has(work)) {
      queued?.onWait()
      late = setTimeout(() => {
        if (!this.#slots.waiting.has(work)) return
        giveUp()
        fail(busy())
      }, this.#slotTimeout).unref()
    }
    return giveUp
  }

  /** Ends the process of an integration after its current work. */
  end(integration: string): void {
    this.#slots.retireIntegration(integration)
  }

  /** Kills all processes and waits for their exit. */
  async endAll(): Promise<void> {
    this.#isStopped = true
    this.#slots.close(stopped)
    for (const { process } of this.#slots.all) process?.end()
    await Promise.all(this.#lives)
  }

  #start(place: ProcessSlot<WorkerdProcess>, program: Program, script: () => Promise<string>): void {
    const ends = () => this.#slots.ends(place)
    const life = script()
      .then((text) => WorkerdProcess.start(this.#program, text, program.runtime, this.#options, ends))
      .then(
        (process) => {
          if (this.#isStopped) process.end()
          else this.#slots.started(place, process)
          return process.exited.then(() => {
            if (process.misbehaviour !== undefined) this.#misbehaved(program, process.misbehaviour)
            this.#exited(place, stopped)
          })
        },
        (error: unknown) => this.#exited(place, error)
      )
      .finally(() => this.#lives.delete(life))
    this.#lives.add(life)
  }

  #exited(place: ProcessSlot<WorkerdProcess>, why: unknown): void {
    clearTimeout(this.#idle.get(place))
    this.#idle.delete(place)
    this.#slots.exited(place, why)
  }

  /** Starts the idle timeout of a process. Work before its end cancels it, and it restarts when the process is idle again. */
  #rests(place: ProcessSlot<WorkerdProcess>): void {
    const known = this.#idle.get(place)
    if (known !== undefined) return void known.refresh()
    const end = () => {
      if (this.#slots.idleSlots.has(place)) this.#slots.retire(place)
    }
    this.#idle.set(place, setTimeout(end, this.#idleTimeout).unref())
  }
}
