/**
 * Redirects from the URL of a site to other websites: to the login page of the site, and to the destination of a redirect.
 * They contain no credentials of the visitor.
 */
import { Effect } from "effect"
import { signOnParams } from "../../integration/SignOnRequest.ts"
import type { VisitorKeys } from "../../visitor/VisitorKeys.ts"
import type { PublishedUrl, PublishedUrlQuery } from "../PublishedUrl.ts"
import type { SiteUrl } from "./SiteUrls.ts"

/** Returns the redirect to sign in for a visitor who was not admitted; undefined if the site has no login page. */
export const signOnRedirect = Effect.fnUntraced(function* (
  keys: VisitorKeys["Service"],
  { cachedSite, segments }: SiteUrl,
  query: PublishedUrlQuery,
  url: URL
) {
  const { site, auth } = cachedSite
  if (!site.published || site.visibility !== "visitor-auth") return undefined
  const hasToken = query.visitor?.jwtToken !== undefined || url.searchParams.has("jwt_token")
  if (hasToken && query.redirectOnError === false) return undefined
  const { login } = yield* keys.urls(cachedSite)
  if (login === undefined) return undefined
  // The token in the URL is removed. If invalid, it would take precedence over the token that the visitor returns
  // with.
  const returnUrl = new URL(url)
  if (returnUrl.searchParams.has("jwt_token")) returnUrl.searchParams.delete("jwt_token")
  const loginUrl = new URL(login)
  // Integrations append the location to the URL of the site, and applications append it to the URL of the
  // application. A path that starts with `//` would redirect the visitor, and the token, to another host.
  const path =
    auth?.backend === "integration"
      ? segments.map(encodeURIComponent).join("/")
      : returnUrl.pathname.replace(/^\/{2,}/, "/")
  loginUrl.searchParams.set("location", `${path}${returnUrl.search}`)
  for (const name of signOnParams) {
    const value = url.searchParams.get(name)
    if (auth?.backend === "integration" && value !== null) loginUrl.searchParams.set(name, value)
  }
  return { target: "external", site: site.id, redirect: loginUrl.href } satisfies PublishedUrl
})

/** True for a query parameter that identifies a visitor. */
const isVisitorParam = (name: string): boolean =>
  name === "jwt_token" || name === "token" || name.startsWith("visitor.")

/**
 * Returns an external URL with the request's query, without secrets and without parameters that the URL already has.
 */
export const withQuery = (target: string, { search }: URL): string => {
  const targetUrl = new URL(target)
  const publicParams = search
    .slice(1)
    .split("&")
    .filter((pair) => {
      const [name] = new URLSearchParams(pair).keys()
      return name !== undefined && !isVisitorParam(name) && !targetUrl.searchParams.has(name)
    })
  if (publicParams.length === 0) return target
  targetUrl.search = `${targetUrl.search === "" ? "?" : `${targetUrl.search}&`}${publicParams.join("&")}`
  return targetUrl.href
}
