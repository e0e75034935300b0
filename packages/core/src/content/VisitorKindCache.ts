/**
 * Caches results: once for everyone, or once per kind of visitor if a result depends on claims. Each computed result
 * decides between the two.
 *
 * A result is cached under the name of its subject and replaces the previous result. A subject that changes often has
 * one entry, not one for each of its versions. Concurrent callers of one result wait for a single computation.
 *
 * Default: the cache tracks up to 10,000 names whose results depend on claims.
 */
import { Effect } from "effect"
import { LruCache } from "../storage/LruCache.ts"
import { SingleFlight } from "../storage/SingleFlight.ts"

const keptAdaptive = 10_000

/** Name of a subject, which stays constant while the subject changes, and the version of the subject. */
export interface AnswerKey {
  readonly name: string
  readonly version: string
}

/** A computed result. */
export interface Made<A> {
  readonly answer: A
  /** True if visitors with other claims may get another result. */
  readonly readsClaims: boolean
  /** Size in the unit of the limit; undefined for a result that is not cached. */
  readonly size: number | undefined
}

export class VisitorKindCache<A, E = never> {
  readonly #answers: LruCache<string, { readonly version: string; readonly answer: A }>
  /** Names whose results depend on claims. */
  readonly #adaptive = new LruCache<string, true>(keptAdaptive)
  readonly #flights = new SingleFlight<string, A, E>()

  constructor(limit: number) {
    this.#answers = new LruCache(limit)
  }

  /** Returns the cached result, or else computes it. `kind`: the kind of visitor; undefined for other readers. */
  of<R>(key: AnswerKey, kind: string | undefined, make: Effect.Effect<Made<A>, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const known = this.get(key, kind)
      if (known !== undefined) return Effect.succeed(known)
      const kept = Effect.map(make, ({ answer, readsClaims, size }) => {
        if (size !== undefined) this.set(key, kind, readsClaims, answer, size)
        return answer
      })
      return this.#flights.run(`${key.name}\n${key.version}\n${kind ?? ""}`, kept)
    })
  }

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
