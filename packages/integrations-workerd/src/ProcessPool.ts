/**
 * The processes there are. `Places` decides which program has one; here they are started and ended.
 *
 * Defaults: 20 processes at once, with those that start and those that end; work waits 20 seconds for one, 256 pieces of
 * it at once; a process ends after 5 minutes without an event.
 */
import { type Program, type CapacityCallbacks, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { StorageError } from "@lectern/core/storage/Storage"
import { Duration } from "effect"
import type { OutsideDoorOptions } from "./OutsideDoor.ts"
import { type Place, Places, type Work } from "./Places.ts"
import { failed } from "./ProgramRuns.ts"
import { WorkerdProcess } from "./WorkerdProcess.ts"

export interface ProcessPoolOptions extends OutsideDoorOptions {
  /** With those that start and those that end. Default: 20. */
  readonly maxProcesses?: number
  /** How long work waits for a process while others have them all. Default: 20 seconds. */
  readonly roomTimeout?: Duration.Input
  /** After how long without an event a process ends. Default: 5 minutes. */
  readonly idleTimeout?: Duration.Input
}

const maxWaiting = 256

const busy = () =>
  new StorageError({ reason: "busy", message: "Too many integrations are at work: try again in a moment" })

const stopped = failed("unreachable", "Integrations are run no more: the server stops")

/** Work for a program, and who wants it. */
export interface Wanted {
  readonly program: Program
  /** Of what nobody waits for. */
  readonly queued: CapacityCallbacks | undefined
  /** Text of the script, where a process has to be started. */
  readonly script: () => Promise<string>
  /** `over` is to be called once the process is done with it. */
  readonly begin: (process: WorkerdProcess, over: () => void) => void
  /** It was not begun. */
  readonly fail: (failure: RunFailed | StorageError) => void
}

/** Hears of the processes that were ended for what their programs did. */
export type Misbehaved = (program: Program, reason: RunFailed) => void

interface WantedWork extends Work<WorkerdProcess> {
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
  readonly #misbehaved: Misbehaved
  readonly #places: Places<WorkerdProcess, WantedWork>
  /** Each until its process is gone. */
  readonly #lives = new Set<Promise<void>>()
  readonly #idle = new Map<Place<WorkerdProcess>, NodeJS.Timeout>()
  /** Milliseconds. */
  readonly #idleTimeout: number
  readonly #roomTimeout: number
  #isStopped = false

  constructor(program: string, options: ProcessPoolOptions, misbehaved: Misbehaved) {
    this.#program = program
    this.#options = options
    this.#misbehaved = misbehaved
    this.#idleTimeout = Duration.toMillis(options.idleTimeout ?? Duration.minutes(5))
    this.#roomTimeout = Duration.toMillis(options.roomTimeout ?? Duration.seconds(20))
    this.#places = new Places(options.maxProcesses ?? 20, maxWaiting, {
      start: (place, { program, script }) => this.#start(place, program, script),
      end: (place) => place.process!.end(),
      rests: (place) => this.#rests(place)
    })
  }

  /** Gives work to the process of its program, once there is one. The answer gives up what still waits for that. */
  enter({ program, queued, script, begin, fail }: Wanted): () => void {
    let late: NodeJS.Timeout | undefined
    const work: WantedWork = {
      program,
      isQueued: queued !== undefined,
      script,
      begin: (process) => {
        clearTimeout(late)
        if (late !== undefined) queued?.onStart()
        begin(process, () => this.#places.leave(work))
      },
      refuse: (why) => {
        clearTimeout(late)
        fail(asFailure(why))
      }
    }
    const giveUp = () => {
      clearTimeout(late)
      if (this.#places.waiting.has(work)) this.#places.leave(work)
    }
    if (!this.#places.enter(work)) fail(busy())
    else if (this.#places.waiting.has(work)) {
      queued?.onWait()
      late = setTimeout(() => {
        if (!this.#places.waiting.has(work)) return
        giveUp()
        fail(busy())
      }, this.#roomTimeout).unref()
    }
    return giveUp
  }

  /** Ends the process of an integration once it is done with what it has to do, and gives it no more. */
  end(integration: string): void {
    this.#places.retireOf(integration)
  }

  /** Ends all of them, whatever they have to do, and waits until they are gone. */
  async endAll(): Promise<void> {
    this.#isStopped = true
    this.#places.close(stopped)
    for (const { process } of this.#places.all) process?.end()
    await Promise.all(this.#lives)
  }

  #start(place: Place<WorkerdProcess>, program: Program, script: () => Promise<string>): void {
    const ends = () => this.#places.ends(place)
    const life = script()
      .then((text) => WorkerdProcess.start(this.#program, text, program.runtime, this.#options, ends))
      .then(
        (process) => {
          if (this.#isStopped) process.end()
          else this.#places.started(place, process)
          return process.gone.then(() => {
            if (process.misbehaviour !== undefined) this.#misbehaved(program, process.misbehaviour)
            this.#gone(place, stopped)
          })
        },
        (error: unknown) => this.#gone(place, error)
      )
      .finally(() => this.#lives.delete(life))
    this.#lives.add(life)
  }

  #gone(place: Place<WorkerdProcess>, why: unknown): void {
    clearTimeout(this.#idle.get(place))
    this.#idle.delete(place)
    this.#places.gone(place, why)
  }

  /** One that is given something meanwhile is not ended, and the time begins anew when it rests again. */
  #rests(place: Place<WorkerdProcess>): void {
    const known = this.#idle.get(place)
    if (known !== undefined) return void known.refresh()
    const end = () => {
      if (this.#places.resting.has(place)) this.#places.retire(place)
    }
    this.#idle.set(place, setTimeout(end, this.#idleTimeout).unref())
  }
}
