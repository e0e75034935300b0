/**
 * A pool of threads that are reused. Each thread runs one task at a time. A task that exceeds its time or memory ends
 * its thread, other tasks are not affected, and the next task gets a new thread. Idle threads end after a while.
 */
import type { Task } from "@lectern/core/thread/Threads"
import { BoundedThread, type ThreadLost } from "./BoundedThread.ts"
import { ready, type TaskResult, type TaskMessage } from "./ThreadMessages.ts"

export interface ThreadPoolOptions {
  /** Maximum memory of each thread, in MiB. */
  readonly maxMemory: number
  /** Maximum time of a task (ms). */
  readonly timeout: number
  /** Idle time after which a thread ends (ms). */
  readonly idle: number
  /** Name of the threads' module. Default: `ThreadWorker`. */
  readonly module?: string
}

/** Number of shared values that a thread caches, enough for as many concurrent exports. */
const maxShared = 4

interface PendingTask {
  readonly task: Task
  readonly onResult: (complete: TaskResult) => void
}

export class ThreadPool {
  readonly #options: ThreadPoolOptions
  readonly #idle: Array<Thread> = []
  readonly #threads = new Set<Thread>()
  #hasEnded = false

  constructor(options: ThreadPoolOptions) {
    this.#options = options
  }

  /** Runs a task. Callers limit the number of concurrent tasks. */
  run(task: Task, onResult: (result: TaskResult) => void): void {
    if (this.#hasEnded) return onResult({ notStarted: "there are no threads any more" })
    const thread = this.#idle.pop() ?? this.#start()
    thread.run({ task, onResult: onResult })
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await Promise.all(Array.from(this.#threads, (thread) => thread.end()))
  }

  #start(): Thread {
    const thread = new Thread(this.#options, {
      isIdle: () => this.#idle.push(thread),
      hasEnded: () => {
        this.#threads.delete(thread)
        const index = this.#idle.indexOf(thread)
        if (index !== -1) this.#idle.splice(index, 1)
      }
    })
    this.#threads.add(thread)
    return thread
  }
}

let ids = 0
/** Id of each shared value. */
const idOf = new WeakMap<object, number>()

class Thread {
  readonly #thread: BoundedThread<TaskMessage, TaskResult | typeof ready>
  readonly #options: ThreadPoolOptions
  readonly #callbacks: { readonly isIdle: () => void; readonly hasEnded: () => void }
  readonly #shared: Array<number> = []
  /** True once the modules are loaded. The time limit of a task starts after that. */
  #isReady = false
  #pendingTask: PendingTask | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: ThreadPoolOptions, callbacks: { readonly isIdle: () => void; readonly hasEnded: () => void }) {
    this.#options = options
    this.#callbacks = callbacks
    this.#thread = new BoundedThread(import.meta.url, options.module ?? "ThreadWorker", options)
    this.#thread.listen({
      onMessage: (message) => {
        if (message !== ready) return this.#completeTask(message)
        this.#isReady = true
        if (this.#pendingTask !== undefined) this.#send(this.#pendingTask.task)
      },
      onLost: (loss) => this.#onLost(loss)
    })
  }

  run(task: PendingTask): void {
    clearTimeout(this.#timer)
    this.#pendingTask = task
    if (this.#isReady) this.#send(task.task)
  }

  end(): Promise<void> {
    return this.#thread.end()
  }

  /** Removes the thread from the pool. The current task fails. */
  #onLost({ reason, cause }: ThreadLost): void {
    clearTimeout(this.#timer)
    this.#callbacks.hasEnded()
    const pendingTask = this.#pendingTask
    this.#pendingTask = undefined
    pendingTask?.onResult(this.#isReady || reason === "memory" ? { costly: true } : { notStarted: reasonOf(cause) })
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

  #completeTask(complete: TaskResult): void {
    clearTimeout(this.#timer)
    const pendingTask = this.#pendingTask
    this.#pendingTask = undefined
    this.#thread.unref()
    this.#timer = setTimeout(() => void this.end(), this.#options.idle).unref()
    this.#callbacks.isIdle()
    pendingTask?.onResult(complete)
  }
}

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : "it ended")
