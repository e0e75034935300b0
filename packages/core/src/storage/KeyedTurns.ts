/**
 * Turns by key, within one process: what has the same key is done one after another, in the order in
 * which it came. Other processes are not asked, so whoever takes a turn still guards what it commits.
 *
 * Default: at most 200 wait for one key; whoever comes then is told to come again.
 */
import { Effect, Semaphore } from "effect"
import { StorageError } from "./Storage.ts"

interface Queue {
  readonly semaphore: Semaphore.Semaphore
  users: number
}

export class KeyedTurns {
  readonly #queues = new Map<string, Queue>()
  readonly #maxWaiting: number

  constructor({ maxWaiting = 200 }: { readonly maxWaiting?: number } = {}) {
    this.#maxWaiting = maxWaiting
  }

  /** `hasWaited`: whether something else with the key was done first. */
  take<A, E, R>(
    key: string,
    use: (hasWaited: boolean) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, R> {
    return Effect.suspend((): Effect.Effect<A, E | StorageError, R> => {
      const queue = this.#queues.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
      if (queue.users > this.#maxWaiting) return Effect.fail(busy)
      const hasWaited = queue.users > 0
      queue.users++
      this.#queues.set(key, queue)
      return Effect.ensuring(
        queue.semaphore.withPermits(1)(Effect.suspend(() => use(hasWaited))),
        Effect.sync(() => {
          queue.users--
          if (queue.users === 0) this.#queues.delete(key)
        })
      )
    })
  }
}

const busy = new StorageError({
  reason: "busy",
  message: "Too much is being written here at once: try again in a moment"
})
