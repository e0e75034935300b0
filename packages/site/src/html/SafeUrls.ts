/**
 * URLs that are allowed in a page: links to websites, mailboxes, telephone numbers and other pages, never URLs that a
 * browser would run.
 *
 * Limit: 4,096 characters. Longer URLs are rejected.
 */

const linkSchemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"])
const sourceSchemes: ReadonlySet<string> = new Set(["http:", "https:"])

/** Base for relative URLs, on a reserved domain (RFC 2606). */
const base = "https://site.invalid/"

const maxLength = 4096

const sanitize = (url: string, schemes: ReadonlySet<string>): string | undefined => {
  if (url.length > maxLength) return undefined
  const parsedUrl = URL.parse(url, base)
  if (parsedUrl === null || !schemes.has(parsedUrl.protocol)) return undefined
  // Returns the parsed form, since browsers may parse the original text differently.
  if (!parsedUrl.href.startsWith(base)) return parsedUrl.href
  return url.startsWith("#") ? parsedUrl.hash : `${parsedUrl.pathname}${parsedUrl.search}${parsedUrl.hash}`
}

/** Returns the safe target of a link; undefined if the URL is not allowed. */
export const linkUrl = (url: string): string | undefined => sanitize(url, linkSchemes)

/** Returns the safe source of an image or a frame; undefined if the URL is not allowed. */
export const sourceUrl = (url: string): string | undefined => sanitize(url, sourceSchemes)
