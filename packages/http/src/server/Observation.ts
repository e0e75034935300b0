/**
 * Tells whoever watches what became of each request: metrics and access logs. Nothing is noted, and
 * nothing costs, where nobody does (default).
 */
import type { Actor } from "@lectern/core/access/Actor"
import { Clock, Context, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { pathOf } from "./RequestBody.ts"
import { routeOf } from "./Routes.ts"

export interface Answered {
  /** When the answer was there to be sent (epoch ms). */
  readonly at: number
  readonly method: string
  /** The path as the interface names it, `/v1/spaces/:spaceId`; "" where there is none. */
  readonly route: string
  readonly status: number
  /** Until the answer was there to be sent (ms). */
  readonly millis: number
  /** Of the body as it is sent; undefined where it is streamed. */
  readonly bytes: number | undefined
  readonly requestId: string
  /** A user's id, `visitor`, `integration <name>` or `installation <id>`; undefined where nobody is known. */
  readonly actor: string | undefined
}

export type Observer = (answered: Answered) => void

export const Observers = Context.Reference<ReadonlyArray<Observer>>("@lectern/http/server/Observers", {
  defaultValue: () => []
})

/** Actors of the requests that are being answered, by what the platform calls the request. */
const actors = new WeakMap<object, string>()

const nameOf = (actor: Actor): string => {
  switch (actor.type) {
    case "user":
      return actor.user
    case "integration":
      return `integration ${actor.integration}`
    case "installation":
      return `installation ${actor.installation}`
    default:
      return actor.type
  }
}

/** Notes who asks, where somebody watches, and goes on. */
export const noteActor = Effect.map(
  Observers,
  (observers) =>
    <A, E, R>(
      actor: Actor | undefined,
      answer: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> =>
      observers.length === 0 || actor === undefined
        ? answer
        : Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ source }) => {
            actors.set(source, nameOf(actor))
            return answer
          })
)

/** Begins to watch a request; the answer tells what became of it. Undefined where nobody watches. */
export const watch = Effect.map(Observers, (observers) =>
  observers.length === 0
    ? undefined
    : Effect.map(
        Clock.currentTimeNanos,
        (begun) =>
          (
            { method, url, source }: HttpServerRequest.HttpServerRequest,
            { status, body }: HttpServerResponse.HttpServerResponse,
            requestId: string
          ) =>
            Effect.map(Clock.currentTimeNanos, (now) => {
              const answered: Answered = {
                at: Number(now / 1_000_000n),
                method,
                route: routeOf(method, pathOf(url)),
                status,
                millis: Number(now - begun) / 1e6,
                bytes: "contentLength" in body ? body.contentLength : 0,
                requestId,
                actor: actors.get(source)
              }
              for (const observer of observers) observer(answered)
            })
      )
)
