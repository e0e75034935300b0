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
  /** Of whoever asked, as far as it is known. */
  readonly address: string | undefined
  /** The answer was kept, and is given again. */
  readonly isKept: boolean
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

/** A request as it is told of. */
export type Noted = Pick<Answered, "method" | "route" | "actor">

export const noted = ({ method, url, source }: HttpServerRequest.HttpServerRequest): Noted => ({
  method,
  route: routeOf(method, pathOf(url)),
  actor: actors.get(source)
})

/**
 * Begins to watch a request from an address, which is known no more when its client has gone; the answer tells what
 * became of it. Undefined where nobody watches.
 */
export const watch = Effect.gen(function* () {
  const observers = yield* Observers
  if (observers.length === 0) return undefined
  const clock = yield* Clock.Clock
  return (address: string | undefined) => {
    const begun = clock.currentTimeNanosUnsafe()
    return (
      request: Noted,
      { status, body }: HttpServerResponse.HttpServerResponse,
      requestId: string,
      isKept = false
    ) => {
      const now = clock.currentTimeNanosUnsafe()
      const answered: Answered = {
        ...request,
        address,
        at: Number(now / 1_000_000n),
        status,
        millis: Number(now - begun) / 1e6,
        bytes: "contentLength" in body ? body.contentLength : 0,
        requestId,
        isKept
      }
      for (const observer of observers) observer(answered)
    }
  }
})
