/**
 * The tasks of one thread, in their order. One that takes too long, or that the thread ends of, can't
 * be done; those behind it are done by another thread.
 */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import * as ThreadMemory from "../ThreadMemory.ts"
import { type Links, type PageAnswer, type PageTask, ready } from "./PageWork.ts"

export interface PageQueueOptions {
  /** How long a task may take, in milliseconds. */
  readonly patience: number
  /** Of the thread, in MiB. */
  readonly maxMemory: number
}

interface Waiting {
  readonly task: PageTask
  readonly answered: (answer: PageAnswer) => void
}

export class PageQueue {
  readonly #options: PageQueueOptions
  #waiting: Array<Waiting> = []
  #links: Links | undefined
  #worker: Worker | undefined
  /** A thread that still loads what it needs is late, and not stuck. */
  #isReady = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: PageQueueOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  /** What the pages that are asked for behind it link to. */
  links(links: Links): void {
    this.#links = links
    this.#worker?.postMessage(links, [])
  }

  ask(task: PageTask, answered: (answer: PageAnswer) => void): void {
    this.#waiting.push({ task, answered })
    if (this.#worker === undefined) this.#worker = this.#start()
    else this.#worker.postMessage(task, [])
    if (this.#waiting.length === 1) this.#watch()
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer)
    this.#waiting = []
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  /** Another thread, with all that waits for it. */
  #start(): Worker {
    const { maxMemory } = this.#options
    const worker = new Worker(new URL(`./PageWorker${extname(import.meta.url)}`, import.meta.url), {
      resourceLimits: ThreadMemory.limitedTo(maxMemory),
      stdout: true,
      stderr: true
    })
    worker.unref()
    this.#isReady = false
    const lost = () => {
      if (this.#worker === worker) this.#lose()
    }
    worker.on("message", (answer: PageAnswer | typeof ready) => {
      if (this.#worker !== worker) return
      if (answer !== ready) return this.#next(answer)
      this.#isReady = true
      this.#watch()
    })
    worker.on("error", lost).on("exit", lost)
    if (this.#links !== undefined) worker.postMessage(this.#links, [])
    for (const { task } of this.#waiting) worker.postMessage(task, [])
    return worker
  }

  /** The first task has its time from now on. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (!this.#isReady || this.#waiting.length === 0) return
    this.#timer = setTimeout(() => this.#lose(), this.#options.patience).unref()
  }

  #next(answer: PageAnswer): void {
    const first = this.#waiting.shift()
    this.#watch()
    first?.answered(answer)
  }

  /** What the thread was at can't be done. */
  #lose(): void {
    clearTimeout(this.#timer)
    void this.#worker?.terminate()
    const first = this.#waiting.shift()
    this.#worker = this.#waiting.length === 0 ? undefined : this.#start()
    first?.answered({})
  }
}
