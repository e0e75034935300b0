/**
 * Says once in a while when to tell of something that would be told over and over. Where the clock is set back it is told at once: else nobody
 * would hear of it until the clock came there again.
 */
import { Duration } from "effect"

export class Seldom {
  readonly #pause: number
  #toldAt = -Infinity

  constructor(pause: Duration.Input) {
    this.#pause = Duration.toMillis(Duration.fromInputUnsafe(pause))
  }

  /** Tells whether it is to be told `now` (ms), and takes it for told then. */
  isDue(now: number): boolean {
    if (Math.abs(now - this.#toldAt) < this.#pause) return false
    this.#toldAt = now
    return true
  }
}
