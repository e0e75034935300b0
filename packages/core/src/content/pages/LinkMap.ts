/**
 * The links of a content, stored separately from its documents. A persistent map leads from each source, a page or a
 * reusable content, to its `DocumentLinks`. An edit rewrites only the edited entries, and reading links reads no
 * documents.
 *
 * A source key is a page's id, or `reusable-content/` and an id. A source without links, headings and expressions is
 * not in the map.
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
export type KeptLinks = string | readonly [ObjectHash]

/** Maximum length of packed text in the map (characters), since an edit rewrites about a dozen neighboring entries. */
const maxInMap = 2048

const keep = (draft: ObjectDraft, links: DocumentLinks.DocumentLinks): KeptLinks => {
  const packed = DocumentLinks.serializeLinks(links)
  return packed === undefined || packed.length > maxInMap ? [draft.write(links)] : packed
}

/** Returns the hashes of the objects that stored links refer to. */
export const objectsOf = (kept: KeptLinks): ReadonlyArray<ObjectHash> => (typeof kept === "string" ? [] : kept)

type Linking = Pick<PageEntry, "document" | "target" | "cover">

const isSame = (a: Linking, b: Linking): boolean =>
  a.document === b.document && Equal.equals(a.target, b.target) && Equal.equals(a.cover, b.cover)

/** Number of documents, or objects of links, that are read at once. */
const batchSize = 64

/** Edits of a content whose link map is not updated yet. */
export interface Edited {
  readonly pages: ReadonlyMap<string, PageEntry | undefined>
  readonly reusableContents: ReadonlyMap<string, ReusableContentEntry | undefined>
  /** Links of the documents that the edit wrote, so that no such document is read again. */
  readonly written: ReadonlyMap<ObjectHash, DocumentLinks.DocumentLinks>
}

/** Returns the root of the link map after an edit of a content. */
export const update = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  edited: Edited
): Effect.fn.Return<Root, StorageError> {
  const slice = yield* Slice.start
  const root = rootOf(content)
  // A content that was stored before link maps existed gets its complete map with its next edit.
  const before = root === undefined ? undefined : content
  const pages = root === undefined ? yield* overlaid(draft, content.pages, edited.pages) : edited.pages
  const reusableContents =
    root === undefined
      ? yield* overlaid(draft, content.reusableContents, edited.reusableContents)
      : edited.reusableContents
  const [pagesBefore, contentsBefore] = yield* Effect.all([
    Trie.getMany<PageEntry>(draft, before?.pages ?? null, [...pages.keys()]),
    Trie.getMany<ReusableContentEntry>(draft, before?.reusableContents ?? null, [...reusableContents.keys()])
  ])
  const changes = new Map<string, KeptLinks | undefined>()
  const linking: Array<readonly [source: string, entry: Linking]> = []
  const compare = (source: string, was: Linking | undefined, is: Linking | undefined) => {
    if (isSame(was ?? {}, is ?? {})) return
    if (is === undefined || isSame({}, is)) changes.set(source, undefined)
    else linking.push([source, is])
  }
  for (const [i, [id, entry]] of Array.from(pages).entries()) {
    compare(id, pagesBefore[i], entry)
    if (slice.isOver()) yield* slice.pause
  }
  for (const [i, [id, entry]] of Array.from(reusableContents).entries()) {
    compare(sourceOfReusable(id), contentsBefore[i], entry)
    if (slice.isOver()) yield* slice.pause
  }
  for (let i = 0; i < linking.length; i += batchSize) {
    for (const [source, links] of yield* ofEntries(draft, linking.slice(i, i + batchSize), edited.written)) {
      changes.set(source, isNone(links) ? undefined : keep(draft, links))
      if (slice.isOver()) yield* slice.pause
    }
  }
  // Stored links are compared first, since most edits change text and no links, and then write nothing.
  const sources = [...changes.keys()]
  const stored = yield* Trie.getMany<KeptLinks>(draft, root ?? null, sources)
  for (const [i, source] of sources.entries()) {
    if (Equal.equals(stored[i], changes.get(source))) changes.delete(source)
    if (slice.isOver()) yield* slice.pause
  }
  return yield* TrieUpdate.update(draft, root ?? null, changes)
})

const isNone = ({ anchors, variables, links }: DocumentLinks.DocumentLinks) =>
  anchors.length === 0 && variables.length === 0 && links.length === 0

/** Returns the root of the link map. Undefined if the content has no map yet. */
const rootOf = ({ links, pages, reusableContents }: Content): Root | undefined =>
  links === undefined && pages === null && reusableContents === null ? null : links

const overlaid = Effect.fnUntraced(function* <V extends { readonly id: string }>(
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
const ofEntries = Effect.fnUntraced(function* (
  reader: ObjectReader,
  entries: ReadonlyArray<readonly [source: string, entry: Linking]>,
  written: ReadonlyMap<ObjectHash, DocumentLinks.DocumentLinks>
): Effect.fn.Return<ReadonlyArray<readonly [source: string, links: DocumentLinks.DocumentLinks]>, StorageError> {
  const documents = new Set(entries.flatMap(([, { document }]) => document ?? []))
  const missing = [...documents].filter((hash) => !written.has(hash))
  const read = new Map<ObjectHash, DocumentLinks.DocumentLinks>()
  const slice = yield* Slice.start
  for (const [i, document] of (yield* reader.documents(missing)).entries()) {
    const links = yield* Fallback.withFallback(
      "The links of a document could not be found",
      reader.threads.run(LinkDocument, document),
      Effect.succeed(DocumentLinks.noLinks)
    )
    read.set(missing[i]!, links)
    if (slice.isOver()) yield* slice.pause
  }
  return entries.map(([source, { document, ...beside }]) => {
    const links = document === undefined ? undefined : (written.get(document) ?? read.get(document))
    return [source, DocumentLinks.withPageReferences(links ?? DocumentLinks.noLinks, beside)] as const
  })
})

/** Returns the links of some sources. A source that does not exist has no links. */
export const at = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  sources: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyMap<string, DocumentLinks.DocumentLinks>, StorageError> {
  const root = rootOf(content)
  if (root === undefined) return yield* computed(reader, content, sources)
  const values = yield* Trie.getMany<KeptLinks>(reader, root, sources)
  return yield* read(
    reader,
    sources.flatMap((source, i) => (values[i] === undefined ? [] : [[source, values[i]] as const]))
  )
})

const read = Effect.fnUntraced(function* (
  reader: ObjectReader,
  entries: ReadonlyArray<readonly [source: string, kept: KeptLinks]>
): Effect.fn.Return<ReadonlyMap<string, DocumentLinks.DocumentLinks>, StorageError> {
  const found = new Map<string, DocumentLinks.DocumentLinks>()
  const apart: Array<readonly [source: string, hash: ObjectHash]> = []
  for (const [source, kept] of entries) {
    if (typeof kept === "string") found.set(source, DocumentLinks.parseLinks(kept))
    else apart.push([source, kept[0]])
  }
  for (let i = 0; i < apart.length; i += batchSize) {
    const batch = apart.slice(i, i + batchSize)
    const values = yield* reader.readAll<DocumentLinks.DocumentLinks>(batch.map(([, hash]) => hash))
    for (const [n, [source]] of batch.entries()) found.set(source, values[n]!)
    if (batch.length === batchSize) yield* Effect.yieldNow
  }
  return found
})

/** Returns the links of all sources of a content, by source. */
export const all = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content
): Effect.fn.Return<ReadonlyMap<string, DocumentLinks.DocumentLinks>, StorageError> {
  const root = rootOf(content)
  if (root === undefined) return yield* computed(reader, content, undefined)
  const found = new Map<string, DocumentLinks.DocumentLinks>()
  const slice = yield* Slice.start
  yield* TrieDifferences.inSlices<KeptLinks>(reader, null, root).pipe(
    Stream.runForEachArray(
      Effect.fnUntraced(function* (parts) {
        const entries = parts.flatMap((part) => part.map(({ key, after }) => [key, after!] as const))
        for (const [source, links] of yield* read(reader, entries)) found.set(source, links)
        if (slice.isOver()) yield* slice.pause
      })
    )
  )
  return found
})

/** Computes links from the documents, for a content that was stored before link maps existed. */
const computed = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  sources: ReadonlyArray<string> | undefined
) {
  const entries: Array<readonly [string, Linking]> = []
  const wanted = sources && new Set(sources)
  const add = (source: string, entry: Linking) => {
    if (wanted?.has(source) !== false && !isSame({}, entry)) entries.push([source, entry])
  }
  for (const page of yield* Trie.values<PageEntry>(reader, content.pages)) add(page.id, page)
  for (const entry of yield* Trie.values<ReusableContentEntry>(reader, content.reusableContents)) {
    add(sourceOfReusable(entry.id), entry)
  }
  const found = new Map<string, DocumentLinks.DocumentLinks>()
  for (let i = 0; i < entries.length; i += batchSize) {
    const batch = entries.slice(i, i + batchSize)
    for (const [source, links] of yield* ofEntries(reader, batch, new Map())) found.set(source, links)
    yield* Effect.yieldNow
  }
  return found
})
