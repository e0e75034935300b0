/**
 * Serves published sites at the listener of the API (see `SiteHosts`), the reference of the API at `/docs`, the pages for
 * signing in below `/-/`, and the console at `/`. The renderer is loaded at the first request for one of the first three.
 */
import type { IncomingMessage } from "node:http"
import { AppPaths } from "@lectern/core/identity/AppUrls"
import type { LecternServices } from "@lectern/core/Lectern"
import type { MountedApp, SelectedRequest } from "@lectern/http/server/MountedApp"
import { pathOf } from "@lectern/http/server/RequestBody"
import type { ReferenceApp } from "@lectern/site/server/ReferenceApp"
import type { SiteApp } from "@lectern/site/server/SiteApp"
import { root as signInRoot } from "@lectern/sign-in/server/Paths"
import type { SignInApp } from "@lectern/sign-in/server/SignInApp"
import type { SignInServices } from "@lectern/sign-in/SignIn"
import * as SiteCookies from "@lectern/site/server/SiteCookies"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Effect, identity, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as RequestedHost from "./edge/RequestedHost.ts"
import type { TrustedProxies } from "./edge/ClientAddress.ts"
import * as Console from "./Console.ts"
import * as Descriptions from "./Descriptions.ts"
import * as ShippedFiles from "./ShippedFiles.ts"

export interface SitesOptions extends SiteHosts.Addresses {
  readonly trusted: TrustedProxies
  /** True if the server itself uses TLS. */
  readonly isSecure: boolean
}

/** Path of the reference of the API. */
const referencePath = "/docs"

const referenceIntroduction = (publicUrl: string) => `## Requests

The base URL is \`${publicUrl}\`. Send a token in the header \`Authorization\`:

\`\`\`bash
curl -H "Authorization: Bearer $TOKEN" ${publicUrl}/v1/user
\`\`\`

**Try it** sends a request from this page. The page does not store your token.

## Operations
`

export const make = Effect.fnUntraced(function* ({ trusted, isSecure, ...addresses }: SitesOptions) {
  const targetOf = SiteHosts.make(addresses)
  const services = yield* Effect.context<LecternServices | SignInServices | Scope.Scope>()

  const consoleFiles = ShippedFiles.consoleFiles()
  const selectConsole = Console.make(consoleFiles)
  const load = yield* Effect.cached(
    Effect.gen(function* () {
      const [{ make }, { SitePages }] = yield* Effect.promise(() =>
        Promise.all([import("@lectern/site/server/SiteApp"), import("@lectern/site/reading/SitePages")])
      )
      return yield* Effect.provide(
        make({ diagrams: ShippedFiles.diagrams(), fonts: ShippedFiles.fonts() }),
        SitePages.layer
      )
    }).pipe(
      consoleFiles === undefined ? identity : Effect.provideService(AppPaths, Console.paths),
      Effect.provideContext(services)
    )
  )
  const loadReference = yield* Effect.cached(
    Effect.gen(function* () {
      const { make } = yield* Effect.promise(() => import("@lectern/site/server/ReferenceApp"))
      const publicUrl = addresses.publicUrl.replace(/\/$/, "")
      return yield* make({
        url: publicUrl + referencePath,
        specUrl: `${publicUrl}/openapi.json`,
        spec: Effect.map(Descriptions.describe(addresses.publicUrl), (bytes) => new TextDecoder().decode(bytes)),
        introduction: referenceIntroduction(publicUrl),
        fonts: ShippedFiles.fonts()
      })
    }).pipe(Effect.provideContext(services))
  )
  const loadSignIn = yield* Effect.cached(
    Effect.gen(function* () {
      const { make } = yield* Effect.promise(() => import("@lectern/sign-in/server/SignInApp"))
      return yield* make
    }).pipe(Effect.provideContext(services))
  )
  /**
   * Selects a request for a page for signing in. These pages are only on the server's own origin, and never on a
   * site's.
   */
  const signInOf = (request: HttpServerRequest.HttpServerRequest): SelectedRequest | undefined =>
    request.url.startsWith(signInRoot)
      ? { cacheKey: undefined, respond: Effect.flatMap(loadSignIn, (signIn: SignInApp) => signIn.respond(request)) }
      : undefined
  /** Selects a request for the reference of the API. */
  const referenceOf = (request: HttpServerRequest.HttpServerRequest): SelectedRequest | undefined => {
    const path = pathOf(request.url)
    return path === referencePath || path.startsWith(`${referencePath}/`)
      ? {
          cacheKey: request.url,
          respond: Effect.flatMap(loadReference, (reference: ReferenceApp) => reference.respond(request))
        }
      : undefined
  }
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

    select: (request) => {
      const { meant, direct } = targetsOf(request.source as IncomingMessage, request.url)
      if (meant.type === "interface") {
        return signInOf(request) ?? referenceOf(request) ?? selectConsole(request)
      }
      const { url } = meant
      const { accept = "", cookie } = request.headers
      const cookies = cookie === undefined ? "" : SiteCookies.relevantCookies(cookie)
      return {
        cacheKey: `${url.origin} ${direct?.origin ?? ""} ${cookies} ${accept}`,
        respond: Effect.flatMap(app, (app) => app.respond({ url, direct }, request)),
        ...(meant.type !== "site" && { isClaimed: Effect.flatMap(app, (app) => app.has(url)) })
      }
    },

    renderError: (request, response) => {
      const { meant } = targetsOf(request.source as IncomingMessage, request.url)
      if (meant.type === "interface" && request.url.startsWith(signInRoot))
        return Effect.map(loadSignIn, (signIn) => signIn.renderError(request, response))
      // An unknown host gets a page only if the client accepts HTML. Other programs expect the API.
      const isForPeople = meant.type === "site" || request.headers["accept"]?.includes("text/html") === true
      return isForPeople ? Effect.map(app, (app) => app.renderError(request, response)) : Effect.succeed(response)
    },

    reasonOf: (request) => loaded?.reasonOf(request),

    cacheHitListener: (response) => loaded?.viewCounter(response)
  } satisfies MountedApp
})
