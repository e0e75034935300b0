/**
 * Published sites as one function from `Request` to `Response`. It is for hosts whose server uses these types, next to
 * routes of the host. `toNodeHandler` and `toNextHandler` of `@lectern/http` convert it for other servers.
 *
 * ```ts
 * const sites = await siteHandler(lectern, { site: site.id, at: "/help" })
 * const response = (await sites.fetch(request)) ?? (await ownRoutes(request))
 * ```
 *
 * With `site` and `at`, the handler serves one site at a path of the host, on the origin of each request. Other paths
 * are not the handler's. The files of pages are below `at` too. Without `site` and `at`, it serves all sites at their addresses: hostnames, or paths below `sitesUrl`.
 *
 * The URL of a request is the URL that the reader requested; after a proxy the host restores it, or passes `at` as a
 * URL. A trailing slash of the path is optional, since frameworks normalize it in different ways
 * (`ignoresTrailingSlash`). The result is undefined if no site exists for the URL or for the reader. Compression,
 * limits and logging are up to the host.
 *
 * `close` waits until the responses of running requests start, and for running calls of `page`. Later requests get a
 * 503 response, whether for a site or not, and `page` rejects with `LecternClosed`. `close` leaves Lectern itself open.
 */
import { type EmbeddedLectern, LecternClosed } from "@lectern/core/EmbeddedLectern"
import type { LecternServices } from "@lectern/core/Lectern"
import * as MountPath from "@lectern/core/MountPath"
import type { PublishedUrlQuery } from "@lectern/core/publishing/PublishedUrl"
import { RunningCalls } from "@lectern/core/RunningCalls"
import { InvalidInput } from "@lectern/core/schema/Input"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { SiteId } from "@lectern/core/site/Site"
import { SiteMount } from "@lectern/core/site/SiteAddress"
import { Effect, type Scope } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { SitePage } from "./page/SitePage.ts"
import { themeNames } from "./page/Theme.ts"
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

export interface MountOptions {
  /** Id of the site. */
  readonly site: string
  /**
   * Path of the site: `/help`. Its links start with the origin of the request. If readers see another origin than the
   * server, as after a proxy, the whole URL: `https://acme.com/help`.
   */
  readonly at: string
  /** Set if the site is written to files (see `SiteMount`). Default: readers request the site. */
  readonly staticSite?: SiteMount["staticSite"]
}

export type SiteHandlerOptions = Omit<SiteApp.SiteAppOptions, "basePath"> &
  (MountOptions | { readonly site?: undefined; readonly at?: undefined; readonly staticSite?: undefined })

const optionNames: OptionNames<SiteHandlerOptions> = {
  site: true,
  at: true,
  theme: themeNames,
  diagrams: true,
  fonts: true,
  cacheBytes: true,
  ignoresTrailingSlash: true,
  awaitsSnippets: true,
  searchScript: true,
  staticSite: true
}

/**
 * Creates a handler with the services of the context. It closes with the scope. Fails with `InvalidInput` if `at` is
 * neither a path nor a URL, and if only one of `site` and `at` exists. Dies with it for an unknown option.
 */
export const make = Effect.fnUntraced(function* (
  allOptions: SiteHandlerOptions = {}
): Effect.fn.Return<SiteHandler, InvalidInput, LecternServices | Scope.Scope> {
  checkOptions(optionNames, allOptions)
  const { site, at, staticSite, ...options } = allOptions
  if ((site === undefined) !== (at === undefined)) {
    const [path, message] = site === undefined ? ["site", "Missing id of the site"] : ["at", "Missing path of the site"]
    return yield* new InvalidInput({ issues: [{ path, message }] })
  }
  const path = at === undefined ? undefined : yield* MountPath.parse(at)
  const targetOf =
    path === undefined
      ? (url: URL): SiteTarget => ({ url })
      : mountedTarget(path, { site: SiteId.make(site!), ...(staticSite && { staticSite }) })
  const pages = yield* SitePages.make
  const app = yield* SiteApp.make({
    ignoresTrailingSlash: true,
    ...options,
    ...(path !== undefined && { basePath: path.pathname })
  }).pipe(Effect.provideService(SitePages, pages))
  const context = yield* Effect.context<LecternServices | Scope.Scope>()

  const respond = async (request: Request): Promise<Response | undefined> => {
    const target = targetOf(new URL(request.url))
    if (target === undefined) return undefined
    let isFound = true
    const responseEffect = Effect.flatMap(HttpServerRequest.HttpServerRequest, (httpRequest) =>
      app.respond({ url: target.url }, httpRequest).pipe(
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
      Effect.interruptible(Effect.provideService(responseEffect, SiteMount, target.mount))
    )
    const response = await handle(request)
    return isFound ? response : undefined
  }

  const find = async (...[url, visitor]: Parameters<SiteHandler["page"]>): Promise<SitePage | undefined> => {
    const target = URL.canParse(url) ? targetOf(new URL(url)) : undefined
    if (target === undefined) return undefined
    const query = { url: target.url.href, ...(visitor !== undefined && { visitor }) }
    const result = await Effect.runPromiseWith(context)(
      Effect.provideService(pages.find(query), SiteMount, target.mount)
    )
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

/** URL that the reader requested, and the mounted site, if any. */
interface SiteTarget {
  readonly url: URL
  readonly mount?: SiteMount
}

/** Returns a function that finds the target of a requested URL. Undefined for a URL outside of the mount. */
const mountedTarget =
  (path: MountPath.MountPath, mount: Omit<SiteMount, "url">) =>
  (requested: URL): SiteTarget | undefined => {
    if (!MountPath.contains(path, requested.pathname)) return undefined
    const { origin = requested.origin, pathname } = path
    const url = origin === requested.origin ? requested : new URL(origin + requested.pathname + requested.search)
    return { url, mount: { ...mount, url: origin + pathname } }
  }

const unavailable = () => new Response(null, { status: 503, headers: { connection: "close" } })

/** Creates a handler for a Lectern instance that was opened without Effect. */
export const siteHandler = (lectern: EmbeddedLectern, options?: SiteHandlerOptions): Promise<SiteHandler> =>
  lectern.run(make(options))
