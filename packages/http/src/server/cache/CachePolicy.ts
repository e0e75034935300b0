/**
 * Cache policies: which requests have cacheable responses, and which parts of a request form its cache key. Equal
 * requests with equal tokens have equal responses as long as the cached response is valid.
 */
import type { HttpServerRequest } from "effect/http"
import type { SelectedRequest } from "../MountedApp.ts"
import type { ObservedRequest } from "../Observation.ts"
import { type OperationName, routesOf } from "../OperationNames.ts"
import { pathOf } from "../RequestBody.ts"
import { routeOf } from "../Routes.ts"

type Request = HttpServerRequest.HttpServerRequest

const content = (
  ["revision", "pages", "files", "file", "page", "document", "metaLinks", "pageByPath"] as const
).flatMap((name) => [`spaceContent.${name}`, `changeRequestContent.${name}`, `revisions.${name}`] as const)

/** Operations whose responses depend only on the store. */
const cacheableOperations: ReadonlyArray<OperationName> = [
  ...content,
  "users.me",
  "users.get",
  "organizations.list",
  "organizations.get",
  "members.list",
  "members.get",
  "teams.list",
  "teams.get",
  "teams.listMembers",
  "collections.list",
  "collections.get",
  "collections.listSpaces",
  "spaces.list",
  "spaces.get",
  "spaceGrants.listUsers",
  "spaceGrants.listTeams",
  "spaceComments.list",
  "spaceComments.get",
  "changeRequests.list",
  "changeRequests.get",
  "changeRequests.changes",
  "changeRequestComments.list",
  "changeRequestComments.get",
  "reviews.list",
  "sites.list",
  "sites.get",
  "sites.structure",
  "siteSections.list",
  "siteSectionGroups.list",
  "siteSpaces.list",
  "redirects.list",
  "published.site",
  "openApiSpecs.list",
  "openApiSpecs.get"
]

const cacheableRoutes = routesOf(cacheableOperations)

/** `keyHeaders` are part of the cache key. A request with one of `bypassHeaders` bypasses the cache. */
const keyHeaders = ["accept-encoding", "if-none-match", "origin"] as const
const bypassHeaders = ["range", "if-range", "content-length", "transfer-encoding", "expect", "upgrade"] as const

/** Returns the part of the cache key without the token. `undefined` if the request bypasses the cache. */
const requestKeyOf = ({ method, url, headers }: Request): string | undefined => {
  if (method !== "GET" || headers["host"] === undefined) return undefined
  for (const name of bypassHeaders) if (headers[name] !== undefined) return undefined
  let request: string = url
  for (const name of keyHeaders) request += `\n${headers[name] ?? ""}`
  return request
}

/** Cache key: responses to equal requests are cached for each token. */
export interface CacheKey {
  readonly token: string
  readonly request: string
}

/**
 * Returns the cache key of a request for the API, or for a mounted application that selected it. Undefined if the
 * request bypasses the cache.
 */
export const keyOf = (request: Request, selected: SelectedRequest | undefined): CacheKey | undefined => {
  const authorization = request.headers["authorization"]
  // A request to a site that has a token is for the API of the site.
  const token = selected === undefined ? authorization : authorization === undefined ? selected.cacheKey : undefined
  const key = token === undefined ? undefined : requestKeyOf(request)
  return token === undefined || key === undefined ? undefined : { token, request: key }
}

/** Cache policy for one kind of requests. */
export interface CachePolicy {
  /** True if clients send equal requests. Responses are then cached at the first request, and computed once for all. */
  readonly isShared: boolean
  readonly isCacheable: (request: Request, observed: ObservedRequest | undefined) => boolean
}

/** Policy for requests of the API that carry a token. */
export const apiPolicy: CachePolicy = {
  isShared: false,
  isCacheable: ({ url }, observed) => cacheableRoutes.has(observed?.route ?? routeOf("GET", pathOf(url)))
}

/** Policy for requests of a mounted application (see `MountedApp`). */
export const mountedAppPolicy: CachePolicy = { isShared: true, isCacheable: () => true }
