/**
 * Caches rendered pages and files of a site. Inputs are compared by identity, since the core returns the same object
 * until its content changes. So an entry needs no expiry and no invalidation.
 *
 * Limit: bytes of the most recently used entries, including their compressed forms.
 */
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { LruCache } from "@lectern/core/storage/LruCache"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import type { HttpBody } from "effect/http"

interface Cacheable {
  /** Bytes of the body. */
  readonly length: number
  /** False if the next request must render again, for example because a part was not ready. */
  readonly isComplete: boolean
}

export interface RenderedPage extends Cacheable {
  readonly body: HttpBody.HttpBody
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

interface CacheEntry<A> {
  /** Ids of the input objects, and other inputs as JSON. */
  readonly inputs: string
  readonly value: A
}

/** Memory of an entry in addition to its body (bytes). */
const entryOverhead = 2_000
/** Memory of a body with its compressed forms, as a multiple of the body. Each of two encodings takes about a fifth. */
const compressionFactor = 1.5

/** Returns the part of a cache name that identifies the reader. */
export const readerKey = ({ site, basePath, siteBasePath, shareKey, contextId, session }: PublishedContent): string =>
  [site, basePath, siteBasePath, shareKey, contextId, session !== undefined].join(" ")

export const make = <A extends Cacheable, E = StorageError>(bytes: number) => {
  const cache = new LruCache<string, CacheEntry<A>>(bytes)
  const flights = new SingleFlight<string, A, E>()
  /**
   * Ids of input objects. A cached page holds these ids and not the inputs, since an input may be the tree of a whole
   * space in an outdated revision.
   */
  const ids = new WeakMap<object, number>()
  let lastId = 0
  const idOf = (input: unknown): string => {
    if (typeof input !== "object" || input === null) return JSON.stringify(input) ?? ""
    let id = ids.get(input)
    if (id === undefined) ids.set(input, (id = ++lastId))
    return `#${id}`
  }
  return {
    /**
     * Returns the cached entry by its name, or renders it if its inputs changed. Concurrent requests share one
     * rendering.
     */
    get: <R>(key: string, inputs: ReadonlyArray<unknown>, render: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        const cached = cache.get(key)
        const inputKey = inputs.map(idOf).join(" ")
        if (cached?.inputs === inputKey) return Effect.succeed(cached.value)
        const renderAndStore = Effect.map(render, (value) => {
          const size = Math.ceil(value.length * compressionFactor) + 2 * (key.length + inputKey.length) + entryOverhead
          if (value.isComplete) cache.set(key, { inputs: inputKey, value }, size)
          return value
        })
        return flights.run(`${key}\n${inputKey}`, renderAndStore)
      })
  }
}
