/**
 * Published sites as one function from `Request` to `Response`. It is for hosts whose server uses these types, next to
 * routes of the host.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db", sitesUrl: "https://docs.example.com" })
 * const sites = await siteHandler(lectern)
 * const response = (await sites.fetch(request)) ?? (await ownRoutes(request))
 * ```
 *
 * The URL of a request is the URL that the reader requested; after a proxy the host restores it. A trailing slash of
 * the path is optional, since frameworks normalize it in different ways (`ignoresTrailingSlash`). The result is undefined if no
 * site exists for the URL or for the reader. Compression, limits and logging are up to the host.
 *
 * `close` waits until the responses of running requests start, and for running calls of `page`. Later requests get a
 * 503 response, whether for a site or not, and `page` rejects with `LecternClosed`. `close` leaves Lectern itself open.
 */
import { type EmbeddedLectern, LecternClosed } from "@lectern/core/EmbeddedLectern"
import type { LecternServices } from "@lectern/core/Lectern"
import type { PublishedUrlQuery } from "@lectern/core/publishing/PublishedUrl"
import { RunningCalls } from "@lectern/core/RunningCalls"
import { Effect, type Scope } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { SitePage } from "./page/SitePage.ts"
import { SitePages } from "./reading/SitePages.ts"
import * as SiteApp from "./server/SiteApp.ts"

export interface SiteHandler {
  readonly fetch: (request: Request) => Promise<Response | undefined>
  /**
   * Returns the page of a URL as plain values, for `renderSitePage`. Undefined if the URL has no page for the reader.
   * `visitor`: the reader, in the form of `POST /v1/urls/published`. Default: an anonymous reader.
   */
  readonly page: (url: string, visitor?: PublishedUrlQuery["visitor"]) => Promise<SitePage | undefined>
  readonly close: () => Promise<void>
}

/** Creates a handler with the services of the context. It closes with the scope. */
export const make = Effect.fnUntraced(function* (
  options: SiteApp.SiteAppOptions = {}
): Effect.fn.Return<SiteHandler, never, LecternServices | Scope.Scope> {
  const pages = yield* SitePages.make
  const app = yield* SiteApp.make({ ignoresTrailingSlash: true, ...options }).pipe(
    Effect.provideService(SitePages, pages)
  )
  const context = yield* Effect.context<LecternServices | Scope.Scope>()

  const respond = async (request: Request): Promise<Response | undefined> => {
    let isFound = true
    const responseEffect = Effect.flatMap(HttpServerRequest.HttpServerRequest, (httpRequest) =>
      app.respond({ url: new URL(request.url) }, httpRequest).pipe(
        Effect.tap((response) => {
          isFound = response !== app.notFound
          return Effect.void
        }),
        Effect.tapError((failure) => Effect.logError("A page of a site could not be read", failure)),
        Effect.catch(() => Effect.succeed(app.renderError(httpRequest, HttpServerResponse.empty({ status: 503 }))))
      )
    )
    // Interrupts the handler when the client disconnects. Effect's handlers are uninterruptible by default.
    const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest>(context)(
      Effect.interruptible(responseEffect)
    )
    const response = await handle(request)
    return isFound ? response : undefined
  }

  const find = async (...[url, visitor]: Parameters<SiteHandler["page"]>): Promise<SitePage | undefined> => {
    const result = await Effect.runPromiseWith(context)(pages.find({ url, ...(visitor !== undefined && { visitor }) }))
    return result.type === "page" ? result.sitePage : undefined
  }

  const running = new RunningCalls()
  const close = () => running.close()
  yield* Effect.addFinalizer(() => Effect.promise(close))
  return {
    fetch: (request) => (running.isClosed ? Promise.resolve(unavailable()) : running.add(respond(request))),
    page: (url, visitor) =>
      running.isClosed
        ? Promise.reject(new LecternClosed({ message: "The sites of this Lectern are closed" }))
        : running.add(find(url, visitor)),
    close
  }
})

const unavailable = () => new Response(null, { status: 503, headers: { connection: "close" } })

/** Creates a handler for a Lectern instance that was opened without Effect. */
export const siteHandler = (lectern: EmbeddedLectern, options?: SiteApp.SiteAppOptions): Promise<SiteHandler> =>
  lectern.run(make(options))
