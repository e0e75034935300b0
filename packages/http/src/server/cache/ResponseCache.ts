/**
 * Caches responses to reads in the form in which they are sent. A hit is served before any other part of the server
 * runs. The key is the request and its token.
 *
 * An entry is valid until a row that it was read from changes (`Reads`), in any process. The last commit before the
 * arrival of the request is checked at each hit, so a revoked token takes effect at once. Over a remote store, a hit waits
 * for the store to name that commit, together with all requests that arrive meanwhile. A time dependency also ends an entry (`TimeDependency`). A
 * response that depends on anything but the store is not cached, nor is a streamed body.
 *
 * A response is stored if its request is repeated often enough (see `Admission`). If entries go stale without a hit,
 * the next responses are not stored, since storing is most of the cost of a miss.
 *
 * Default: off. Limits: `ResponseCacheOptions.bytes` in total, evicting the least recently used entry; only 200 and 304
 * responses to requests without a body; only operations that `CachePolicy` lists.
 */
import { WatchedClock } from "@lectern/core/time/TimeDependency"
import { LruCache } from "@lectern/core/storage/LruCache"
import { Reads } from "@lectern/core/storage/Reads"
import type { Arrival } from "@lectern/core/storage/LearnedCommits"
import { Storage } from "@lectern/core/storage/Storage"
import { Clock, Context, Effect, Exit, Latch } from "effect"
import { Cookies, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Admission, type RequestHash } from "./Admission.ts"
import { EntriesByToken, CacheEntry, type CachedResponse, skipCountAfter } from "./CacheEntry.ts"
import type { CacheKey, CachePolicy } from "./CachePolicy.ts"
import type { CacheFill } from "./CacheFill.ts"

export interface ResponseCacheOptions {
  /** Maximum total size in bytes. 0 turns the cache off. */
  readonly bytes: number
  /** True to store a response at the first request. Default: false, which applies `Admission`. */
  readonly admitFirst?: boolean
}

export const ResponseCacheOptions = Context.Reference<ResponseCacheOptions>(
  "@lectern/http/server/cache/ResponseCacheOptions",
  {
    defaultValue: () => ({ bytes: 0 })
  }
)

export interface ResponseCache {
  /**
   * Returns a valid entry, or on a miss the record by which the response is stored. Undefined if it should not be
   * stored. `unconfirmed` if the entry may be stale: call `lookup` again after `Storage.lastCommit`.
   */
  readonly lookup: (key: CacheKey, arrival: Arrival | undefined) => CacheLookup | "unconfirmed" | undefined
  /**
   * Coalesces concurrent computations of equal responses: one request runs `make`, and the others wait and pass the
   * stored entry to `onEntry`. A response that was not cacheable the last time is computed by each request at once, and
   * so are responses that clients do not share (see `CachePolicy`).
   */
  readonly coalesce: <A, E, R>(
    fill: CacheFill,
    make: Effect.Effect<A, E, R>,
    onEntry: (cached: CachedResponse) => A
  ) => Effect.Effect<A, E, R>
  /** Stores a response if it is cacheable. */
  readonly set: (
    fill: CacheFill,
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse,
    metadata: Omit<CachedResponse, "response">
  ) => void
}

export type CacheLookup =
  | { readonly hit: CachedResponse; readonly fill?: never }
  | { readonly hit?: never; readonly fill: CacheFill }

/** Computation that other requests wait for. */
interface PendingResponse {
  readonly latch: Latch.Latch
  hasSucceeded: boolean
}

/** Maximum total length of cached keys of uncacheable requests, in characters. */
const maxUncacheable = 256 * 1024

const keyText = ({ request: requestKey, token }: CacheFill): string => `${token}\n${requestKey}`

/** Creates the cache; `undefined` if it is off. */
export const make = Effect.fnUntraced(function* (policy: CachePolicy) {
  const { bytes: limit, admitFirst = false } = yield* ResponseCacheOptions
  if (limit <= 0) return undefined
  const { lastCommit, learnedCommit, changedSince } = yield* Storage
  const clock = yield* Clock.Clock
  // Storing responses that are rarely requested costs more than it saves.
  const admission = admitFirst || policy.isShared ? undefined : new Admission()
  // The first call starts the recording of writes.
  changedSince(new Reads(), 0)
  const isExpired = ({ expiresAt }: CacheEntry): boolean => clock.currentTimeMillisUnsafe() >= expiresAt
  const isInvalid = (entry: CacheEntry): boolean => isExpired(entry) || changedSince(entry.reads, entry.validAt)
  const entries = new LruCache<string, EntriesByToken>(
    limit,
    admission &&
      ((evicted) => {
        const entries = evicted.flatMap(({ entries }) => entries)
        admission.recordEvictions(entries.map((entry) => (entry.isStale || isInvalid(entry) ? undefined : entry)))
      })
  )

  const pendingResponses = new Map<string, PendingResponse>()
  /** Keys whose responses are not cacheable. */
  const uncacheable = new LruCache<string, true>(maxUncacheable)

  const isValid = (entry: CacheEntry, commit: number): boolean => {
    if (entry.isStale) return false
    entry.isStale = entry.validAt === commit ? isExpired(entry) : isInvalid(entry)
    entry.validAt = commit
    return !entry.isStale
  }

  /** Returns true if the next response should be stored. `entry`: stale entry of the same key. */
  const shouldStore = (hash: RequestHash, entry: CacheEntry | undefined): boolean => {
    if (admission === undefined) return true
    if (entry === undefined) return admission.admits(hash, entries.isFull)
    return entry.wasHit || entry.skipped++ >= entry.skipCount
  }

  const isStorable = (
    { clock, reads }: CacheFill,
    request: HttpServerRequest.HttpServerRequest,
    { status, body, cookies }: HttpServerResponse.HttpServerResponse,
    { observed }: Omit<CachedResponse, "response">
  ): boolean =>
    !reads.isEverything &&
    clock.validUntil !== 0 &&
    (status === 200 || status === 304) &&
    (body._tag === "Uint8Array" || body._tag === "Empty") &&
    Cookies.isEmpty(cookies) &&
    policy.isCacheable(request, observed)

  return {
    lookup: ({ token, request }, arrival) => {
      const entry = entries.get(request)?.get(token)
      if (entry !== undefined && !entry.isStale) {
        const commit = learnedCommit(arrival)
        if (commit === undefined) return "unconfirmed"
        if (isValid(entry, commit)) {
          entry.wasHit = true
          admission?.recordHit(entry)
          return { hit: entry }
        }
      }
      const hash = entry?.hash ?? admission?.hashOf(token, request) ?? 0
      // Most requests are not repeated, and they skip the store.
      if (!shouldStore(hash, entry)) return undefined
      const fill = {
        clock: new WatchedClock(clock),
        reads: new Reads(),
        token,
        request,
        hash,
        lastCommit,
        commit: undefined
      }
      return { fill }
    },

    coalesce: (fill, make, onEntry) => {
      if (!policy.isShared) return make
      const key = keyText(fill)
      const leader = Effect.suspend(() => {
        const current: PendingResponse = { latch: Latch.makeUnsafe(false), hasSucceeded: false }
        pendingResponses.set(key, current)
        return Effect.onExit(make, (exit) =>
          Effect.sync(() => {
            pendingResponses.delete(key)
            current.hasSucceeded = Exit.isSuccess(exit)
            current.latch.openUnsafe()
          })
        )
      })
      const next = (): typeof make => {
        const current = pendingResponses.get(key)
        if (current === undefined) return leader
        return Effect.flatMap(Effect.andThen(current.latch.await, Effect.exit(lastCommit)), (commit) => {
          const cached = entries.get(fill.request)?.get(fill.token)
          if (Exit.isSuccess(commit) && cached !== undefined && isValid(cached, commit.value))
            return Effect.succeed(onEntry(cached))
          // If the first computation did not succeed, for example because its client disconnected, the next request
          // computes.
          return current.hasSucceeded ? make : next()
        })
      }
      return Effect.suspend(() => (uncacheable.get(key) === undefined ? next() : make))
    },

    set: (fill, request, response, metadata) => {
      const { token, request: requestKey, commit } = fill
      if (commit === undefined) return
      if (!isStorable(fill, request, response, metadata)) {
        if (policy.isShared && response.status < 500)
          uncacheable.set(keyText(fill), true, token.length + requestKey.length)
        return
      }
      if (policy.isShared) uncacheable.delete(keyText(fill))
      const tokenEntries = entries.get(requestKey) ?? new EntriesByToken(requestKey)
      const skipCount = admission === undefined ? 0 : skipCountAfter(tokenEntries.get(token))
      tokenEntries.add(new CacheEntry(fill, { ...metadata, response }, commit, skipCount))
      entries.set(requestKey, tokenEntries, tokenEntries.size)
    }
  } satisfies ResponseCache
})
