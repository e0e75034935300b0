/**
 * Semaphores by key, within one process. Effects with one key run one after another, or up to `atOnce` at a time, in
 * the order of arrival. Other processes are not covered, so an effect still guards its commit (compare and set).
 *
 * Defaults: one effect per key at a time; at most 200 wait for one key. A caller beyond that limit fails with
 * `StorageError` (`busy`).
 */
import { Effect, Semaphore } from "effect"
import { StorageError } from "./Storage.ts"

interface KeyQueue {
  readonly semaphore: Semaphore.Semaphore
  callers: number
}

export class KeyedSemaphore {
  readonly #queues = new Map<string, KeyQueue>()
  readonly #atOnce: number
  readonly #maxWaiting: number

  constructor({ atOnce = 1, maxWaiting = 200 }: { readonly atOnce?: number; readonly maxWaiting?: number } = {}) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /**
   * Runs the effect when a permit of the key is free. `hasWaited` is true if another effect with this key ran first.
   */
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
  message: "Too many concurrent writes to this resource. Try again in a moment"
})
