/**
 * How much work one comparison of documents may still do, in steps. Once it is used up, what would
 * be looked for at length is found in a simpler way. Steps are counted, never time: the same
 * documents always compare alike, on any machine.
 *
 * About 6 MB of text are told word by word with it, and differences of 256 words are found in texts
 * of 100,000. What exceeds that differs by whole texts, or by what occurs once.
 *
 * Default: 30 million steps, which take about half a second.
 */
export class Effort {
  #left: number

  constructor(steps = 30_000_000) {
    this.#left = steps
  }

  get left(): number {
    return this.#left
  }

  /** Takes that many steps; false where fewer are left, and then none is taken. */
  take(steps: number): boolean {
    if (steps > this.#left) return false
    this.#left -= steps
    return true
  }
}
