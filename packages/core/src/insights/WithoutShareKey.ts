/**
 * Removes the key of a share link from URLs of a site. The key grants access to the site, so people who may see URLs of
 * visitors must not see the key.
 */
import { decodePercent } from "@lectern/document/PercentEncoding"
import type { CachedSite } from "../site/store/SiteStore.ts"

/** Minimum length of a share key in characters. */
const minKeyLength = 22

/** Returns the URL without the key in its path. A URL without a key is returned unchanged. */
export const withoutShareKey = (text: string, { shareLinkOf }: Pick<CachedSite, "shareLinkOf">): string => {
  const url = URL.parse(text)
  if (url === null) return text
  const parts = url.pathname.split("/")
  const publicParts = parts.filter(
    (part) => part.length < minKeyLength || shareLinkOf(decodePercent(part)) === undefined
  )
  if (publicParts.length === parts.length) return text
  url.pathname = publicParts.join("/")
  return url.href
}
