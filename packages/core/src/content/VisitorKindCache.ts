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

const maxAdaptiveNames = 10_000

/** Name of a subject, which stays constant while the subject changes, and the version of the subject. */
export interface CacheKey {
  readonly name: string
  readonly version: string
}

/** A computed result. */
export interface ComputedValue<A> {
  readonly value: A
  /** True if visitors with other claims may get another result. */
  readonly readsClaims: boolean
  /** Size in the unit of the limit; undefined for a result that is not cached. */
  readonly size: number | undefined
}

export class VisitorKindCache<A, E = never> {
  readonly #entries: LruCache<string, { readonly version: string; readonly value: A }>
  /** Names whose results depend on claims. */
  readonly #adaptive = new LruCache<string, true>(maxAdaptiveNames)
  readonly #flights = new SingleFlight<string, A, E>()

  constructor(limit: number) {
    this.#entries = new LruCache(limit)
  }

  /** Returns the cached result, or else computes it. `kind`: the kind of visitor; undefined for other readers. */
  getOrCompute<R>(
    key: CacheKey,
    kind: string | undefined,
    make: Effect.Effect<ComputedValue<A>, E, R>
  ): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const cached = this.get(key, kind)
      if (cached !== undefined) return Effect.succeed(cached)
      const computed = Effect.map(make, ({ value, readsClaims, size }) => {
        if (size !== undefined) this.set(key, kind, readsClaims, value, size)
        return value
      })
      return this.#flights.run(`${key.name}\n${key.version}\n${kind ?? ""}`, computed)
    })
  }

  get({ name, version }: CacheKey, kind: string | undefined): A | undefined {
    const entry = this.#entries.get(keyOf(name, this.#adaptive.get(name) === true ? kind : undefined))
    return entry?.version === version ? entry.value : undefined
  }

  set({ name, version }: CacheKey, kind: string | undefined, readsClaims: boolean, value: A, size: number): void {
    const isPerKind = readsClaims && kind !== undefined
    if (isPerKind) this.#adaptive.set(name, true, 1)
    else this.#adaptive.delete(name)
    this.#entries.set(keyOf(name, isPerKind ? kind : undefined), { version, value }, size)
  }
}

const keyOf = (name: string, kind: string | undefined): string => (kind === undefined ? name : `${name} ${kind}`)
