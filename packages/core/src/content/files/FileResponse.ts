/** Headers and ranges of files that are sent over HTTP. A file is never sent as active content. */
import parseRange from "range-parser"
import type { FileEntry } from "./File.ts"

/** Types that a browser may display inline. Other files are downloaded: SVG and HTML can contain scripts. */
const inlineType = /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[\w.+-]+|text\/plain)$/

/**
 * Types that a page can load as scripts or styles. They are sent as text, since a content security policy treats files
 * on a shared host as the site's own.
 */
const activeType = /^(?:text|application)\/(?:css|(?:x-)?(?:java|ecma)script|(?:j|live)script|javascript1\.\d)$/i

const typeOf = (type: string): string =>
  activeType.test(type) ? "text/plain" : /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream"

/** Returns the headers of a file with its type and name. `isPublic`: shared caches may store it. Default: false. */
export const headersOf = (
  file: Pick<FileEntry, "name" | "contentType">,
  options: { readonly isPublic?: boolean } = {}
): Readonly<Record<string, string>> => {
  const ascii = file.name.replace(/[^\x20-\x7e]|["\\]/g, "_")
  const disposition = inlineType.test(file.contentType) ? "inline" : "attachment"
  return {
    "content-type": typeOf(file.contentType),
    "content-disposition": `${disposition}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    // Caches revalidate soon, so that a deleted file disappears.
    "cache-control": `${options.isPublic === true ? "public" : "private"}, max-age=600, immutable`
  }
}

/**
 * Returns the requested range of immutable bytes (RFC 9110, section 14): "none" if it can't be satisfied; undefined for
 * all bytes, also if the request has several ranges or an invalid one.
 */
export const rangeOf = (
  size: number,
  etag: string,
  headers: Readonly<Record<string, string | undefined>>
): { readonly start: number; readonly end: number } | "none" | undefined => {
  const { range, "if-range": condition } = headers
  // A date never matches, since tagged bytes never change.
  if (range === undefined || (condition !== undefined && condition.trim() !== etag)) return undefined
  const parts = parseRange(size, range)
  if (parts === -1) return "none"
  return typeof parts === "number" || parts.type !== "bytes" || parts.length !== 1 ? undefined : parts[0]
}
