/**
 * URLs that may stand in a page: those that lead to a website, a mailbox, a telephone or another page, never one
 * that a browser would run.
 *
 * Limit: 4,096 characters. A URL that is longer leads nowhere.
 */

const leading: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"])
const shown: ReadonlySet<string> = new Set(["http:", "https:"])

/** A base for relative URLs; nothing is there (RFC 2606). */
const base = "https://site.invalid/"

const maxLength = 4096

const allowed = (url: string, schemes: ReadonlySet<string>): string | undefined => {
  if (url.length > maxLength) return undefined
  const parsed = URL.parse(url, base)
  if (parsed === null || !schemes.has(parsed.protocol)) return undefined
  // As it was read: what a browser makes of the written form may be something else.
  if (!parsed.href.startsWith(base)) return parsed.href
  return url.startsWith("#") ? parsed.hash : `${parsed.pathname}${parsed.search}${parsed.hash}`
}

/** Target of a link; undefined where there is none that is harmless. */
export const link = (url: string): string | undefined => allowed(url, leading)

/** Source of a picture or a frame. */
export const source = (url: string): string | undefined => allowed(url, shown)
