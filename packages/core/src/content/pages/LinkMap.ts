/**
 * The links of a content, stored separately from its documents. A persistent map leads from each source, a page or a
 * reusable content, to its `DocumentLinks`. An edit rewrites only the edited entries, and reading links reads no
 * documents.
 *
 * The key of a source is the id of a page, or `reusable-content/` followed by an id. A source without links, headings
 * and expressions is not in the map.
 */
import { Effect, Equal, Stream } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as Fallback from "../../thread/Fallback.ts"
import { LinkDocument } from "../documents/LinkDocument.ts"
import type { Content, ReusableContentEntry, Root } from "../Content.ts"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import type { ObjectDraft, ObjectReader } from "../store/Objects.ts"
import type { PageEntry } from "./Page.ts"
import * as Trie from "../store/Trie.ts"
import * as TrieDifferences from "../store/TrieDifferences.ts"
import * as TrieUpdate from "../store/TrieUpdate.ts"

const reusable = "reusable-content/"

export const sourceOfReusable = (id: string): string => reusable + id

/** Returns the id of the reusable content. Undefined if the source is a page. */
export const reusableOf = (source: string): string | undefined =>
  source.startsWith(reusable) ? source.slice(reusable.length) : undefined

/** Stored links: packed text, or the hash of a separate object if the text is too long. */
export type StoredLinks = string | readonly [ObjectHash]

/** Maximum length of packed text in the map (characters), since an edit rewrites about a dozen neighboring entries. */
const maxInMap = 2048

const storeLinks = (draft: ObjectDraft, links: DocumentLinks.DocumentLinks): StoredLinks => {
  const packedText = DocumentLinks.serializeLinks(links)
  return packedText === undefined || packedText.length > maxInMap ? [draft.write(links)] : packedText
}

/** Returns the hashes of the objects that stored links refer to. */
export const objectsOf = (stored: StoredLinks): ReadonlyArray<ObjectHash> => (typeof stored === "string" ? [] : stored)

type LinkFields = Pick<PageEntry, "document" | "target" | "cover">

const isSame = (a: LinkFields, b: LinkFields): boolean =>
  a.document === b.document && Equal.equals(a.target, b.target) && Equal.equals(a.cover, b.cover)

/** Number of documents, or objects of links, that are read at once. */
const batchSize = 64

/** Edits of a content whose link map is not updated yet. */
export interface ContentEdits {
  readonly pages: ReadonlyMap<string, PageEntry | undefined>
  readonly reusableContents: ReadonlyMap<string, ReusableContentEntry | undefined>
  /** Links of the documents that the edit wrote, so that no such document is read again. */
  readonly linksByDocument: ReadonlyMap<ObjectHash, DocumentLinks.DocumentLinks>
}

/** Returns the root of the link map after an edit of a content. */
export const update = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  edited: ContentEdits
): Effect.fn.Return<Root, StorageError> {
  const slice = yield* Slice.start
  const root = rootOf(content)
  // A content that was stored before link maps existed gets its complete map with its next edit.
  const before = root === undefined ? undefined : content
  const pages = root === undefined ? yield* withEdits(draft, content.pages, edited.pages) : edited.pages
  const reusableContents =
    root === undefined
      ? yield* withEdits(draft, content.reusableContents, edited.reusableContents)
      : edited.reusableContents
  const [pagesBefore, contentsBefore] = yield* Effect.all([
    Trie.getMany<PageEntry>(draft, before?.pages ?? null, [...pages.keys()]),
    Trie.getMany<ReusableContentEntry>(draft, before?.reusableContents ?? null, [...reusableContents.keys()])
  ])
  const changes = new Map<string, StoredLinks | undefined>()
  const changedSources: Array<readonly [source: string, entry: LinkFields]> = []
  const compare = (source: string, before: LinkFields | undefined, after: LinkFields | undefined) => {
    if (isSame(before ?? {}, after ?? {})) return
    if (after === undefined || isSame({}, after)) changes.set(source, undefined)
    else changedSources.push([source, after])
  }
  for (const [i, [id, entry]] of Array.from(pages).entries()) {
    compare(id, pagesBefore[i], entry)
    if (slice.isOver()) yield* slice.pause
  }
  for (const [i, [id, entry]] of Array.from(reusableContents).entries()) {
    compare(sourceOfReusable(id), contentsBefore[i], entry)
    if (slice.isOver()) yield* slice.pause
  }
  for (let i = 0; i < changedSources.length; i += batchSize) {
    for (const [source, links] of yield* linksOfEntries(
      draft,
      changedSources.slice(i, i + batchSize),
      edited.linksByDocument
    )) {
      changes.set(source, isEmpty(links) ? undefined : storeLinks(draft, links))
      if (slice.isOver()) yield* slice.pause
    }
  }
  // Stored links are compared first, since most edits change text and no links, and then write nothing.
  const sources = [...changes.keys()]
  const storedLinks = yield* Trie.getMany<StoredLinks>(draft, root ?? null, sources)
  for (const [i, source] of sources.entries()) {
    if (Equal.equals(storedLinks[i], changes.get(source))) changes.delete(source)
    if (slice.isOver()) yield* slice.pause
  }
  return yield* TrieUpdate.update(draft, root ?? null, changes)
})

const isEmpty = ({ anchors, variables, links }: DocumentLinks.DocumentLinks) =>
  anchors.length === 0 && variables.length === 0 && links.length === 0

/** Returns the root of the link map. Undefined if the content has no map yet. */
const rootOf = ({ links, pages, reusableContents }: Content): Root | undefined =>
  links === undefined && pages === null && reusableContents === null ? null : links

const withEdits = Effect.fnUntraced(function* <V extends { readonly id: string }>(
  reader: ObjectReader,
  root: Root,
  edits: ReadonlyMap<string, V | undefined>
): Effect.fn.Return<ReadonlyMap<string, V | undefined>, StorageError> {
  const all = new Map<string, V | undefined>()
  for (const value of yield* Trie.values<V>(reader, root)) all.set(value.id, value)
  for (const [id, value] of edits) all.set(id, value)
  return all
})

/** Returns the links of entries, read from their documents and fields. */
const linksOfEntries = Effect.fnUntraced(function* (
  reader: ObjectReader,
  entries: ReadonlyArray<readonly [source: string, entry: LinkFields]>,
  linksByDocument: ReadonlyMap<ObjectHash, DocumentLinks.DocumentLinks>
): Effect.fn.Return<ReadonlyArray<readonly [source: string, links: DocumentLinks.DocumentLinks]>, StorageError> {
  const documents = new Set(entries.flatMap(([, { document }]) => document ?? []))
  const missingHashes = [...documents].filter((hash) => !linksByDocument.has(hash))
  const linksByHash = new Map<ObjectHash, DocumentLinks.DocumentLinks>()
  const slice = yield* Slice.start
  for (const [i, document] of (yield* reader.documents(missingHashes)).entries()) {
    const links = yield* Fallback.withFallback(
      "The links of a document could not be found",
      reader.threads.run(LinkDocument, document),
      Effect.succeed(DocumentLinks.noLinks)
    )
    linksByHash.set(missingHashes[i]!, links)
    if (slice.isOver()) yield* slice.pause
  }
  return entries.map(([source, { document, ...fields }]) => {
    const links = document === undefined ? undefined : (linksByDocument.get(document) ?? linksByHash.get(document))
    return [source, DocumentLinks.withPageReferences(links ?? DocumentLinks.noLinks, fields)] as const
  })
})

/** Returns the links of some sources. A source that does not exist has no links. */
export const linksOf = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  sources: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyMap<string, DocumentLinks.DocumentLinks>, StorageError> {
  const root = rootOf(content)
  if (root === undefined) return yield* computeLinks(reader, content, sources)
  const values = yield* Trie.getMany<StoredLinks>(reader, root, sources)
  return yield* read(
    reader,
    sources.flatMap((source, i) => (values[i] === undefined ? [] : [[source, values[i]] as const]))
  )
})

const read = Effect.fnUntraced(function* (
  reader: ObjectReader,
  entries: ReadonlyArray<readonly [source: string, kept: StoredLinks]>
): Effect.fn.Return<ReadonlyMap<string, DocumentLinks.DocumentLinks>, StorageError> {
  const linksBySource = new Map<string, DocumentLinks.DocumentLinks>()
  const separateLinks: Array<readonly [source: string, hash: ObjectHash]> = []
  for (const [source, storedLinks] of entries) {
    if (typeof storedLinks === "string") linksBySource.set(source, DocumentLinks.parseLinks(storedLinks))
    else separateLinks.push([source, storedLinks[0]])
  }
  for (let i = 0; i < separateLinks.length; i += batchSize) {
    const batch = separateLinks.slice(i, i + batchSize)
    const values = yield* reader.readAll<DocumentLinks.DocumentLinks>(batch.map(([, hash]) => hash))
    for (const [n, [source]] of batch.entries()) linksBySource.set(source, values[n]!)
    if (batch.length === batchSize) yield* Slice.yieldNow
  }
  return linksBySource
})

/** Returns the links of all sources of a content, by source. */
export const allLinks = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content
): Effect.fn.Return<ReadonlyMap<string, DocumentLinks.DocumentLinks>, StorageError> {
  const root = rootOf(content)
  if (root === undefined) return yield* computeLinks(reader, content, undefined)
  const linksBySource = new Map<string, DocumentLinks.DocumentLinks>()
  const slice = yield* Slice.start
  yield* TrieDifferences.inSlices<StoredLinks>(reader, null, root).pipe(
    Stream.runForEachArray(
      Effect.fnUntraced(function* (parts) {
        const entries = parts.flatMap((part) => part.map(({ key, after }) => [key, after!] as const))
        for (const [source, links] of yield* read(reader, entries)) linksBySource.set(source, links)
        if (slice.isOver()) yield* slice.pause
      })
    )
  )
  return linksBySource
})

/** Computes links from the documents, for a content that was stored before link maps existed. */
const computeLinks = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  sources: ReadonlyArray<string> | undefined
) {
  const entries: Array<readonly [string, LinkFields]> = []
  const selectedSources = sources && new Set(sources)
  const add = (source: string, entry: LinkFields) => {
    if (selectedSources?.has(source) !== false && !isSame({}, entry)) entries.push([source, entry])
  }
  for (const page of yield* Trie.values<PageEntry>(reader, content.pages)) add(page.id, page)
  for (const entry of yield* Trie.values<ReusableContentEntry>(reader, content.reusableContents)) {
    add(sourceOfReusable(entry.id), entry)
  }
  const linksBySource = new Map<string, DocumentLinks.DocumentLinks>()
  for (let i = 0; i < entries.length; i += batchSize) {
    const batch = entries.slice(i, i + batchSize)
    for (const [source, links] of yield* linksOfEntries(reader, batch, new Map())) linksBySource.set(source, links)
    yield* Slice.yieldNow
  }
  return linksBySource
})
