/**
 * All routes of the interface: operations of the API, sign-on, the end of mails, and routes of the system. One router
 * finds them.
 */
import type { Effect } from "effect"
import { FindMyWay, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { unsubscribePath } from "@lectern/core/mail/UnsubscribeUrls"
import { LecternApi } from "../api/LecternApi.ts"

export const signOnPaths = {
  metadata: "/saml/:samlProviderId/metadata",
  start: "/saml/:samlProviderId/start",
  acs: "/saml/:samlProviderId/acs",
  finish: "/saml/:samlProviderId/finish"
} as const

export const oidcPaths = {
  start: "/oidc/:oidcProviderId/start",
  callback: "/oidc/:oidcProviderId/callback",
  signOut: "/oidc/:oidcProviderId/sign-out",
  signedOut: "/oidc/:oidcProviderId/signed-out",
  backchannelLogout: "/oidc/:oidcProviderId/backchannel-logout",
  frontchannelLogout: "/oidc/:oidcProviderId/frontchannel-logout"
} as const

/** Plain routes with a body. All others are read. */
const postPaths: ReadonlySet<string> = new Set([signOnPaths.acs, oidcPaths.signOut, oidcPaths.backchannelLogout])

export const systemPaths = ["/healthz", "/readyz", "/openapi.json"] as const

/** Path of a route that is not an operation of the API. */
export type PlainPath =
  | (typeof signOnPaths)[keyof typeof signOnPaths]
  | (typeof oidcPaths)[keyof typeof oidcPaths]
  | (typeof systemPaths)[number]
  | typeof unsubscribePath

/** Handler of a route that is not an operation of the API. */
export type PlainHandler = (
  request: HttpServerRequest.HttpServerRequest,
  params: RouteMatch["params"]
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

export interface Route {
  readonly method: string
  /** Pattern, such as `/v1/spaces/:spaceId`. */
  readonly path: string
  /** Undefined for a route that is not an operation of the API. */
  readonly endpoint?: HttpApiEndpoint.Top
}

/** A route with the parameters of a request. */
export interface RouteMatch {
  readonly route: Route
  readonly params: Readonly<Record<string, string | undefined>>
  readonly searchParams: Readonly<Record<string, string | ReadonlyArray<string>>>
}

/** Paths match exactly. The longest parameters are hostnames. */
const router = FindMyWay.make<Route>({
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 512
})

const routes: ReadonlyArray<Route> = [
  ...Object.values(LecternApi.groups).flatMap(({ endpoints }) =>
    (Object.values(endpoints) as ReadonlyArray<HttpApiEndpoint.Top>).map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      endpoint
    }))
  ),
  ...[...Object.values(signOnPaths), ...Object.values(oidcPaths)].map((path) => ({
    method: postPaths.has(path) ? "POST" : "GET",
    path
  })),
  ...systemPaths.map((path) => ({ method: "GET", path })),
  ...["GET", "POST"].map((method) => ({ method, path: unsubscribePath }))
]

for (const route of routes) router.on(route.method, route.path as FindMyWay.PathInput, route)

/** Returns the route of a request; undefined for other paths. A `HEAD` request has the route of `GET`. */
export const find = (method: string, url: string): RouteMatch | undefined => {
  const match = router.find(method, url) ?? (method === "HEAD" ? router.find("GET", url) : undefined)
  return match && { route: match.handler, params: match.params, searchParams: match.searchParams }
}

/** True if all parameters have a value. Observers and `Allow` ignore routes with empty parameters. */
const isComplete = ({ params }: RouteMatch): boolean => !Object.values(params).includes("")

/** Returns the pattern of the route of a request, such as `/v1/spaces/:spaceId`; "" for other paths. */
export const routeOf = (method: string, path: string): string => {
  const match = find(method, path)
  return match !== undefined && isComplete(match) ? match.route.path : ""
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const

/** Returns the methods that a path allows, for 405 responses. */
export const allowedMethods = (path: string): ReadonlyArray<string> =>
  methods.filter((method) => routeOf(method, path) !== "")
