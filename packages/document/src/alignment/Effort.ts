/**
 * Work budget of one comparison of documents, in steps. Once the budget is used up, simpler algorithms replace the
 * exact ones. The budget counts steps and never time, so equal documents have equal results on any machine.
 *
 * The default suffices to compare about 6 MB of text word by word, and to find differences of 256 words in texts of
 * 100,000 words. Beyond that, whole texts are compared, or only items that occur once are matched.
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

  /** Consumes the steps and returns true. Returns false and consumes nothing if fewer steps are left. */
  take(steps: number): boolean {
    if (steps > this.#left) return false
    this.#left -= steps
    return true
  }
}
