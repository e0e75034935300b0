/**
 * Reads absolute URLs below the address of this instance: they lead to content that they name by id, or to the
 * app itself. Docs sites have their own addresses (`sites`) and are none of the app.
 */
import type { ContentRef } from "@lectern/document/Document"

export interface Addresses {
  /** Without a slash at the end, both of them. */
  readonly publicUrl: string
  readonly sites: string
}

const isBelow = (base: string, url: string): boolean =>
  url.startsWith(base) && (url.length === base.length || "/?#".includes(url[base.length]!))

/** A link to it leads readers to the app, where they may have no account. */
export const isApp = ({ publicUrl, sites }: Addresses, url: string): boolean =>
  isBelow(publicUrl, url) && !isBelow(sites, url)

const named =
  /^\/v1\/(spaces|collections|users)\/([\w-]{1,128})(?:\/content\/(page|files)\/([\w-]{1,128}))?(?:#([^\s#]+))?$/

/** The content that it names; undefined where it names none. */
export const refOf = (addresses: Addresses, url: string): ContentRef | undefined => {
  if (!isApp(addresses, url)) return undefined
  const found = named.exec(url.slice(addresses.publicUrl.length))
  if (found === null) return undefined
  const [, kind, id, within, inner, anchor] = found
  if (kind === "spaces" && within === "page") {
    return anchor === undefined
      ? { kind: "page", page: inner!, space: id! }
      : { kind: "anchor", anchor, page: inner!, space: id! }
  }
  if (anchor !== undefined) return undefined
  if (kind === "spaces")
    return within === "files" ? { kind: "file", file: inner!, space: id! } : { kind: "space", space: id! }
  if (within !== undefined) return undefined
  return kind === "users" ? { kind: "user", user: id! } : { kind: "collection", collection: id! }
}
