/**
 * Pool of `workerd` processes: starts and ends them. `ProcessSlots` decides which program gets a process.
 *
 * Defaults: 20 processes, including starting and ending ones; 20 seconds and at most 256 pieces of work in the queue;
 * an idle process ends after 5 minutes.
 */
import { type Program, type CapacityCallbacks, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { StorageError } from "@lectern/core/storage/Storage"
import type { DurationLike } from "@lectern/core/time/DurationLike"
import { Duration } from "effect"
import type { ProxyOptions } from "./OutboundProxy.ts"
import { type ProcessSlot, ProcessSlots, type Work } from "./ProcessSlots.ts"
import { failed } from "./ProgramRuns.ts"
import { WorkerdProcess } from "./WorkerdProcess.ts"

export interface ProcessPoolOptions extends ProxyOptions {
  /** Maximum number of processes, including starting and ending ones. Default: 20. */
  readonly maxProcesses?: number
  /** Maximum time that work waits for a process. Default: 20 seconds. */
  readonly queueTimeout?: DurationLike
  /** Time without an event after which a process ends. Default: 5 minutes. */
  readonly idleTimeout?: DurationLike
}

const maxWaiting = 256

const busyError = () =>
  new StorageError({ reason: "busy", message: "Too many integrations are running: try again in a moment" })

const stoppedError = failed("unreachable", "Integrations no longer run: the server is stopping")

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
  readonly #onMisbehaviour: OnMisbehaviour
  readonly #slots: ProcessSlots<WorkerdProcess, PoolWork>
  /** Resolve when a starting or running process has exited. */
  readonly #lifetimes = new Set<Promise<void>>()
  readonly #idleTimers = new Map<ProcessSlot<WorkerdProcess>, NodeJS.Timeout>()
  /** Time without an event after which a process ends (ms). */
  readonly #idleTimeout: number
  readonly #slotTimeout: number
  #isStopped = false

  constructor(program: string, options: ProcessPoolOptions, onMisbehaviour: OnMisbehaviour) {
    this.#program = program
    this.#options = options
    this.#onMisbehaviour = onMisbehaviour
    this.#idleTimeout = Duration.toMillis(options.idleTimeout ?? { minutes: 5 })
    this.#slotTimeout = Duration.toMillis(options.queueTimeout ?? { seconds: 20 })
    this.#slots = new ProcessSlots(options.maxProcesses ?? 20, maxWaiting, {
      start: (slot, { program, script }) => this.#start(slot, program, script),
      end: (slot) => slot.process!.end(),
      idle: (slot) => this.#startIdleTimer(slot)
    })
  }

  /** Passes work to the process of its program. Returns a function that cancels the work while it waits. */
  enter({ program, queued, script, start: startWork, fail }: PoolRequest): () => void {
    let queueTimer: NodeJS.Timeout | undefined
    const work: PoolWork = {
      program,
      isQueued: queued !== undefined,
      script,
      start: (process) => {
        clearTimeout(queueTimer)
        if (queueTimer !== undefined) queued?.onStart()
        startWork(process, () => this.#slots.remove(work))
      },
      refuse: (reason) => {
        clearTimeout(queueTimer)
        fail(asFailure(reason))
      }
    }
    const cancel = () => {
      clearTimeout(queueTimer)
      if (this.#slots.waiting.has(work)) this.#slots.remove(work)
    }
    if (!this.#slots.enter(work)) fail(busyError())
    else if (this.#slots.waiting.has(work)) {
      queued?.onWait()
      queueTimer = setTimeout(() => {
        if (!this.#slots.waiting.has(work)) return
        cancel()
        fail(busyError())
      }, this.#slotTimeout).unref()
    }
    return cancel
  }

  /** Ends the process of an integration after its current work. */
  end(integration: string): void {
    this.#slots.retireIntegration(integration)
  }

  /** Kills all processes and waits for their exit. */
  async endAll(): Promise<void> {
    this.#isStopped = true
    this.#slots.close(stoppedError)
    for (const { process } of this.#slots.all) process?.end()
    await Promise.all(this.#lifetimes)
  }

  #start(slot: ProcessSlot<WorkerdProcess>, program: Program, script: () => Promise<string>): void {
    const onEnd = () => this.#slots.ends(slot)
    const lifetime = script()
      .then((text) => WorkerdProcess.start(this.#program, text, program.runtime, this.#options, onEnd))
      .then(
        (process) => {
          if (this.#isStopped) process.end()
          else this.#slots.started(slot, process)
          return process.exited.then(() => {
            if (process.misbehaviour !== undefined) this.#onMisbehaviour(program, process.misbehaviour)
            this.#exited(slot, stoppedError)
          })
        },
        (error: unknown) => this.#exited(slot, error)
      )
      .finally(() => this.#lifetimes.delete(lifetime))
    this.#lifetimes.add(lifetime)
  }

  #exited(slot: ProcessSlot<WorkerdProcess>, exitReason: unknown): void {
    clearTimeout(this.#idleTimers.get(slot))
    this.#idleTimers.delete(slot)
    this.#slots.exited(slot, exitReason)
  }

  /** Starts or restarts the idle timeout of a process. A process that has work when the timeout ends is not retired. */
  #startIdleTimer(slot: ProcessSlot<WorkerdProcess>): void {
    const idleTimer = this.#idleTimers.get(slot)
    if (idleTimer !== undefined) return void idleTimer.refresh()
    const retireIfIdle = () => {
      if (this.#slots.idleSlots.has(slot)) this.#slots.retire(slot)
    }
    this.#idleTimers.set(slot, setTimeout(retireIfIdle, this.#idleTimeout).unref())
  }
}
