/** Throttles a repeated log message. If the clock is set back, the next message is logged immediately. */
import { Duration } from "effect"

export class Throttle {
  readonly #pause: number
  #lastAt = -Infinity

  constructor(pause: Duration.Input) {
    this.#pause = Duration.toMillis(Duration.fromInputUnsafe(pause))
  }

  /** True if a message is due at `now` (ms). Starts the next pause. */
  isDue(now: number): boolean {
    if (Math.abs(now - this.#lastAt) < this.#pause) return false
    this.#lastAt = now
    return true
  }
}
