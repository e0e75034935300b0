/** Targets of a space's links. Links with the same meaning have one target, wherever they are located. */
import type { ContentRef } from "@lectern/document/Document"
import type { Relation } from "@lectern/document/DocumentLinks"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as LinkMap from "../content/pages/LinkMap.ts"
import * as AppUrl from "./AppUrl.ts"

/**
 * Location of a link. `source`: the page or reusable content that contains the link (see `LinkMap`). `node`: key of the
 * block; empty if the link is not in a document.
 */
export interface LinkLocation {
  readonly source: string
  readonly node: string
}

/** `outside`: the target is in another content, so its state depends on the actor. */
export type TargetState = "ok" | "broken" | "in-app" | "outside"

export interface LinkTarget {
  /** Key of the target: unique in a list, and the sort order. */
  readonly key: string
  readonly relation: Relation
  readonly ref: ContentRef
  readonly state: TargetState
  /** Sorted by source. */
  readonly locations: ReadonlyArray<LinkLocation>
}

/**
 * Resolves a link that starts with `#` against its source, and removes the path of the own space. So links with the
 * same target have equal URLs on all pages of the space.
 */
export const toAbsolute = (url: string, space: string, source: string): string => {
  if (url.startsWith("#")) {
    const reusable = LinkMap.reusableOf(source)
    // `#` without a name is the top of the page.
    const anchor = url.length === 1 ? "" : url
    return reusable === undefined ? `/pages/${source}${anchor}` : `/reusable-contents/${reusable}${anchor}`
  }
  const ownPrefix = `/spaces/${space}/`
  return url.startsWith(ownPrefix) ? url.slice(ownPrefix.length - 1) : url
}

const anchorInReusable = /^\/reusable-contents\/([\w-]{1,128})#([^\s#]+)$/

/** Meaning of an absolute URL within the space, with the kind of content that determines whether it exists. */
export type LinkMeaning =
  | { readonly targetKind: "page"; readonly ref: ContentRef; readonly id: string; readonly anchor?: string }
  | { readonly targetKind: "file"; readonly ref: ContentRef; readonly id: string }
  | { readonly targetKind: "reusable-content"; readonly ref: ContentRef; readonly id: string; readonly anchor?: string }
  | { readonly targetKind: "outside"; readonly ref: ContentRef }
  | { readonly targetKind: "nothing"; readonly ref: ContentRef; readonly state: "ok" | "broken" | "in-app" }

export const resolveMeaning = (url: string, addresses: AppUrl.Addresses): LinkMeaning => {
  const inReusable = anchorInReusable.exec(url)
  if (inReusable !== null) {
    const [, id, anchor] = inReusable
    return { targetKind: "reusable-content", ref: { kind: "anchor", anchor: anchor! }, id: id!, anchor: anchor! }
  }
  const ref = RefUrl.fromUrl(url)
  switch (ref.kind) {
    case "url":
      return { targetKind: "nothing", ref, state: stateOfUrl(ref.url, addresses) }
    case "page":
      return ref.space === undefined ? { targetKind: "page", ref, id: ref.page } : { targetKind: "outside", ref }
    case "anchor":
      return ref.space === undefined && ref.page !== undefined
        ? { targetKind: "page", ref, id: ref.page, anchor: ref.anchor }
        : { targetKind: "outside", ref }
    case "file":
      return ref.space === undefined ? { targetKind: "file", ref, id: ref.file } : { targetKind: "outside", ref }
    case "reusable-content":
      return ref.space === undefined
        ? { targetKind: "reusable-content", ref, id: ref.reusableContent }
        : { targetKind: "outside", ref }
    default:
      return { targetKind: "outside", ref }
  }
}

/**
 * Returns the state of a URL. A URL without a scheme was invalid when it was written. Script URLs are broken for
 * everyone.
 */
const stateOfUrl = (url: string, addresses: AppUrl.Addresses): "ok" | "broken" | "in-app" => {
  if (AppUrl.isApp(addresses, url)) return "in-app"
  if (url.startsWith("//")) return url.length > 2 ? "ok" : "broken"
  const scheme = /^([a-z][a-z0-9+.-]*):./i.exec(url)?.[1]?.toLowerCase()
  if (scheme === "http" || scheme === "https") return URL.canParse(url) ? "ok" : "broken"
  return scheme === undefined || scheme === "javascript" || scheme === "vbscript" ? "broken" : "ok"
}
