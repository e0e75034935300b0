/**
 * Turns by key, within one process: what has the same key is done one after another, or so many at once,
 * in the order in which it came. Other processes are not asked, so whoever takes a turn still guards what it commits.
 *
 * Defaults: one at once; at most 200 wait for one key; whoever comes then is told to come again.
 */
import { Effect, Semaphore } from "effect"
import { StorageError } from "./Storage.ts"

interface Queue {
  readonly semaphore: Semaphore.Semaphore
  callers: number
}

export class KeyedSemaphore {
  readonly #queues = new Map<string, Queue>()
  readonly #atOnce: number
  readonly #maxWaiting: number

  constructor({ atOnce = 1, maxWaiting = 200 }: { readonly atOnce?: number; readonly maxWaiting?: number } = {}) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** `hasWaited`: whether something else with the key was done first. */
  withPermit<A, E, R>(
    key: string,
    use: (hasWaited: boolean) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, R> {
    return Effect.suspend((): Effect.Effect<A, E | StorageError, R> => {
      const queue = this.#queues.get(key) ?? { semaphore: Semaphore.makeUnsafe(this.#atOnce), callers: 0 }
      if (queue.callers >= this.#maxWaiting + this.#atOnce) return Effect.fail(busy)
      const hasWaited = queue.callers >= this.#atOnce
      queue.callers++
      this.#queues.set(key, queue)
      return Effect.ensuring(
        queue.semaphore.withPermits(1)(Effect.suspend(() => use(hasWaited))),
        Effect.sync(() => {
          queue.callers--
          if (queue.callers === 0) this.#queues.delete(key)
        })
      )
    })
  }
}

const busy = new StorageError({
  reason: "busy",
  message: "Too much is being written here at once: try again in a moment"
})
