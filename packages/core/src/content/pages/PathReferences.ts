/**
 * Replaces references by path in a document with references by id, so that they survive a move. Accepted paths:
 * `/pages/<path>`, paths of Markdown files (`…/<slug>.md`, `…/README.md`), and relative paths like `./sibling.md`. A
 * function of the caller resolves absolute URLs of this instance. A link without a target stays unchanged.
 */
import { Effect, Result } from "effect"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { ContentReader } from "../ContentReader.ts"
import type { Threads, TooCostly } from "../../thread/Threads.ts"
import { FindReferences, MapReferences } from "../documents/DocumentReferences.ts"
import type { ContentRef } from "@lectern/document/Document"
import type { PageEntry, PageId } from "./Page.ts"
import * as PageTree from "./PageTree.ts"
import * as StoredDocument from "../documents/StoredDocument.ts"

interface Target {
  readonly path: string
  readonly anchor?: string
}

const pagesPrefix = "/pages/"

/**
 * Returns the folder in which relative links of a page start. A page with pages below it is the README of its own
 * folder.
 */
export const folderOf = Effect.fnUntraced(function* (
  content: ContentReader,
  page: Pick<PageEntry, "parent"> & { readonly id?: PageId }
): Effect.fn.Return<string, StorageError> {
  const isFolder = page.id !== undefined && (yield* content.children(page.id)).length > 0
  const folder = isFolder ? page.id! : page.parent
  const entry = folder === null ? undefined : yield* content.page(folder)
  return entry === undefined ? "" : yield* PageTree.path(content, entry)
})

/** Resolves absolute URLs that lead to content of this instance. Other URLs are missing in the result. */
export type RefsOf = (urls: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, ContentRef>, StorageError>

const resolvesNone: RefsOf = () => Effect.succeed(new Map())

/**
 * Returns the document with references by id instead of links by path. References that are equal in `stored` stay
 * unchanged, so saving an unchanged document changes nothing.
 */
export const resolve = Effect.fnUntraced(function* (
  content: ContentReader,
  threads: Threads["Service"],
  document: StoredDocument.StoredDocument,
  folder: string,
  stored: StoredDocument.StoredDocument = StoredDocument.empty,
  refsOf: RefsOf = resolvesNone
): Effect.fn.Return<StoredDocument.StoredDocument, TooCostly | StorageError> {
  const slice = yield* Slice.start
  const targets = new Map<string, Target>()
  const urls = new Map<string, string>()
  for (const [key, ref] of yield* threads.run(FindReferences, { document, stored })) {
    const target = targetOf(ref, folder)
    if (target !== undefined) targets.set(key, target)
    if (ref.kind === "url" && /^https?:/i.test(ref.url)) urls.set(ref.url, key)
    if (slice.isOver()) yield* slice.pause
  }
  const resolvedRefs = new Map<string, ContentRef>()
  if (urls.size > 0) {
    for (const [url, ref] of yield* refsOf([...urls.keys()])) {
      if (yield* hasTarget(content, ref)) resolvedRefs.set(urls.get(url)!, ref)
    }
  }
  for (const [ref, { path, anchor }] of targets) {
    const pageById = path.includes("/") ? undefined : yield* content.page(path)
    if (slice.isOver()) yield* slice.pause
    const page = pageById ?? (path === "" ? yield* firstPage(content) : yield* PageTree.byPath(content, path))
    if (page === undefined) continue
    resolvedRefs.set(
      ref,
      anchor === undefined ? { kind: "page", page: page.id } : { kind: "anchor", page: page.id, anchor }
    )
  }
  return resolvedRefs.size === 0 ? document : yield* threads.run(MapReferences, { document, refs: resolvedRefs })
})

/**
 * Returns true if a reference has a target. A reference to another space counts as valid, since the content of that
 * space is not read here.
 */
const hasTarget = (content: ContentReader, ref: ContentRef): Effect.Effect<boolean, StorageError> => {
  if ("space" in ref && ref.space !== undefined) return Effect.succeed(true)
  if (ref.kind === "file") return Effect.map(content.file(ref.file), (file) => file !== undefined)
  return "page" in ref && ref.page !== undefined
    ? Effect.map(content.page(ref.page), (page) => page !== undefined)
    : Effect.succeed(true)
}

const firstPage = (content: ContentReader) =>
  Effect.map(PageTree.children(content, null), (pages) => pages.find(({ type }) => type === "document"))

const targetOf = (ref: ContentRef, folder: string): Target | undefined => {
  switch (ref.kind) {
    case "page":
      return ref.space === undefined ? { path: ref.page } : undefined
    case "anchor":
      return ref.space === undefined && ref.page !== undefined ? { path: ref.page, anchor: ref.anchor } : undefined
    case "url":
      return pathOf(ref.url, folder)
    default:
      return undefined
  }
}

const pathOf = (url: string, folder: string): Target | undefined => {
  const parts = /^([^#?]{1,1000})(?:#(.+))?$/s.exec(url)
  if (parts === null || /^[a-z][a-z0-9+.-]*:/i.test(url)) return undefined
  const [, urlPath, anchor] = parts
  const isAbsolute = urlPath!.startsWith(pagesPrefix)
  if (!isAbsolute && urlPath!.startsWith("/")) return undefined
  const decoded = Result.try(() => decodeURI(isAbsolute ? urlPath!.slice(pagesPrefix.length) : urlPath!))
  if (Result.isFailure(decoded)) return undefined
  const segments = isAbsolute ? [] : folder.split("/")
  for (const segment of decoded.success.split("/")) {
    if (segment === "..") segments.pop()
    else if (segment !== ".") segments.push(segment)
  }
  const last = segments.pop() ?? ""
  if (last.toLowerCase() !== "readme.md") segments.push(last.replace(/\.md$/i, ""))
  const path = segments.filter((segment) => segment !== "").join("/")
  return anchor === undefined ? { path } : { path, anchor }
}
