/** Paths and URLs of a site, as readers request them and in their canonical form. */
import * as ServedNames from "@lectern/core/site/ServedNames"
import type { ResolvedUrl, ResolvedPage } from "../reading/SitePages.ts"

/**
 * Returns the path and query of a URL, for a redirect to the same origin. Slashes at the start become one, since a path
 * with `//` would name another host.
 */
export const pathAndQuery = ({ pathname, search }: URL): string => pathname.replace(/^\/{2,}/, "/") + search

/**
 * Returns the URL of a link on a page: a path if `to` has the page's origin and `origin` is empty, otherwise the whole
 * URL.
 */
export const linkUrl = (to: string, from: URL, origin: string): string =>
  origin === "" && to.startsWith(`${from.origin}/`) && !to.startsWith(`${from.origin}//`)
    ? to.slice(from.origin.length)
    : to

export const withoutToken = (url: URL, isPreview: boolean): string => {
  const urlWithoutToken = new URL(url)
  urlWithoutToken.searchParams.delete("jwt_token")
  if (isPreview) urlWithoutToken.searchParams.delete("token")
  return pathAndQuery(urlWithoutToken)
}

const decodePathname = (pathname: string): string => {
  try {
    return pathname.split("/").map(decodeURIComponent).join("/")
  } catch {
    return pathname
  }
}

/**
 * Returns the canonical path of a page's URL, since each page has one URL. Undefined if the URL already has that path.
 * With `ignoresTrailingSlash`, a different trailing slash does not count.
 */
export const canonicalPath = (
  { published }: ResolvedPage,
  url: URL,
  { ignoresTrailingSlash }: { readonly ignoresTrailingSlash: boolean }
): string | undefined => {
  const base = URL.parse(published.basePath, url)!.pathname
  const path = published.pathname.slice(1)
  const exactPath = base + path + ServedNames.slashOf(decodePathname(path).split("/"))
  const requestedPath = ignoresTrailingSlash
    ? url.pathname.replace(/\/?$/, exactPath.endsWith("/") ? "/" : "")
    : url.pathname
  return decodePathname(exactPath) === decodePathname(requestedPath) ? undefined : exactPath
}

/**
 * Returns the result without its page if the URL names a file of the site (see `ServedNames`). Undefined for other
 * URLs.
 */
export const asNoPage = (
  found: ResolvedUrl,
  url: URL
): Extract<ResolvedUrl, { readonly type: "no-page" }> | undefined => {
  if (found.type !== "page" || url.pathname.endsWith("/")) return undefined
  const { published, site } = found
  if (!ServedNames.isServed(decodePathname(published.pathname.slice(1)).split("/"))) return undefined
  const { page: _, ...rest } = published
  return { type: "no-page", published: rest, site }
}
