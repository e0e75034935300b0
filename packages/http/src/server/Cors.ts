/**
 * Which pages of other origins a browser lets read what is answered. What the token of a visitor may
 * read, and what nobody needs a token for, is open to all of them (`*`): such a token is made to be in
 * browsers. All else is for the origins that the operator names (default: none). Cookies never count,
 * so no origin acts for whoever looks at it; where the sign-in of a host goes by them (see `HostAuthentication`), it is
 * the host that refuses other origins.
 *
 * A preflight is answered before anything else is asked, for 10 minutes. One that is refused is answered
 * as any other request with that method.
 */
import { Context } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type OperationName, routesOf } from "./OperationNames.ts"
import * as RequestBody from "./RequestBody.ts"
import { allowedMethods, routeOf } from "./Routes.ts"
import { systemPaths } from "./SystemHttp.ts"

/** The origins that may read what members may, as browsers write them; `*` stands for all. */
export const CorsOrigins = Context.Reference<ReadonlyArray<string>>("@lectern/http/server/CorsOrigins", {
  defaultValue: () => []
})

const publishedContent = <const Group extends "spaceContent" | "revisions">(group: Group) =>
  (["revision", "pages", "files", "file", "page", "document", "metaLinks", "pageByPath"] as const).map(
    (name) => `${group}.${name}` as const
  )

/** The operations that the token of a visitor may read, or that take none. */
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

/** The one reading of a visitor that has a body. */
const siteSearch = /^\/v1\/orgs\/[^/]+\/sites\/[^/]+\/search$/

const open = new Set([...routesOf(openOperations), ...systemPaths])

const isOpen = (method: string, path: string) =>
  method === "GET" || method === "HEAD" ? open.has(routeOf(method, path)) : method === "POST" && siteSearch.test(path)

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
const none: Headers = {}
const toAll: Headers = { "access-control-allow-origin": "*", "access-control-expose-headers": responseHeaders }

export interface Cors {
  /** Headers that tell a browser which origins may read an answer. */
  readonly headers: (request: HttpServerRequest.HttpServerRequest) => Headers
  /** The answer to a preflight that is granted; undefined for every other request. */
  readonly preflight: (
    request: HttpServerRequest.HttpServerRequest
  ) => HttpServerResponse.HttpServerResponse | undefined
}

export const make = (origins: ReadonlyArray<string>): Cors => {
  const isForAll = origins.includes("*")
  const named = new Set(origins)

  /** The origin that may ask for this: one, all, or none. */
  const granted = (origin: string, method: string, url: string) =>
    isForAll || isOpen(method, RequestBody.pathOf(url)) ? "*" : named.has(origin) ? origin : undefined

  return {
    headers: ({ headers, method, url }) => {
      const origin = headers["origin"]
      if (origin === undefined) return none
      const allowed = granted(origin, method, url)
      if (allowed === undefined) return none
      return allowed === "*" ? toAll : { ...toAll, "access-control-allow-origin": allowed }
    },

    preflight: ({ headers, method, url }) => {
      const { origin, "access-control-request-method": wanted } = headers
      if (method !== "OPTIONS" || origin === undefined || wanted === undefined) return undefined
      const methods = allowedMethods(RequestBody.pathOf(url))
      const allowed = methods.includes(wanted) ? granted(origin, wanted, url) : undefined
      if (allowed === undefined) return undefined
      return HttpServerResponse.empty({
        status: 204,
        headers: {
          "access-control-allow-origin": allowed,
          "access-control-allow-methods": methods.filter((each) => granted(origin, each, url) !== undefined).join(", "),
          "access-control-allow-headers": requestHeaders,
          "access-control-max-age": String(maxAge)
        }
      })
    }
  }
}
