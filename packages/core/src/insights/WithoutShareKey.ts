/**
 * Removes the key of a share link from URLs of a site. The key grants access to the site, so people who may see URLs of
 * visitors must not see the key.
 */
import { decoded } from "@lectern/document/PercentEncoding"
import type { CachedSite } from "../site/store/SiteStore.ts"

/** Minimum length of a share key in characters. */
const shortest = 22

/** Returns the URL without the key in its path. A URL without a key is returned unchanged. */
export const withoutShareKey = (text: string, { shareLinkOf }: Pick<CachedSite, "shareLinkOf">): string => {
  const url = URL.parse(text)
  if (url === null) return text
  const parts = url.pathname.split("/")
  const told = parts.filter((part) => part.length < shortest || shareLinkOf(decoded(part)) === undefined)
  if (told.length === parts.length) return text
  url.pathname = told.join("/")
  return url.href
}
