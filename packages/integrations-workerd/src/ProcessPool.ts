/**
 * The processes there are, by integration: the one used last at the end.
 *
 * Defaults: 20 processes at once, of which one that rests gives way; ended after 5 minutes without an event.
 */
import { lingerTimeout, type Program } from "@lectern/core/integration/IntegrationRuntime"
import { Duration } from "effect"
import type { OutsideDoorOptions } from "./OutsideDoor.ts"
import { WorkerdProcess } from "./WorkerdProcess.ts"

export interface ProcessPoolOptions extends OutsideDoorOptions {
  /** Default: 20. */
  readonly maxProcesses?: number
  /** After how long without an event a process ends. Default: 5 minutes. */
  readonly idleTimeout?: Duration.Input
}

interface Kept {
  readonly version: number
  readonly process: Promise<WorkerdProcess>
  /** The same once it is there. */
  started?: WorkerdProcess
  rest: NodeJS.Timeout | undefined
}

export class ProcessPool {
  readonly #kept = new Map<string, Kept>()
  readonly #program: string
  readonly #options: ProcessPoolOptions
  /** Milliseconds. */
  readonly #idleTimeout: number

  constructor(program: string, options: ProcessPoolOptions) {
    this.#program = program
    this.#options = options
    this.#idleTimeout = Duration.toMillis(options.idleTimeout ?? Duration.minutes(5))
  }

  /** The process of this version, where it is there already. */
  find({ integration, version }: Program): WorkerdProcess | undefined {
    const known = this.#kept.get(integration)
    const process = known?.version === version ? known.started : undefined
    if (known === undefined || process === undefined || process.isOver) return undefined
    clearTimeout(known.rest)
    this.#kept.delete(integration)
    this.#kept.set(integration, known)
    return process
  }

  /** The process of this version; `script` is asked for where there is none yet. */
  async get(program: Program, script: () => Promise<string>): Promise<WorkerdProcess> {
    const known = this.#kept.get(program.integration)
    if (known !== undefined) {
      clearTimeout(known.rest)
      const process = known.version === program.version ? await known.process.catch(() => undefined) : undefined
      const isKept = this.#kept.get(program.integration) === known
      if (process !== undefined && !process.isOver) {
        if (isKept) {
          this.#kept.delete(program.integration)
          this.#kept.set(program.integration, known)
        }
        return process
      }
      if (isKept) this.end(program.integration)
      // Another event has started the next one meanwhile.
      else if (this.#kept.has(program.integration)) return this.get(program, script)
    }
    this.#makeRoom()
    const process = script().then((text) => WorkerdProcess.start(this.#program, text, program.runtime, this.#options))
    const kept: Kept = { version: program.version, process, rest: undefined }
    this.#kept.set(program.integration, kept)
    process.then(
      (started) => {
        kept.started = started
      },
      () => this.#forget(program.integration, process)
    )
    return process
  }

  /** Ends a process that has had nothing to do for a while. */
  rest(integration: string): void {
    const kept = this.#kept.get(integration)
    if (kept === undefined || (kept.started?.underWay ?? 0) > 0) return
    clearTimeout(kept.rest)
    kept.rest = setTimeout(() => {
      void kept.process.then(
        (process) => process.underWay === 0 && this.#kept.get(integration) === kept && this.end(integration),
        () => {}
      )
    }, this.#idleTimeout).unref()
  }

  end(integration: string): void {
    const kept = this.#kept.get(integration)
    if (kept === undefined) return
    this.#kept.delete(integration)
    clearTimeout(kept.rest)
    void kept.process.then(
      (process) => this.#retire(process),
      () => {}
    )
  }

  async endAll(): Promise<void> {
    const all = [...this.#kept.values()]
    this.#kept.clear()
    for (const { process, rest } of all) {
      clearTimeout(rest)
      await process.then(
        (process) => process.end(),
        () => {}
      )
    }
  }

  /** Retires a process that is replaced: it ends once its running events are done. */
  #retire(process: WorkerdProcess): void {
    if (process.underWay === 0) return process.end()
    setTimeout(() => process.end(), Duration.toMillis(lingerTimeout)).unref()
  }

  #makeRoom(): void {
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= (this.#options.maxProcesses ?? 20) && oldest !== undefined) this.end(oldest)
  }

  #forget(integration: string, process: Promise<WorkerdProcess>): void {
    if (this.#kept.get(integration)?.process === process) this.#kept.delete(integration)
  }
}
