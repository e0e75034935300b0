/** Published sites without a network: the API that creates them, and the application that serves readers. */
import { SitePages } from "@lectern/site/reading/SitePages"
import * as SiteApp from "@lectern/site/server/SiteApp"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { HttpEffect, HttpServerRequest } from "effect/http"

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Returns the application as a function from request to response. `direct`: URL that a proxy requests for the reader.
 */
export const answering = Effect.fnUntraced(function* (options?: SiteApp.SiteAppOptions) {
  const app = yield* SiteApp.make(options).pipe(Effect.provide(SitePages.layer))
  const context = yield* Effect.context<never>()
  return (request: Request, direct?: string): Promise<Response> => {
    const asked = { url: new URL(request.url), direct: direct === undefined ? undefined : new URL(direct) }
    const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => app.respond(asked, request))
    return HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest>(context)(answer)(request)
  }
})

/** Returns a function that requests absolute URLs of sites, like a reader. */
export const asking = Effect.map(
  Effect.suspend(() => answering()),
  (answer) =>
    (url: string, headers: Record<string, string> = {}, init: RequestInit = {}, direct?: string) =>
      Effect.promise(async (): Promise<Answered> => {
        const response = await answer(new Request(url, { ...init, headers }), direct)
        return { status: response.status, headers: response.headers, text: await response.text() }
      })
)

export const hasStatus =
  (status: number) =>
  <R>(answer: Effect.Effect<Answered, never, R>): Effect.Effect<Answered, never, R> =>
    Effect.tap(answer, (found) => Effect.sync(() => assert.strictEqual(found.status, status, found.text.slice(0, 500))))
