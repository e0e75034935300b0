/**
 * CORS: which origins may read responses in a browser. Public operations, and operations that accept tokens of
 * visitors, are open to all origins (`*`), since these tokens are used in browsers. Other operations are open to the
 * origins that the operator configures (default: none). Cookies of sessions count only from the server's own
 * origin (see `SessionCookies`), so no other origin can act for a user. A host that signs users in by cookies (see
 * `HostAuthentication`) must reject other origins itself.
 *
 * A preflight request is answered before any other work and is valid for 10 minutes. A preflight that is not granted is
 * handled like any other `OPTIONS` request.
 */
import { Context } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type OperationName, routesOf } from "./OperationNames.ts"
import * as RequestBody from "./RequestBody.ts"
import { allowedMethods, routeOf, systemPaths } from "./Routes.ts"

/** Origins that may read responses for members, as browsers send them; `*` stands for all. */
export const CorsOrigins = Context.Reference<ReadonlyArray<string>>("@lectern/http/server/CorsOrigins", {
  defaultValue: () => []
})

const publishedContent = <const Group extends "spaceContent" | "revisions">(group: Group) =>
  (["revision", "pages", "files", "file", "page", "document", "metaLinks", "pageByPath"] as const).map(
    (name) => `${group}.${name}` as const
  )

/** Operations that accept tokens of visitors or no token. */
export const openOperations: ReadonlyArray<OperationName> = [
  "spaces.get",
  ...publishedContent("spaceContent"),
  ...publishedContent("revisions"),
  "pdfs.space",
  "search.space",
  "embeds.find",
  "embeds.get",
  "users.get",
  "sites.structure",
  "siteSections.list",
  "siteSectionGroups.list",
  "siteSpaces.list",
  "published.site",
  "published.redirect",
  "published.urlByQuery",
  "integrations.list",
  "placedIntegrations.scripts",
  "integrationAssets.get",
  "downloads.file",
  "downloads.published",
  "pdfDownloads.pdf",
  "publishedSpecs.get",
  "uploadedFiles.get"
]

/** Path of the only operation for visitors that has a body. */
const siteSearch = /^\/v1\/orgs\/[^/]+\/sites\/[^/]+\/search$/

const openRoutes = new Set([...routesOf(openOperations), ...systemPaths])

const isOpen = (method: string, path: string) =>
  method === "GET" || method === "HEAD"
    ? openRoutes.has(routeOf(method, path))
    : method === "POST" && siteSearch.test(path)

const requestHeaders = "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range"
const responseHeaders = [
  "Accept-Ranges",
  "Allow",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Link",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id"
].join(", ")
const maxAge = 600

type Headers = Readonly<Record<string, string>>
const noHeaders: Headers = {}
const anyOriginHeaders: Headers = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": responseHeaders
}

export interface Cors {
  /** Headers that state which origins may read a response. */
  readonly headers: (request: HttpServerRequest.HttpServerRequest) => Headers
  /** Returns the response to a granted preflight request; `undefined` for every other request. */
  readonly preflight: (
    request: HttpServerRequest.HttpServerRequest
  ) => HttpServerResponse.HttpServerResponse | undefined
}

export const make = (origins: ReadonlyArray<string>): Cors => {
  const isForAll = origins.includes("*")
  const allowedOrigins = new Set(origins)

  /** Returns `*`, the origin, or undefined if the origin may not make the request. */
  const allowedOriginFor = (origin: string, method: string, url: string) =>
    isForAll || isOpen(method, RequestBody.pathOf(url)) ? "*" : allowedOrigins.has(origin) ? origin : undefined

  return {
    headers: ({ headers, method, url }) => {
      const origin = headers["origin"]
      if (origin === undefined) return noHeaders
      const allowedOrigin = allowedOriginFor(origin, method, url)
      if (allowedOrigin === undefined) return noHeaders
      return allowedOrigin === "*"
        ? anyOriginHeaders
        : { ...anyOriginHeaders, "access-control-allow-origin": allowedOrigin }
    },

    preflight: ({ headers, method, url }) => {
      const { origin, "access-control-request-method": requestedMethod } = headers
      if (method !== "OPTIONS" || origin === undefined || requestedMethod === undefined) return undefined
      const methods = allowedMethods(RequestBody.pathOf(url))
      const allowedOrigin = methods.includes(requestedMethod)
        ? allowedOriginFor(origin, requestedMethod, url)
        : undefined
      if (allowedOrigin === undefined) return undefined
      return HttpServerResponse.empty({
        status: 204,
        headers: {
          "access-control-allow-origin": allowedOrigin,
          "access-control-allow-methods": methods
            .filter((each) => allowedOriginFor(origin, each, url) !== undefined)
            .join(", "),
          "access-control-allow-headers": requestHeaders,
          "access-control-max-age": String(maxAge)
        }
      })
    }
  }
}
