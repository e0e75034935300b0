/**
 * A file of a space as a response, with its type and name, and never as active content. An error response stays
 * unchanged.
 */
import type { FileEntry } from "@lectern/core/content/files/File"
import { HttpServerResponse } from "effect/http"

/** Types that a browser may display inline. Other files are downloaded: SVG and HTML can contain scripts. */
const inlineType = /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[\w.+-]+|text\/plain)$/

/**
 * Types that a page can load as scripts or styles. They are sent as text, since a content security policy treats files
 * on a shared host as the site's own.
 */
const activeType = /^(?:text|application)\/(?:css|(?:x-)?(?:java|ecma)script|(?:j|live)script|javascript1\.\d)$/i

const typeOf = (type: string): string =>
  activeType.test(type) ? "text/plain" : /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream"

export const attachment = (
  response: HttpServerResponse.HttpServerResponse,
  file: Pick<FileEntry, "name" | "contentType">,
  options: { readonly isPublic?: boolean } = {}
): HttpServerResponse.HttpServerResponse => {
  if (response.status >= 400) return response
  const ascii = file.name.replace(/[^\x20-\x7e]|["\\]/g, "_")
  const disposition = inlineType.test(file.contentType) ? "inline" : "attachment"
  return HttpServerResponse.setHeaders(response, {
    "content-type": typeOf(file.contentType),
    "content-disposition": `${disposition}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    // Caches revalidate soon, so that a deleted file disappears.
    "cache-control": `${options.isPublic === true ? "public" : "private"}, max-age=600, immutable`
  })
}
