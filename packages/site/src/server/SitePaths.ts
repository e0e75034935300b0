/** Paths and URLs of a site, as its readers ask for them and as they should stand. */
import type { FoundPage } from "../reading/SitePages.ts"

/** A URL as seen from a page at another: a path where it is at the same origin. */
export const within = (to: string, from: URL, origin: string): string =>
  origin === "" && to.startsWith(`${from.origin}/`) ? to.slice(from.origin.length) : to

export const withoutToken = (url: URL, isPreview: boolean): string => {
  const left = new URL(url)
  left.searchParams.delete("jwt_token")
  if (isPreview) left.searchParams.delete("token")
  return left.pathname + left.search
}

const decoded = (pathname: string): string => {
  try {
    return pathname.split("/").map(decodeURIComponent).join("/")
  } catch {
    return pathname
  }
}

/** The path that the URL of a page should have: one page has one URL. Undefined where it has that. */
export const exactPath = ({ published }: FoundPage, url: URL): string | undefined => {
  const base = URL.parse(published.basePath, url)!.pathname
  const exact = base + published.pathname.slice(1)
  return decoded(exact) === decoded(url.pathname) ? undefined : exact
}
