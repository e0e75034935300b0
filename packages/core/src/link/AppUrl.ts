/**
 * Parses absolute URLs below the address of this instance, which lead to content by id, or to the app. Docs sites have
 * their own addresses (`sites`) and are not part of the app.
 */
import type { ContentRef } from "@lectern/document/Document"

export interface Addresses {
  /** Base URLs without a trailing slash. */
  readonly publicUrl: string
  readonly sites: string
  /** Paths of spaces and pages in the app (see `AppPaths`). Default: only those of the API. */
  readonly content?: RegExp | undefined
}

const isBelow = (base: string, url: string): boolean =>
  url.startsWith(base) && (url.length === base.length || "/?#".includes(url[base.length]!))

/** Returns true for URLs of the app. Readers of a site may have no account there. */
export const isApp = ({ publicUrl, sites }: Addresses, url: string): boolean =>
  isBelow(publicUrl, url) && !isBelow(sites, url)

const contentPath =
  /^\/v1\/(spaces|collections|users)\/([\w-]{1,128})(?:\/content\/(page|files)\/([\w-]{1,128}))?(?:#([^\s#]+))?$/

/** Returns the content that a URL names; undefined for none. */
export const refOf = (addresses: Addresses, url: string): ContentRef | undefined => {
  if (!isApp(addresses, url)) return undefined
  const path = url.slice(addresses.publicUrl.length)
  const match = contentPath.exec(path)
  if (match === null) {
    const { space, changeRequest, page } = addresses.content?.exec(path)?.groups ?? {}
    if (space === undefined) return undefined
    if (page !== undefined) return { kind: "page", page, space }
    return changeRequest === undefined ? { kind: "space", space } : undefined
  }
  const [, kind, id, content, inner, anchor] = match
  if (kind === "spaces" && content === "page") {
    return anchor === undefined
      ? { kind: "page", page: inner!, space: id! }
      : { kind: "anchor", anchor, page: inner!, space: id! }
  }
  if (anchor !== undefined) return undefined
  if (kind === "spaces")
    return content === "files" ? { kind: "file", file: inner!, space: id! } : { kind: "space", space: id! }
  if (content !== undefined) return undefined
  return kind === "users" ? { kind: "user", user: id! } : { kind: "collection", collection: id! }
}
