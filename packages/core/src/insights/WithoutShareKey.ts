/**
 * URLs of a site without the key of a share link, which opens the site to whoever reads it: who may know where visitors
 * were is not told how one gets in.
 */
import { decoded } from "@lectern/document/PercentEncoding"
import type { KeptSite } from "../site/store/SiteStore.ts"

/** Characters that a key has at least. */
const shortest = 22

/** The URL as it stands where there is no key in its path. */
export const withoutShareKey = (text: string, { shareLinkOf }: Pick<KeptSite, "shareLinkOf">): string => {
  const url = URL.parse(text)
  if (url === null) return text
  const parts = url.pathname.split("/")
  const told = parts.filter((part) => part.length < shortest || shareLinkOf(decoded(part)) === undefined)
  if (told.length === parts.length) return text
  url.pathname = told.join("/")
  return url.href
}
