/**
 * Converts references to content to their URLs in Markdown, and back. A URL that matches no form is a reference of kind
 * `url` and stays unchanged.
 *
 * `/pages/<id>` `/pages/<id>#<anchor>` `/files/<id>` `/reusable-contents/<id>`, each also below `/spaces/<id>`;
 * `/spaces/<id>` `/users/<id>` `/collections/<id>` `/openapi/<slug>` `#<anchor>`.
 */
import type { ContentRef } from "../Document.ts"

/** Use of a URL. Importers resolve images and links differently. */
export type RefUse = "link" | "image" | "file" | "content-ref" | "embed" | "include"

const spaceUrl = /^(?:\/spaces\/([\w-]{1,128}))?\/(pages|files|reusable-contents)\/([\w-]{1,128})(?:#([^\s#]+))?$/
const globalUrl = /^\/(spaces|users|collections|openapi)\/([\w.-]{1,128})(?:#([^\s#]+))?$/

/** Returns true if a URL is absolute: it has a scheme or a host. */
export const isAbsolute = (url: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)

export const fromUrl = (url: string): ContentRef => {
  const first = url.charCodeAt(0)
  if (first === 35) return /^#[^\s#]+$/.test(url) ? { kind: "anchor", anchor: url.slice(1) } : { kind: "url", url }
  return (first === 47 ? parseInternal(url) : undefined) ?? { kind: "url", url }
}

const parseInternal = (url: string): ContentRef | undefined => {
  const spaceMatch = spaceUrl.exec(url)
  if (spaceMatch !== null) {
    const [, spaceId, collection, id, anchor] = spaceMatch
    const space = spaceId === undefined ? {} : { space: spaceId }
    if (collection === "pages") {
      return anchor === undefined
        ? { kind: "page", page: id!, ...space }
        : { kind: "anchor", anchor, page: id!, ...space }
    }
    if (anchor !== undefined) return undefined
    return collection === "files"
      ? { kind: "file", file: id!, ...space }
      : { kind: "reusable-content", reusableContent: id!, ...space }
  }
  const globalMatch = globalUrl.exec(url)
  if (globalMatch === null) return undefined
  const [, collection, id, anchor] = globalMatch
  if (anchor !== undefined) return collection === "spaces" ? { kind: "anchor", anchor, space: id! } : undefined
  switch (collection) {
    case "spaces":
      return { kind: "space", space: id! }
    case "users":
      return { kind: "user", user: id! }
    case "collections":
      return { kind: "collection", collection: id! }
    default:
      return { kind: "openapi", spec: id! }
  }
}

export const toUrl = (ref: ContentRef): string => {
  switch (ref.kind) {
    case "url":
      return ref.url
    case "page":
      return `${spacePath(ref.space)}/pages/${ref.page}`
    case "anchor":
      return ref.page !== undefined
        ? `${spacePath(ref.space)}/pages/${ref.page}#${ref.anchor}`
        : `${spacePath(ref.space)}#${ref.anchor}`
    case "file":
      return `${spacePath(ref.space)}/files/${ref.file}`
    case "reusable-content":
      return `${spacePath(ref.space)}/reusable-contents/${ref.reusableContent}`
    case "space":
      return spacePath(ref.space)
    case "user":
      return `/users/${ref.user}`
    case "collection":
      return `/collections/${ref.collection}`
    case "openapi":
      return `/openapi/${ref.spec}`
  }
}

const spacePath = (space: string | undefined): string => (space === undefined ? "" : `/spaces/${space}`)
