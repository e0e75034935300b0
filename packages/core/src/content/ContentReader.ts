/**
 * Reads a content: its pages, files, reusable contents and variables. `ContentEditor` implements the same interface
 * with its edits applied.
 */
import { Effect } from "effect"
import type { ObjectHash } from "../storage/ObjectStore.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Content, ReusableContentEntry, PassthroughFile } from "./Content.ts"
import type { FileEntry } from "./files/File.ts"
import type { ObjectReader } from "./store/Objects.ts"
import type { PageEntry, PageId } from "./pages/Page.ts"
import * as Slug from "./pages/Slug.ts"
import type { SourceText } from "./documents/SourceText.ts"
import * as StoredDocument from "./documents/StoredDocument.ts"
import * as Trie from "./store/Trie.ts"

/** Value of a page in the map of children. */
export interface ChildEntry {
  readonly id: PageId
  readonly position: string
}

export type VariableValue = string | number | boolean

export interface ContentReader {
  readonly page: (id: string) => Effect.Effect<PageEntry | undefined, StorageError>
  /** Returns the pages with these ids, in order. Undefined for a missing page. */
  readonly pages: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PageEntry | undefined>, StorageError>
  /** All pages, unordered. */
  readonly allPages: Effect.Effect<ReadonlyArray<PageEntry>, StorageError>
  readonly pageCount: Effect.Effect<number, StorageError>
  /** Returns the direct children of a page in order. Null: the pages at the top. */
  readonly children: (parent: string | null) => Effect.Effect<ReadonlyArray<ChildEntry>, StorageError>
  /** Returns the direct children of several pages. */
  readonly childrenOf: (
    parents: ReadonlyArray<string | null>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<ChildEntry>>, StorageError>
  /** Returns the child with this slug. Links have no slug in paths. */
  readonly child: (parent: string | null, slug: string) => Effect.Effect<PageId | undefined, StorageError>
  /**
   * Returns the document of a page or reusable content. Without a hash: the empty document. A large document stays
   * unparsed.
   */
  readonly document: (hash: ObjectHash | undefined) => Effect.Effect<StoredDocument.StoredDocument, StorageError>
  /** Returns the imported source text of a page or reusable content. */
  readonly source: (hash: ObjectHash) => Effect.Effect<StoredDocument.ParsedOrJson<SourceText>, StorageError>
  readonly file: (id: string) => Effect.Effect<FileEntry | undefined, StorageError>
  /** All files, ordered by id. */
  readonly files: Effect.Effect<ReadonlyArray<FileEntry>, StorageError>
  readonly reusableContent: (id: string) => Effect.Effect<ReusableContentEntry | undefined, StorageError>
  /** All reusable contents, ordered by id. */
  readonly reusableContents: Effect.Effect<ReadonlyArray<ReusableContentEntry>, StorageError>
  readonly variables: Effect.Effect<Readonly<Record<string, VariableValue>>, StorageError>
  /** Returns the page that a path redirects to if no page is at the path. */
  readonly redirect: (path: string) => Effect.Effect<PageId | undefined, StorageError>
  /** All redirects: folded path to page. */
  readonly redirects: Effect.Effect<ReadonlyMap<string, PageId>, StorageError>
  /** Files of the imported folder that are neither pages nor files of the content, ordered by path. */
  readonly passthroughFiles: Effect.Effect<ReadonlyArray<PassthroughFile>, StorageError>
}

/** Returns the name of a page in the map of children. The name of a link contains a character that slugs exclude. */
export const childName = (page: Pick<PageEntry, "id" | "slug" | "type">): string =>
  page.type === "link" ? `#${page.id}` : Slug.foldCase(page.slug)

export const childKey = (parent: string | null, name: string): string => `${parent ?? ""}/${name}`

/** Compares siblings by position. The id decides between equal positions. */
export const byPosition = (a: ChildEntry, b: ChildEntry): number =>
  a.position < b.position ? -1 : a.position > b.position ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0

/** Value of a path in the map of redirects. */
export interface Redirect {
  readonly page: PageId
}

/** Returns the key of a path in the map of redirects. Case, Unicode form and repeated slashes do not change the key. */
export const redirectKey = (path: string): string =>
  path
    .split("/")
    .filter((segment) => segment !== "")
    .map(Slug.foldCase)
    .join("/")

const sortedChildren = (entries: ReadonlyArray<Trie.Entry<ChildEntry>>): ReadonlyArray<ChildEntry> =>
  entries.map(([, child]) => child).sort(byPosition)

const values = <V>(objects: ObjectReader, root: Content["pages"]) =>
  Effect.map(Trie.entries<V>(objects, root), (entries) => entries.map(([, value]) => value))

export const make = (objects: ObjectReader, content: Content): ContentReader => ({
  page: (id) => Trie.get<PageEntry>(objects, content.pages, id),
  pages: (ids) => Trie.getMany<PageEntry>(objects, content.pages, ids),
  allPages: Trie.values<PageEntry>(objects, content.pages),
  pageCount: Trie.size(objects, content.pages),
  children: (parent) =>
    Effect.map(Trie.entriesOfGroup<ChildEntry>(objects, content.children, parent ?? ""), sortedChildren),
  childrenOf: (parents) =>
    Effect.map(
      Trie.entriesOfGroups<ChildEntry>(
        objects,
        content.children,
        parents.map((parent) => parent ?? "")
      ),
      (groups) => groups.map(sortedChildren)
    ),
  child: (parent, slug) =>
    Effect.map(
      Trie.get<ChildEntry>(objects, content.children, childKey(parent, Slug.foldCase(slug))),
      (child) => child?.id
    ),
  document: (hash) => (hash === undefined ? Effect.succeed(StoredDocument.empty) : objects.document(hash)),
  source: (hash) => objects.readUnparsed<SourceText>(hash),
  file: (id) => Trie.get<FileEntry>(objects, content.files, id),
  files: values<FileEntry>(objects, content.files),
  reusableContent: (id) => Trie.get<ReusableContentEntry>(objects, content.reusableContents, id),
  reusableContents: values<ReusableContentEntry>(objects, content.reusableContents),
  variables: Effect.map(Trie.entries<VariableValue>(objects, content.variables), (entries) =>
    Object.fromEntries(entries)
  ),
  redirect: (path) =>
    Effect.map(Trie.get<Redirect>(objects, content.redirects ?? null, redirectKey(path)), (redirect) => redirect?.page),
  redirects: Effect.map(
    Trie.entries<Redirect>(objects, content.redirects ?? null),
    (entries) => new Map(entries.map(([path, { page }]) => [path, page]))
  ),
  passthroughFiles: values<PassthroughFile>(objects, content.written ?? null)
})
