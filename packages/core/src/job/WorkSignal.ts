/**
 * Wakes up loops of background work in this process. A loop takes `next` before it reads the store, and waits for it
 * afterwards, so it misses no work that is committed in between. Any number of loops can wait.
 */
import { Effect, Latch } from "effect"
import type { Storage } from "../storage/Storage.ts"

export class WorkSignal {
  #next = Latch.makeUnsafe(false)
  /** Opens the signal now. */
  readonly open: Effect.Effect<void> = Effect.sync(() => {
    const opened = this.#next
    this.#next = Latch.makeUnsafe(false)
    opened.openUnsafe()
  })

  /** Latch that opens at the next `open`. */
  get next(): Latch.Latch {
    return this.#next
  }

  /** Opens the signal when the enclosing transaction commits. */
  readonly announce = (storage: Storage["Service"]): Effect.Effect<void> => storage.afterCommit(this.open)
}
