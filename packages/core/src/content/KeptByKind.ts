/**
 * Answers that are kept: once for everyone, or once for each kind of visitors where an answer reads claims. Which
 * of the two it is, is known when it has been made.
 *
 * Default: for 10,000 keys it is kept that their answers read claims.
 */
import { Lru } from "../storage/Lru.ts"

const keptAdaptive = 10_000

export class KeptByKind<A> {
  readonly #answers: Lru<string, A>
  /** Keys whose answers read claims. */
  readonly #adaptive = new Lru<string, true>(keptAdaptive)

  constructor(limit: number) {
    this.#answers = new Lru(limit)
  }

  /** `kind`: that of a visitor; undefined for whoever else reads. */
  get(key: string, kind: string | undefined): A | undefined {
    return this.#answers.get(this.#keyOf(key, this.#adaptive.get(key) === true ? kind : undefined))
  }

  set(key: string, kind: string | undefined, readsClaims: boolean, answer: A, size: number): void {
    const isForKind = readsClaims && kind !== undefined
    if (isForKind) this.#adaptive.set(key, true, 1)
    this.#answers.set(this.#keyOf(key, isForKind ? kind : undefined), answer, size)
  }

  #keyOf(key: string, kind: string | undefined): string {
    return kind === undefined ? key : `${key} ${kind}`
  }
}
