/**
 * How many requests a caller may make in a minute (default: as many as it likes). Counted is each
 * token for itself, and whoever has none that is good by its address; the minute begins with a
 * caller's first request. Health checks and the interface's own description are free.
 *
 * Limits: counted in memory, by each process for itself, for the 100,000 callers that came last.
 */
import { Tokens } from "@lectern/core/access/Tokens"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Clock, Context, Effect, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse } from "./Answers.ts"
import { tokenOf } from "./AuthenticationHttp.ts"
import { systemPaths } from "./SystemHttp.ts"

/** Requests for each caller and minute; 0: no limit. */
export const RequestsPerMinute = Context.Reference<number>("@lectern/http/server/RequestsPerMinute", {
  defaultValue: () => 0
})

const window = 60_000
const maxCallers = 100_000

interface Caller {
  /** Of its requests within the minute. */
  count: number
  readonly resetAt: number
}

export interface Counted {
  /** What every answer tells of the limit. */
  readonly headers: Readonly<Record<string, string>>
  /** The answer to a request beyond it. */
  readonly refused: HttpServerResponse.HttpServerResponse | undefined
}

const isFree = (url: string) => systemPaths.some((path) => url.startsWith(path))

/** Counts a request; undefined where there is no limit. */
export const make = Effect.gen(function* () {
  const limit = yield* RequestsPerMinute
  if (limit <= 0) return undefined
  const hasher = yield* Hasher
  const tokens = yield* Tokens
  // In the order in which their minutes end.
  const callers = new Map<string, Caller>()

  /** A token that is not known in its minute is looked at: what is none would be another caller each time. */
  const nameOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> => {
    const address = () => Option.getOrElse(request.remoteAddress, () => "")
    const token = tokenOf(request)
    if (token === "") return Effect.sync(address)
    const name = hasher.sha256(token)
    return callers.has(name)
      ? Effect.succeed(name)
      : Effect.match(tokens.authenticate(token), { onSuccess: () => name, onFailure: address })
  }

  const count = (name: string, now: number): Caller => {
    for (const [oldest, { resetAt }] of callers) {
      if (resetAt > now && callers.size < maxCallers) break
      callers.delete(oldest)
    }
    let caller = callers.get(name)
    if (caller === undefined) callers.set(name, (caller = { count: 0, resetAt: now + window }))
    caller.count++
    return caller
  }

  return (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Counted | undefined> => {
    if (isFree(request.url)) return Effect.succeed(undefined)
    return Effect.zipWith(nameOf(request), Clock.currentTimeMillis, (name, now) => {
      const { count: made, resetAt } = count(name, now)
      const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000))
      return {
        headers: {
          "x-ratelimit-limit": String(limit),
          "x-ratelimit-remaining": String(Math.max(0, limit - made)),
          "x-ratelimit-reset": String(Math.ceil(resetAt / 1000))
        },
        refused:
          made <= limit
            ? undefined
            : errorResponse(429, `More than ${limit} requests in a minute: try again in ${seconds} seconds`, {
                headers: { "retry-after": String(seconds) }
              })
      }
    })
  }
})
