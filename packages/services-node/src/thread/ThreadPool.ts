/**
 * Threads that stay warm: each does one task at a time. One that takes too long, or too much memory,
 * ends with its thread, and harms no other; the next task gets a new one. Threads that have had
 * nothing to do for a while are ended.
 */
import type { Task } from "@lectern/core/thread/Threads"
import { BoundedThread, type ThreadLost } from "./BoundedThread.ts"
import { ready, type TaskAnswer, type TaskMessage } from "./ThreadMessages.ts"

export interface ThreadPoolOptions {
  /** Of each thread, in MiB. */
  readonly maxMemory: number
  /** For a task, at most (ms). */
  readonly timeout: number
  /** After how long (ms) with nothing to do a thread is ended. */
  readonly idle: number
  /** The module of each. Default: the one that computes. */
  readonly module?: string
}

/** How much of what tasks share a thread keeps: what as many exports refer to. */
const maxShared = 4

interface Waiting {
  readonly task: Task
  readonly answered: (answer: TaskAnswer) => void
}

export class ThreadPool {
  readonly #options: ThreadPoolOptions
  readonly #idle: Array<Thread> = []
  readonly #all = new Set<Thread>()
  #hasEnded = false

  constructor(options: ThreadPoolOptions) {
    this.#options = options
  }

  /** Whoever asks takes care that there are no more at once than there may be threads. */
  run(task: Task, answered: (answer: TaskAnswer) => void): void {
    if (this.#hasEnded) return answered({ notBegun: "there are no threads any more" })
    const thread = this.#idle.pop() ?? this.#start()
    thread.run({ task, answered })
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await Promise.all(Array.from(this.#all, (thread) => thread.end()))
  }

  #start(): Thread {
    const thread = new Thread(this.#options, {
      isIdle: () => this.#idle.push(thread),
      hasEnded: () => {
        this.#all.delete(thread)
        const at = this.#idle.indexOf(thread)
        if (at !== -1) this.#idle.splice(at, 1)
      }
    })
    this.#all.add(thread)
    return thread
  }
}

let ids = 0
/** By which number threads know what is shared. */
const idOf = new WeakMap<object, number>()

class Thread {
  readonly #thread: BoundedThread<TaskMessage, TaskAnswer | typeof ready>
  readonly #options: ThreadPoolOptions
  readonly #told: { readonly isIdle: () => void; readonly hasEnded: () => void }
  readonly #shared: Array<number> = []
  /** One that still loads what it needs is late, and not stuck. */
  #isReady = false
  #waiting: Waiting | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: ThreadPoolOptions, told: { readonly isIdle: () => void; readonly hasEnded: () => void }) {
    this.#options = options
    this.#told = told
    this.#thread = new BoundedThread(import.meta.url, options.module ?? "ThreadWorker", options)
    this.#thread.listen({
      said: (message) => {
        if (message !== ready) return this.#answer(message)
        this.#isReady = true
        if (this.#waiting !== undefined) this.#send(this.#waiting.task)
      },
      lost: (lost) => this.#leave(lost)
    })
  }

  run(waiting: Waiting): void {
    clearTimeout(this.#timer)
    this.#waiting = waiting
    if (this.#isReady) this.#send(waiting.task)
  }

  end(): Promise<void> {
    return this.#thread.end()
  }

  /** Takes the thread out of the pool. The task that it was at fails. */
  #leave({ reason, cause }: ThreadLost): void {
    clearTimeout(this.#timer)
    this.#told.hasEnded()
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.answered(this.#isReady || reason === "memory" ? { costly: true } : { notBegun: reasonOf(cause) })
  }

  #send({ name, input, shared, timeout }: Task): void {
    this.#timer = setTimeout(() => void this.end(), Math.min(timeout, this.#options.timeout)).unref()
    this.#thread.send({ name, input, ...(shared && this.#share(shared)) })
  }

  #share(value: object): Pick<TaskMessage, "shared" | "forget"> {
    let id = idOf.get(value)
    if (id === undefined) idOf.set(value, (id = ++ids))
    if (this.#shared.includes(id)) return { shared: { id } }
    this.#shared.push(id)
    const forget = this.#shared.length > maxShared ? this.#shared.shift() : undefined
    return { shared: { id, value }, ...(forget !== undefined && { forget }) }
  }

  #answer(answer: TaskAnswer): void {
    clearTimeout(this.#timer)
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#thread.rest()
    this.#timer = setTimeout(() => void this.end(), this.#options.idle).unref()
    this.#told.isIdle()
    waiting?.answered(answer)
  }
}

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : "it ended")
