/**
 * Keeps what was answered to reads as it went out, and gives it again before anything else is asked: the same
 * request by the same token, for as long as its answer certainly holds. That is until something is committed by
 * whomever (`Storage.generation` is asked each time, so a revoked token ends at once), or a moment comes that
 * counted (`Moment`). An answer that the store alone did not decide is not kept, and neither is one with a
 * body that is streamed.
 *
 * Default: nothing is kept. Limits: `ResponseCacheBytes` in all, what was used last; the 200 and 304 of requests
 * without a body, for the operations named here.
 */
import { WatchedClock } from "@lectern/core/moment/Moment"
import { Lru } from "@lectern/core/storage/Lru"
import { Storage } from "@lectern/core/storage/Storage"
import { Clock, Context, Effect, Exit } from "effect"
import { Cookies, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Noted } from "./Observation.ts"
import { type OperationName, pathsOf } from "./OperationNames.ts"
import { pathOf } from "./RequestBody.ts"

/** The most bytes of answers that are kept; 0: none. */
export const ResponseCacheBytes = Context.Reference<number>("@lectern/http/server/ResponseCacheBytes", {
  defaultValue: () => 0
})

const content = (
  ["revision", "pages", "files", "file", "page", "document", "metaLinks", "pageByPath"] as const
).flatMap((name) => [`spaceContent.${name}`, `changeRequestContent.${name}`, `revisions.${name}`] as const)

/** Operations whose answers come from the store and from nowhere else. */
const keptOperations: ReadonlyArray<OperationName> = [
  ...content,
  "users.me",
  "users.get",
  "organizations.list",
  "organizations.get",
  "members.list",
  "members.get",
  "teams.list",
  "teams.get",
  "teams.listMembers",
  "collections.list",
  "collections.get",
  "collections.listSpaces",
  "spaces.list",
  "spaces.get",
  "spaceGrants.listUsers",
  "spaceGrants.listTeams",
  "spaceComments.list",
  "spaceComments.get",
  "changeRequests.list",
  "changeRequests.get",
  "changeRequests.changes",
  "changeRequestComments.list",
  "changeRequestComments.get",
  "reviews.list",
  "sites.list",
  "sites.get",
  "sites.structure",
  "siteSections.list",
  "siteSectionGroups.list",
  "siteSpaces.list",
  "redirects.list",
  "published.site",
  "openApiSpecs.list",
  "openApiSpecs.get"
]

const kept = pathsOf(keptOperations)

/** A request as the platform has it: `url` without the host. */
export interface Asked {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export interface KeptResponse {
  /** The request that it was the answer to; undefined where nobody watches. */
  readonly noted: Noted | undefined
  readonly response: HttpServerResponse.HttpServerResponse
  /** Its own, and those of the server that are the same for each. */
  readonly headers: Readonly<Record<string, string>>
  /** By which its caller is counted; undefined where nobody counts. */
  readonly caller: string | undefined
}

/** An answer to be sent as it is. */
export interface Written {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

/** An answer whose body is not streamed, as it is sent. */
export const written = (
  { status, headers, body }: HttpServerResponse.HttpServerResponse,
  more: Readonly<Record<string, string>>
): Written => ({
  status,
  headers: { ...headers, ...more },
  body: body._tag === "Uint8Array" ? (body.text ?? body.body) : undefined
})

/** A request whose answer may be kept. */
export interface Reading {
  readonly clock: WatchedClock
  readonly key: string
  readonly generation: number
}

export interface ResponseCache {
  /** The answer that is kept and holds. Undefined for any other request, whose answer may be kept then. */
  readonly find: (asked: Asked, source: object) => KeptResponse | undefined
  /** The reading that `find` began for what the platform calls the request; undefined where nothing is to be kept. */
  readonly reading: (source: object) => Reading | undefined
  /** Keeps what was answered, if it holds for a while. */
  readonly keep: (
    reading: Reading,
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse,
    more: Omit<KeptResponse, "response">
  ) => void
}

interface Entry extends KeptResponse {
  readonly until: number
}

/** Cost of an entry beside its key and body: headers and objects (bytes). */
const overhead = 1_500

/** Headers that an answer may depend on; who sends one of the second kind is answered anew. */
const keyHeaders = ["authorization", "accept-encoding", "if-none-match", "origin"] as const
const otherHeaders = ["range", "if-range", "content-length", "transfer-encoding", "expect", "upgrade"] as const

const keyOf = ({ method, url, headers }: Asked): string | undefined => {
  if (method !== "GET" || url === undefined || headers["authorization"] === undefined) return undefined
  if (headers["host"] === undefined) return undefined
  for (const name of otherHeaders) if (headers[name] !== undefined) return undefined
  let key = url
  for (const name of keyHeaders) key += `\n${headers[name] ?? ""}`
  return key
}

/** Undefined where nothing is to be kept. */
export const make = Effect.gen(function* () {
  const limit = yield* ResponseCacheBytes
  if (limit <= 0) return undefined
  const { generation } = yield* Storage
  const clock = yield* Clock.Clock
  const readings = new WeakMap<object, Reading>()
  let entries = new Lru<string, Entry>(limit)
  let filledAt: number | undefined

  return {
    find: (asked, source) => {
      const key = keyOf(asked)
      if (key === undefined) return undefined
      const asOf = Effect.runSyncExit(generation)
      if (Exit.isFailure(asOf) || asOf.value === undefined) return undefined
      if (asOf.value !== filledAt) {
        filledAt = asOf.value
        entries = new Lru(limit)
      }
      const entry = entries.get(key)
      if (entry !== undefined && clock.currentTimeMillisUnsafe() < entry.until) return entry
      readings.set(source, { clock: new WatchedClock(clock), key, generation: asOf.value })
      return undefined
    },

    reading: (source) => readings.get(source),

    keep: ({ clock, key, generation }, request, response, { headers, ...more }) => {
      const { status, body } = response
      if (generation !== filledAt || clock.holdsUntil === 0 || (status !== 200 && status !== 304)) return
      if ((body._tag !== "Uint8Array" && body._tag !== "Empty") || !Cookies.isEmpty(response.cookies)) return
      if (!kept.test(pathOf(request.url))) return
      const bytes = body._tag === "Empty" ? 0 : body.text === undefined ? body.contentLength : 2 * body.text.length
      const entry: Entry = {
        ...more,
        response,
        headers: { ...response.headers, ...headers },
        until: clock.holdsUntil
      }
      entries.set(key, entry, overhead + 2 * key.length + bytes)
    }
  } satisfies ResponseCache
})
