/** Queue of tasks for threads. `Threads` describes the rules. */
import { Effect } from "effect"
import { StorageError } from "../storage/Storage.ts"

/** Key of an actor, `patient`, or undefined for tasks without limits. */
type SlotKey = string | undefined

export const patient = "patient"

interface WaitingTask {
  readonly key: SlotKey
  /** Maximum number of waiting tasks with this key. */
  readonly maxWaiting: number
  hasStarted: boolean
  /** Resumes the waiting caller when the task starts. */
  start: () => void
}

export class ThreadSlots {
  readonly #count: number
  /** Maximum number of waiting tasks in total. */
  readonly #limit: number
  readonly #running = new Map<SlotKey, number>()
  /** Waiting tasks in order of arrival, without patient tasks, which do not count towards the limit. */
  readonly #waiting: Array<WaitingTask> = []
  readonly #patient: Array<WaitingTask> = []
  #freeCount: number

  constructor(count: number, limit: number) {
    this.#count = count
    this.#freeCount = count
    this.#limit = limit
  }

  /**
   * Runs the work when a slot is free. Fails with `busy` if `maxWaiting` tasks with this key wait. Running work cannot be
   * interrupted, since its thread continues.
   */
  run<A, E>(key: SlotKey, maxWaiting: number, work: Effect.Effect<A, E>): Effect.Effect<A, E | StorageError> {
    return Effect.suspend(() => {
      const task: WaitingTask = { key, maxWaiting, hasStarted: false, start: () => undefined }
      return Effect.andThen(this.#wait(task), Effect.uninterruptible(work)).pipe(
        Effect.ensuring(Effect.sync(() => this.#release(task)))
      )
    })
  }

  #wait(task: WaitingTask): Effect.Effect<void, StorageError> {
    if (this.canStart(task)) return Effect.sync(() => this.#start(task))
    const queue = this.#queueOf(task)
    if (queue === this.#waiting && this.#isFull(task)) return Effect.fail(busy)
    queue.push(task)
    return Effect.callback<void>((resume) => {
      if (task.hasStarted) resume(Effect.void)
      else task.start = () => resume(Effect.void)
    })
  }

  #queueOf({ key }: WaitingTask): Array<WaitingTask> {
    return key === patient ? this.#patient : this.#waiting
  }

  #isFull({ key, maxWaiting }: WaitingTask): boolean {
    const countOfKey = () => this.#waiting.filter((one) => one.key === key).length
    return this.#waiting.length >= this.#limit || (key !== undefined && countOfKey() >= maxWaiting)
  }

  canStart({ key }: WaitingTask): boolean {
    const maxRunning = key === undefined ? this.#count : key === patient ? Math.ceil(this.#count / 2) : 1
    return this.#freeCount > 0 && (this.#running.get(key) ?? 0) < maxRunning
  }

  #start(task: WaitingTask): void {
    task.hasStarted = true
    this.#freeCount--
    this.#running.set(task.key, (this.#running.get(task.key) ?? 0) + 1)
  }

  #release(task: WaitingTask): void {
    if (!task.hasStarted) {
      const queue = this.#queueOf(task)
      const at = queue.indexOf(task)
      if (at !== -1) queue.splice(at, 1)
      return
    }
    this.#freeCount++
    const runningCount = this.#running.get(task.key)! - 1
    if (runningCount === 0) this.#running.delete(task.key)
    else this.#running.set(task.key, runningCount)
    for (const queue of [this.#waiting, this.#patient]) {
      const at = queue.findIndex((one) => this.canStart(one))
      if (at === -1) continue
      const [next] = queue.splice(at, 1)
      this.#start(next!)
      next!.start()
    }
  }
}

const busy = new StorageError({ reason: "busy", message: "Too many computations are waiting. Try again in a moment" })
