/** A file of a space as an answer: with its type and name, and never as active content. A refusal stays one. */
import type { FileEntry } from "@lectern/core/content/files/File"
import { HttpServerResponse } from "effect/http"

/** Types of files that a browser may show in place. Others are saved: SVG and HTML can hold scripts. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[\w.+-]+|text\/plain)$/

/** Types of which a page takes what it names: where sites share this host, it is as their own to their policy. */
const taken = /^(?:text|application)\/(?:css|(?:x-)?(?:java|ecma)script|(?:j|live)script|javascript1\.\d)$/i

const typeOf = (type: string): string =>
  taken.test(type) ? "text/plain" : /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream"

export const attachment = (
  response: HttpServerResponse.HttpServerResponse,
  file: Pick<FileEntry, "name" | "contentType">,
  options: { readonly isPublic?: boolean } = {}
): HttpServerResponse.HttpServerResponse => {
  if (response.status >= 400) return response
  const ascii = file.name.replace(/[^\x20-\x7e]|["\\]/g, "_")
  const disposition = shown.test(file.contentType) ? "inline" : "attachment"
  return HttpServerResponse.setHeaders(response, {
    "content-type": typeOf(file.contentType),
    "content-disposition": `${disposition}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    // Whoever keeps it asks again soon, so that it is gone by then where it was taken back.
    "cache-control": `${options.isPublic === true ? "public" : "private"}, max-age=600, immutable`
  })
}
