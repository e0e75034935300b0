/** Throttles a repeated log message. If the clock is set back, the next message is logged immediately. */
import { Duration } from "effect"

export class Seldom {
  readonly #pause: number
  #toldAt = -Infinity

  constructor(pause: Duration.Input) {
    this.#pause = Duration.toMillis(Duration.fromInputUnsafe(pause))
  }

  /** True if a message is due at `now` (ms). Starts the next pause. */
  isDue(now: number): boolean {
    if (Math.abs(now - this.#toldAt) < this.#pause) return false
    this.#toldAt = now
    return true
  }
}
