/** Targets of a space's links: links that mean the same have one target, wherever they stand. */
import type { ContentRef } from "@lectern/document/Document"
import type { Relation } from "@lectern/document/DocumentLinks"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as LinkMap from "../content/pages/LinkMap.ts"
import * as AppUrl from "./AppUrl.ts"

/** Location of a link: its source (see `LinkMap`) and the key of the block; empty for a link beside the document. */
export interface LinkLocation {
  readonly source: string
  readonly node: string
}

/** `outside`: the target is no part of the content, so it depends on who asks. */
export type TargetState = "ok" | "broken" | "in-app" | "outside"

export interface LinkTarget {
  /** Distinct in a list, and its order. */
  readonly key: string
  readonly relation: Relation
  readonly ref: ContentRef
  readonly state: TargetState
  /** By source. */
  readonly locations: ReadonlyArray<LinkLocation>
}

/** The URL of a link as it is from anywhere in the space, so that equal URLs mean the same. */
export const absolute = (url: string, space: string, source: string): string => {
  if (url.startsWith("#")) {
    const reusable = LinkMap.reusableOf(source)
    // A # alone is the top of the page itself.
    const anchor = url.length === 1 ? "" : url
    return reusable === undefined ? `/pages/${source}${anchor}` : `/reusable-contents/${reusable}${anchor}`
  }
  const own = `/spaces/${space}/`
  return url.startsWith(own) ? url.slice(own.length - 1) : url
}

const anchorInReusable = /^\/reusable-contents\/([\w-]{1,128})#([^\s#]+)$/

/** Meaning of an absolute URL within the space, with the part of the content that decides whether it is there. */
export type Meaning =
  | { readonly in: "page"; readonly ref: ContentRef; readonly id: string; readonly anchor?: string }
  | { readonly in: "file"; readonly ref: ContentRef; readonly id: string }
  | { readonly in: "reusable-content"; readonly ref: ContentRef; readonly id: string; readonly anchor?: string }
  | { readonly in: "outside"; readonly ref: ContentRef }
  | { readonly in: "nothing"; readonly ref: ContentRef; readonly state: "ok" | "broken" | "in-app" }

export const meaning = (url: string, addresses: AppUrl.Addresses): Meaning => {
  const inReusable = anchorInReusable.exec(url)
  if (inReusable !== null) {
    const [, id, anchor] = inReusable
    return { in: "reusable-content", ref: { kind: "anchor", anchor: anchor! }, id: id!, anchor: anchor! }
  }
  const ref = RefUrl.fromUrl(url)
  switch (ref.kind) {
    case "url":
      return { in: "nothing", ref, state: stateOfUrl(ref.url, addresses) }
    case "page":
      return ref.space === undefined ? { in: "page", ref, id: ref.page } : { in: "outside", ref }
    case "anchor":
      return ref.space === undefined && ref.page !== undefined
        ? { in: "page", ref, id: ref.page, anchor: ref.anchor }
        : { in: "outside", ref }
    case "file":
      return ref.space === undefined ? { in: "file", ref, id: ref.file } : { in: "outside", ref }
    case "reusable-content":
      return ref.space === undefined ? { in: "reusable-content", ref, id: ref.reusableContent } : { in: "outside", ref }
    default:
      return { in: "outside", ref }
  }
}

/** A URL without a scheme led nowhere when it was written; scripts lead nowhere for anyone. */
const stateOfUrl = (url: string, addresses: AppUrl.Addresses): "ok" | "broken" | "in-app" => {
  if (AppUrl.isApp(addresses, url)) return "in-app"
  if (url.startsWith("//")) return url.length > 2 ? "ok" : "broken"
  const scheme = /^([a-z][a-z0-9+.-]*):./i.exec(url)?.[1]?.toLowerCase()
  if (scheme === "http" || scheme === "https") return URL.canParse(url) ? "ok" : "broken"
  return scheme === undefined || scheme === "javascript" || scheme === "vbscript" ? "broken" : "ok"
}
