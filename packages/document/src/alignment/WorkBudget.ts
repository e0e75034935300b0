/**
 * Work budget of one comparison of documents, in steps. Once the budget is used up, simpler algorithms replace the
 * exact ones. The budget counts steps and never time, so equal documents have equal results on any machine.
 *
 * The default suffices to compare about 6 MB of text word by word, and to find differences of 256 words in texts of
 * 100,000 words. Beyond that, whole texts are compared, or only items that occur once are matched.
 *
 * Default: 30 million steps, which take about half a second.
 */
export class WorkBudget {
  #remaining: number

  constructor(steps = 30_000_000) {
    this.#remaining = steps
  }

  get remaining(): number {
    return this.#remaining
  }

  /** Consumes the steps and returns true. Returns false and consumes nothing if fewer steps are left. */
  consume(steps: number): boolean {
    if (steps > this.#remaining) return false
    this.#remaining -= steps
    return true
  }
}
