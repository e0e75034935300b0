/** Requests of strangers to integrations, at the origin of their own. */
import * as IntegrationsApp from "@lectern/http/server/IntegrationsApp"
import { Effect, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest } from "effect/http"

export interface OutsideAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Asks at a URL as it stands, without following where it leads. */
export const outside = Effect.fnUntraced(function* (url: string, init: RequestInit = {}) {
  const fetch = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    yield* Effect.context<never>()
  )(yield* IntegrationsApp.make)
  return yield* Effect.promise(async (): Promise<OutsideAnswer> => {
    const response = await fetch(new Request(url, init))
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})
