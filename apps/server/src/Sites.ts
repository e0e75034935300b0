/**
 * Published sites at the same listener as the interface (see `SiteHosts`). What draws them is loaded when somebody
 * asks for a site for the first time. The front of the interface leads to the manual that comes with Lectern, for as
 * long as that is published.
 */
import type { IncomingMessage } from "node:http"
import type { LecternServices } from "@lectern/core/EmbeddedLectern"
import type { MountedApp } from "@lectern/http/server/MountedApp"
import type { SiteApp } from "@lectern/site/server/SiteApp"
import * as SiteCookies from "@lectern/site/server/SiteCookies"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Effect, type Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import * as AskedHost from "./edge/AskedHost.ts"
import type { TrustedProxies } from "./edge/ClientAddress.ts"
import * as FirstStart from "./FirstStart.ts"
import * as Shipped from "./Shipped.ts"

export interface SitesOptions extends SiteHosts.Addresses {
  readonly trusted: TrustedProxies
  /** The server speaks TLS itself. */
  readonly isSecure: boolean
}

export const make = Effect.fnUntraced(function* ({ trusted, isSecure, ...addresses }: SitesOptions) {
  const meantBy = SiteHosts.make(addresses)
  const services = yield* Effect.context<LecternServices | Scope.Scope>()

  /** The manual, at the name of this machine that it is asked by. */
  const toManual = Effect.fnUntraced(function* (host: string | undefined) {
    if (addresses.sitesUrl === undefined) return undefined
    const manual = yield* FirstStart.front
    if (manual === undefined) return undefined
    const { pathname, href } = new URL(manual)
    const meant = meantBy({ host, protocol: undefined, url: pathname })
    const location = meant.type === "site" && meant.url.href === href ? pathname : href
    return HttpServerResponse.empty({ status: 307, headers: { location, "cache-control": "no-cache" } })
  }, Effect.provideContext(services))
  const load = yield* Effect.cached(
    Effect.gen(function* () {
      const [{ make }, { SitePages }] = yield* Effect.promise(() =>
        Promise.all([import("@lectern/site/server/SiteApp"), import("@lectern/site/reading/SitePages")])
      )
      return yield* Effect.provide(make({ diagrams: Shipped.diagrams(), fonts: Shipped.fonts() }), SitePages.layer)
    }).pipe(Effect.provideContext(services))
  )
  let loaded: SiteApp | undefined
  const app: Effect.Effect<SiteApp> = Effect.suspend(() =>
    loaded === undefined ? Effect.map(load, (app) => (loaded = app)) : Effect.succeed(loaded)
  )

  /** The places that a request may mean: where its reader asked, and where a proxy did. */
  const placesOf = ({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">, url: string) => {
    const host = headers.host?.toLowerCase()
    const told = AskedHost.forwarded(trusted, socket.remoteAddress, headers)
    const protocol = told.protocol ?? (isSecure ? "https:" : undefined)
    const meant = meantBy({ host: told.host ?? host, protocol, url })
    const direct =
      told.host === undefined || told.host === host ? undefined : meantBy({ host, protocol: undefined, url })
    return { meant, direct: direct === undefined || direct.type === "interface" ? undefined : direct.url }
  }

  return {
    route: "site",

    handle: (request) => {
      const { meant, direct } = placesOf(request.source as IncomingMessage, request.url)
      if (meant.type === "interface") {
        const isFront = request.url === "/" && (request.method === "GET" || request.method === "HEAD")
        return isFront ? toManual(request.headers["host"]?.toLowerCase()) : undefined
      }
      const { url } = meant
      const answer = (app: SiteApp) => app.answer({ url, direct }, request)
      if (meant.type === "site") return Effect.flatMap(app, answer)
      return Effect.flatMap(app, (app) =>
        Effect.flatMap(app.has(url), (isSite) => (isSite ? answer(app) : Effect.undefined))
      )
    },

    renderError: (request, response) => {
      const { meant } = placesOf(request.source as IncomingMessage, request.url)
      // Of a host that nobody knows, programs mean the interface.
      const isForPeople = meant.type === "site" || request.headers["accept"]?.includes("text/html") === true
      return isForPeople ? Effect.map(app, (app) => app.failed(request, response)) : Effect.succeed(response)
    },

    cacheKeyOf: ({ headers, url = "" }, source) => {
      const { meant, direct } = placesOf(source as IncomingMessage, url)
      if (meant.type === "interface") return undefined
      const cookies = typeof headers["cookie"] === "string" ? SiteCookies.shownIn(headers["cookie"]) : ""
      return `${meant.url.origin} ${direct?.origin ?? ""} ${cookies} ${String(headers["accept"] ?? "")}`
    },

    cacheHitListener: (response) => loaded?.again(response)
  } satisfies MountedApp
})
