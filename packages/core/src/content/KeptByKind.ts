/**
 * Answers that are kept: once for everyone, or once for each kind of visitors where an answer reads claims. Which
 * of the two it is, is known when it has been made.
 *
 * An answer is kept under what it is of, and takes the place of the one before it: what is changed often is kept once,
 * not once for each state that it was in.
 *
 * Default: for 10,000 names it is kept that their answers read claims.
 */
import { Lru } from "../storage/Lru.ts"

const keptAdaptive = 10_000

/** Name of something that is answered, the same while it changes, and the state that it is in. */
export interface AnswerKey {
  readonly name: string
  readonly version: string
}

export class KeptByKind<A> {
  readonly #answers: Lru<string, { readonly version: string; readonly answer: A }>
  /** Names whose answers read claims. */
  readonly #adaptive = new Lru<string, true>(keptAdaptive)

  constructor(limit: number) {
    this.#answers = new Lru(limit)
  }

  /** `kind`: that of a visitor; undefined for whoever else reads. */
  get({ name, version }: AnswerKey, kind: string | undefined): A | undefined {
    const kept = this.#answers.get(keyOf(name, this.#adaptive.get(name) === true ? kind : undefined))
    return kept?.version === version ? kept.answer : undefined
  }

  set({ name, version }: AnswerKey, kind: string | undefined, readsClaims: boolean, answer: A, size: number): void {
    const isForKind = readsClaims && kind !== undefined
    if (isForKind) this.#adaptive.set(name, true, 1)
    else this.#adaptive.delete(name)
    this.#answers.set(keyOf(name, isForKind ? kind : undefined), { version, answer }, size)
  }
}

const keyOf = (name: string, kind: string | undefined): string => (kind === undefined ? name : `${name} ${kind}`)
