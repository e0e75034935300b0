/**
 * Reports completed requests to observers: metrics and access logs. Without observers (default) nothing is recorded.
 */
import type { Actor } from "@lectern/core/access/Actor"
import { Clock, Context, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { pathOf } from "./RequestBody.ts"
import { routeOf } from "./Routes.ts"

export interface CompletedRequest {
  /** Time when the response was ready to send (epoch ms). */
  readonly at: number
  readonly method: string
  /** Route of the API, such as `/v1/spaces/:spaceId`; "" for other paths. */
  readonly route: string
  readonly status: number
  /** Time from receipt until the response was ready to send (ms). */
  readonly millis: number
  /** Size of the body as sent; undefined for a streamed body. */
  readonly bytes: number | undefined
  readonly requestId: string
  /** Id of a user, `visitor`, `integration <name>` or `installation <id>`; undefined for an anonymous request. */
  readonly actor: string | undefined
  /** Address of the client, if known. */
  readonly address: string | undefined
  /** Code of the reason for which a reader of a site did not get the page (see `VisibilityRule`). */
  readonly reason?: string | undefined
  /** True if the response came from the response cache. */
  readonly isCacheHit: boolean
}

export type Observer = (completed: CompletedRequest) => void

export const Observers = Context.Reference<ReadonlyArray<Observer>>("@lectern/http/server/Observers", {
  defaultValue: () => []
})

/** Actors of running requests, by the request object of the platform. */
const actors = new WeakMap<object, string>()

const nameOf = (actor: Actor): string => {
  switch (actor.type) {
    case "user":
    case "token":
      return actor.user
    case "integration":
      return `integration ${actor.integration}`
    case "installation":
      return `installation ${actor.installation}`
    default:
      return actor.type
  }
}

/** Records the actor of a request if there are observers. */
export const noteActor = Effect.map(
  Observers,
  (observers) =>
    <A, E, R>(
      actor: Actor | undefined,
      effect: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> =>
      observers.length === 0 || actor === undefined
        ? effect
        : Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ source }) => {
            actors.set(source, nameOf(actor))
            return effect
          })
)

/** Request part of a report. */
export type ObservedRequest = Pick<CompletedRequest, "method" | "route" | "actor" | "reason">

export const observedRequest = ({ method, url, source }: HttpServerRequest.HttpServerRequest): ObservedRequest => ({
  method,
  route: routeOf(method, pathOf(url)),
  actor: actors.get(source)
})

/**
 * Returns a function that starts the measurement of a request from an address; its result reports the response. The
 * address is taken first, since it is unknown after the client disconnects. `undefined` without observers.
 */
export const observe = Effect.gen(function* () {
  const observers = yield* Observers
  if (observers.length === 0) return undefined
  const clock = yield* Clock.Clock
  return (address: string | undefined) => {
    const startedAt = clock.currentTimeNanosUnsafe()
    return (
      request: ObservedRequest,
      { status, body }: HttpServerResponse.HttpServerResponse,
      requestId: string,
      isCacheHit = false
    ) => {
      const now = clock.currentTimeNanosUnsafe()
      const completed: CompletedRequest = {
        ...request,
        address,
        at: Number(now / 1_000_000n),
        status,
        millis: Number(now - startedAt) / 1e6,
        bytes: "contentLength" in body ? body.contentLength : 0,
        requestId,
        isCacheHit
      }
      for (const observer of observers) observer(completed)
    }
  }
})
