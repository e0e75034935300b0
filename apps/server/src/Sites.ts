/**
 * Serves published sites at the listener of the API (see `SiteHosts`). The renderer is loaded at the first request for a
 * site. The root of the API redirects to the shipped manual while the manual is published.
 */
import type { IncomingMessage } from "node:http"
import type { LecternServices } from "@lectern/core/EmbeddedLectern"
import type { MountedApp } from "@lectern/http/server/MountedApp"
import type { SiteApp } from "@lectern/site/server/SiteApp"
import * as SiteCookies from "@lectern/site/server/SiteCookies"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Effect, type Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import * as RequestedHost from "./edge/RequestedHost.ts"
import type { TrustedProxies } from "./edge/ClientAddress.ts"
import * as FirstStart from "./FirstStart.ts"
import * as ShippedFiles from "./ShippedFiles.ts"

export interface SitesOptions extends SiteHosts.Addresses {
  readonly trusted: TrustedProxies
  /** True if the server itself uses TLS. */
  readonly isSecure: boolean
}

export const make = Effect.fnUntraced(function* ({ trusted, isSecure, ...addresses }: SitesOptions) {
  const targetOf = SiteHosts.make(addresses)
  const services = yield* Effect.context<LecternServices | Scope.Scope>()

  /** Redirects to the manual, at the hostname of the request. */
  const redirectToManual = Effect.fnUntraced(function* (host: string | undefined) {
    if (addresses.sitesUrl === undefined) return undefined
    const manual = yield* FirstStart.publicManualUrl
    if (manual === undefined) return undefined
    const { pathname, href } = new URL(manual)
    const meant = targetOf({ host, protocol: undefined, url: pathname })
    const location = meant.type === "site" && meant.url.href === href ? pathname : href
    return HttpServerResponse.empty({ status: 307, headers: { location, "cache-control": "no-cache" } })
  }, Effect.provideContext(services))
  const load = yield* Effect.cached(
    Effect.gen(function* () {
      const [{ make }, { SitePages }] = yield* Effect.promise(() =>
        Promise.all([import("@lectern/site/server/SiteApp"), import("@lectern/site/reading/SitePages")])
      )
      return yield* Effect.provide(
        make({ diagrams: ShippedFiles.diagrams(), fonts: ShippedFiles.fonts() }),
        SitePages.layer
      )
    }).pipe(Effect.provideContext(services))
  )
  let loaded: SiteApp | undefined
  const app: Effect.Effect<SiteApp> = Effect.suspend(() =>
    loaded === undefined ? Effect.map(load, (app) => (loaded = app)) : Effect.succeed(loaded)
  )

  /** Returns the targets of a request: by the host that the reader requested, and by the host that a proxy requested. */
  const targetsOf = ({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">, url: string) => {
    const host = headers.host?.toLowerCase()
    const forwarded = RequestedHost.forwardedHost(trusted, socket.remoteAddress, headers)
    const protocol = forwarded.protocol ?? (isSecure ? "https:" : undefined)
    const meant = targetOf({ host: forwarded.host ?? host, protocol, url })
    const direct =
      forwarded.host === undefined || forwarded.host === host ? undefined : targetOf({ host, protocol: undefined, url })
    return { meant, direct: direct === undefined || direct.type === "interface" ? undefined : direct.url }
  }

  return {
    route: "site",

    handle: (request) => {
      const { meant, direct } = targetsOf(request.source as IncomingMessage, request.url)
      if (meant.type === "interface") {
        const isFront = request.url === "/" && (request.method === "GET" || request.method === "HEAD")
        return isFront ? redirectToManual(request.headers["host"]?.toLowerCase()) : undefined
      }
      const { url } = meant
      const answer = (app: SiteApp) => app.respond({ url, direct }, request)
      if (meant.type === "site") return Effect.flatMap(app, answer)
      return Effect.flatMap(app, (app) =>
        Effect.flatMap(app.has(url), (isSite) => (isSite ? answer(app) : Effect.undefined))
      )
    },

    renderError: (request, response) => {
      const { meant } = targetsOf(request.source as IncomingMessage, request.url)
      // An unknown host gets a page only if the client accepts HTML. Other programs expect the API.
      const isForPeople = meant.type === "site" || request.headers["accept"]?.includes("text/html") === true
      return isForPeople ? Effect.map(app, (app) => app.renderError(request, response)) : Effect.succeed(response)
    },

    cacheKeyOf: ({ headers, url = "" }, source) => {
      const { meant, direct } = targetsOf(source as IncomingMessage, url)
      if (meant.type === "interface") return undefined
      const cookies = typeof headers["cookie"] === "string" ? SiteCookies.relevantCookies(headers["cookie"]) : ""
      return `${meant.url.origin} ${direct?.origin ?? ""} ${cookies} ${String(headers["accept"] ?? "")}`
    },

    cacheHitListener: (response) => loaded?.viewCounter(response)
  } satisfies MountedApp
})
