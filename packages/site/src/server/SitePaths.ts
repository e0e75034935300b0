/** Paths and URLs of a site, as readers request them and in their canonical form. */
import * as ServedNames from "@lectern/core/site/ServedNames"
import type { Found, FoundPage } from "../reading/SitePages.ts"

/**
 * Returns the path and query of a URL, for a redirect to the same origin. Slashes at the start become one, since a path
 * with `//` would name another host.
 */
export const pathIn = ({ pathname, search }: URL): string => pathname.replace(/^\/{2,}/, "/") + search

/**
 * Returns the URL of a link on a page: a path if `to` has the page's origin and `origin` is empty, otherwise the whole
 * URL.
 */
export const within = (to: string, from: URL, origin: string): string =>
  origin === "" && to.startsWith(`${from.origin}/`) && !to.startsWith(`${from.origin}//`)
    ? to.slice(from.origin.length)
    : to

export const withoutToken = (url: URL, isPreview: boolean): string => {
  const left = new URL(url)
  left.searchParams.delete("jwt_token")
  if (isPreview) left.searchParams.delete("token")
  return pathIn(left)
}

const decoded = (pathname: string): string => {
  try {
    return pathname.split("/").map(decodeURIComponent).join("/")
  } catch {
    return pathname
  }
}

/**
 * Returns the canonical path of a page's URL, since each page has one URL. Undefined if the URL already has that path.
 * With `endsAnyHow`, a different trailing slash does not count.
 */
export const exactPath = (
  { published }: FoundPage,
  url: URL,
  { endsAnyHow }: { readonly endsAnyHow: boolean }
): string | undefined => {
  const base = URL.parse(published.basePath, url)!.pathname
  const path = published.pathname.slice(1)
  const exact = base + path + ServedNames.slashOf(decoded(path).split("/"))
  const asked = endsAnyHow ? url.pathname.replace(/\/?$/, exact.endsWith("/") ? "/" : "") : url.pathname
  return decoded(exact) === decoded(asked) ? undefined : exact
}

/** The result without the page if the URL names a file of the site (see `ServedNames`); undefined for other URLs. */
export const withoutPage = (found: Found, url: URL): Extract<Found, { readonly type: "no-page" }> | undefined => {
  if (found.type !== "page" || url.pathname.endsWith("/")) return undefined
  const { published, site } = found
  if (!ServedNames.isServed(decoded(published.pathname.slice(1)).split("/"))) return undefined
  const { page: _, ...rest } = published
  return { type: "no-page", published: rest, site }
}
