/**
 * Faults of the connection to a late store, at random with a fixed seed. Time is counted in turns of the event loop, so
 * that no test depends on speed.
 */

export interface FaultOptions {
  readonly seed: number
  /** Maximum number of turns until a message arrives. Default: 1. */
  readonly turns?: number
  /** Probability that a client has forgotten all that it fetched, before each run of a body. */
  readonly forget?: number
  /** Probability that the store refuses a commit without a reason. */
  readonly refuse?: number
  /** Maximum number of such refusals between two commits. Default: 2, so that no transaction waits before it runs again. */
  readonly maxRefusals?: number
  /** Probability that a message is lost on its way to the store or back. */
  readonly lose?: number
  /** Probability that a response arrives twice. */
  readonly repeat?: number
}

export class Faults {
  /** True while no message arrives. */
  isCut = false
  /** Number of commits that the store refuses next. */
  nextRefusals = 0
  #state: number
  #refusals = 0
  readonly #options: FaultOptions

  constructor(options: FaultOptions) {
    this.#options = options
    this.#state = options.seed
  }

  /** Number of turns until a message arrives. Undefined: it is lost. */
  arrival(): number | undefined {
    if (this.isCut || this.#happens(this.#options.lose)) return undefined
    return 1 + Math.floor(this.#random() * (this.#options.turns ?? 1))
  }

  isForgotten(): boolean {
    return this.#happens(this.#options.forget)
  }

  isRefused(): boolean {
    if (this.nextRefusals > 0) {
      this.nextRefusals--
      return true
    }
    const isRefused = this.#refusals < (this.#options.maxRefusals ?? 2) && this.#happens(this.#options.refuse)
    if (isRefused) this.#refusals++
    return isRefused
  }

  onCommitted(): void {
    this.#refusals = 0
  }

  isRepeated(): boolean {
    return this.#happens(this.#options.repeat)
  }

  #happens(probability = 0): boolean {
    return probability > 0 && this.#random() < probability
  }

  /** Returns a number from 0 to 1 (mulberry32). */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
