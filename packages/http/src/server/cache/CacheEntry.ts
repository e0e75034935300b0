/**
 * Cached responses to one request, by token, and their size in memory. A body that several tokens share is counted
 * once; metadata is counted for each token.
 */
import type { Reads } from "@lectern/core/storage/Reads"
import type { HttpBody, HttpServerResponse } from "effect/http"
import type { CacheHitListener } from "../MountedApp.ts"
import type { ObservedRequest } from "../Observation.ts"
import type { HitCounter, RequestHash } from "./Admission.ts"
import type { CacheFill } from "./CacheFill.ts"

export interface CachedResponse {
  /** Observed request, reported again at each hit. Undefined without observers. */
  readonly observed: ObservedRequest | undefined
  readonly response: HttpServerResponse.HttpServerResponse
  /** Additional headers that are equal for all hits. */
  readonly headers: Readonly<Record<string, string>>
  /** Name under which requests of the caller are counted for the rate limit. Undefined if requests are not limited. */
  readonly caller: string | undefined
  /** Called at each hit. Default: no call. */
  readonly onHit?: CacheHitListener | undefined
}

/** Cached response. The fields are stored in one object, since a hit reads few other objects. */
export class CacheEntry implements CachedResponse, HitCounter {
  readonly token: string
  readonly hash: RequestHash
  readonly expiresAt: number
  readonly reads: Reads
  readonly response: CachedResponse["response"]
  readonly headers: CachedResponse["headers"]
  readonly observed: CachedResponse["observed"]
  readonly caller: CachedResponse["caller"]
  readonly onHit: CachedResponse["onHit"]
  /** Number of later misses that skip storing, if this entry goes stale without a hit. */
  readonly skipCount: number
  /** Last commit of the store at which the entry was valid. */
  validAt: number
  /** True if the entry had a hit. */
  wasHit = false
  /** True if the entry is stale. */
  isStale = false
  /** Number of misses that skipped storing so far. */
  skipped = 0
  hits = 0
  age = 0

  constructor({ token, hash, clock, reads }: CacheFill, cached: CachedResponse, commit: number, skipCount: number) {
    this.token = token
    this.hash = hash
    this.expiresAt = clock.validUntil
    this.reads = reads
    this.response = cached.response
    this.headers = cached.headers
    this.observed = cached.observed
    this.caller = cached.caller
    this.onHit = cached.onHit
    this.skipCount = skipCount
    this.validAt = commit
  }
}

/** Entries of several tokens, and the number of entries that use each body. */
interface SharedBodies {
  readonly byToken: Map<string, CacheEntry>
  readonly bodies: Map<HttpBody.HttpBody, number>
}

/**
 * Cached responses to one request. Each token has an entry, though most bodies are equal. Most requests are made by one
 * token only, and long-lived objects are expensive, so a single entry needs no maps.
 */
export class EntriesByToken {
  /** Size in bytes. */
  size: number
  #singleEntry: CacheEntry | undefined
  #sharedBodies: SharedBodies | undefined

  constructor(requestKey: string) {
    this.size = requestKey.length
  }

  get entries(): ReadonlyArray<CacheEntry> {
    return this.#sharedBodies === undefined
      ? this.#singleEntry === undefined
        ? []
        : [this.#singleEntry]
      : [...this.#sharedBodies.byToken.values()]
  }

  get(token: string): CacheEntry | undefined {
    if (this.#singleEntry === undefined) return this.#sharedBodies?.byToken.get(token)
    return this.#singleEntry.token === token ? this.#singleEntry : undefined
  }

  add(entry: CacheEntry): void {
    const { token } = entry
    const previous = this.get(token)
    if (previous === undefined) this.size += entryOverhead + token.length
    this.size += readsSize(entry) - (previous === undefined ? 0 : readsSize(previous))
    if (this.#sharedBodies === undefined && (this.#singleEntry === undefined || previous !== undefined)) {
      this.size += bodySize(entry.response.body) - (previous === undefined ? 0 : bodySize(previous.response.body))
      this.#singleEntry = entry
      return
    }
    const sharedBodies = (this.#sharedBodies ??= sharedBodiesOf(this.#singleEntry!))
    this.#singleEntry = undefined
    sharedBodies.byToken.set(token, entry)
    if (previous !== undefined) this.#count(sharedBodies, previous, -1)
    this.#count(sharedBodies, entry, 1)
  }

  #count({ bodies }: SharedBodies, { response: { body } }: CacheEntry, change: 1 | -1): void {
    const uses = bodies.get(body) ?? 0
    if (uses + change === 0) bodies.delete(body)
    else bodies.set(body, uses + change)
    if (uses === 0 || uses + change === 0) this.size += change * bodySize(body)
  }
}

const sharedBodiesOf = (entry: CacheEntry): SharedBodies => ({
  byToken: new Map([[entry.token, entry]]),
  bodies: new Map([[entry.response.body, 1]])
})

/** Returns the number of misses that skip storing after an entry. It doubles if the previous entry also had no hit. */
export const skipCountAfter = (previous: CacheEntry | undefined): number =>
  previous === undefined || previous.wasHit ? 0 : Math.min(2 * previous.skipCount + 1, maxSkips)

/** Returns the memory in bytes for the read set of an entry. */
const readsSize = ({ reads }: CacheEntry): number => reads.tags.size * readSize

/** Returns the memory of a body in bytes. Text with non-ASCII characters takes two bytes per character. */
const bodySize = (body: HttpBody.HttpBody): number => {
  if (body._tag !== "Uint8Array") return 0
  const { text, contentLength } = body
  return text === undefined || text.length === contentLength ? contentLength : 2 * text.length
}

/** Maximum number of misses in a row that skip storing. */
const maxSkips = 15

/** Memory of an entry without its body: headers and objects (bytes). */
const entryOverhead = 1_500
/** Memory of one item of a read set (bytes). */
const readSize = 120
