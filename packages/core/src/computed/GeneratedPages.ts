/** The pages that are built below the computed pages of a content, and a reader of the content with them. */
import { Effect } from "effect"
import type { ChildEntry, ContentReader } from "../content/ContentReader.ts"
import type { ContentRef } from "@lectern/document/Document"
import type { PageEntry, PageId } from "../content/pages/Page.ts"
import * as Slug from "../content/pages/Slug.ts"
import type { ResponseFile } from "./ResponsePages.ts"
import type { Timestamp } from "../schema/Text.ts"

/** A page to be built, as defined by its source. */
export interface GeneratedPage extends Pick<
  PageEntry,
  "type" | "title" | "linkTitle" | "slug" | "emoji" | "icon" | "description" | "target" | "computed"
> {
  /** Identifies the page across versions. Unique among pages built together. */
  readonly key: string
  /** Name of the page in references. */
  readonly name?: string
  /** Key of the parent; null for the computed page. */
  readonly parent: string | null
}

/** Names in references of a source: ids of pages, and URLs of files by their ids. */
interface Names {
  readonly pages: ReadonlyMap<string, PageId>
  readonly files: ReadonlyMap<string, string>
}

/** Separator in ids of built pages. Ids of stored pages never contain it. */
export const idSeparator = "~"

export class GeneratedPages {
  readonly entries: Array<PageEntry> = []
  readonly byId = new Map<string, PageEntry>()
  readonly children = new Map<string, Array<ChildEntry>>()
  /** External files by id. */
  readonly files = new Map<string, Omit<ResponseFile, "id">>()
  /** Ids of computed pages of integrations, even without built pages. */
  readonly placeholders = new Set<string>()
  readonly #bySlug = new Map<string, PageId>()
  /** Names that are valid in a page, by page id. */
  readonly #names = new Map<string, Names>()
  readonly #sha256: (text: string) => string

  constructor(sha256: (text: string) => string) {
    this.#sha256 = sha256
  }

  get count(): number {
    return this.entries.length
  }

  /** Adds the pages below a computed page, and the files of the response. */
  add(
    placeholder: PageEntry,
    pages: ReadonlyArray<GeneratedPage>,
    createdAt: Timestamp,
    files: ReadonlyArray<ResponseFile> = []
  ): Array<PageEntry> {
    const idOf = (key: string | null) =>
      key === null ? placeholder.id : (`${placeholder.id}${idSeparator}${this.#sha256(key).slice(0, 16)}` as PageId)
    const names = {
      pages: new Map(pages.flatMap(({ key, name }) => (name === undefined ? [] : [[name, idOf(key)] as const]))),
      files: new Map(files.flatMap(({ id, downloadURL }) => (id === undefined ? [] : [[id, downloadURL] as const])))
    }
    for (const [i, { id, ...file }] of files.entries()) {
      this.files.set(idOf(JSON.stringify(["file", id ?? i])), file)
    }
    const added = pages.map(({ key, parent, name: _, target, ...fields }, i): PageEntry => {
      const entry: PageEntry = {
        ...fields,
        id: idOf(key),
        parent: idOf(parent),
        position: String(i).padStart(6, "0"),
        ...(target !== undefined && { target: resolveNames(names, target) }),
        ...inheritedFields(placeholder),
        createdAt,
        updatedAt: createdAt
      }
      this.#put(entry)
      if (names.pages.size + names.files.size > 0) this.#names.set(entry.id, names)
      return entry
    })
    if (names.pages.size + names.files.size > 0) this.#names.set(placeholder.id, names)
    return added
  }

  #put(entry: PageEntry): void {
    this.entries.push(entry)
    this.byId.set(entry.id, entry)
    const siblings = this.children.get(entry.parent!)
    const child = { id: entry.id, position: entry.position }
    if (siblings === undefined) this.children.set(entry.parent!, [child])
    else siblings.push(child)
    if (entry.type !== "link") this.#bySlug.set(`${entry.parent}/${Slug.foldCase(entry.slug)}`, entry.id)
  }

  /** Returns the child pages of a page, in order. */
  childrenOf(parent: string): ReadonlyArray<PageEntry> {
    return (this.children.get(parent) ?? []).map(({ id }) => this.byId.get(id)!)
  }

  /**
   * Returns a function that converts references in the text of a page to those of the space; undefined if no conversion
   * is needed.
   */
  referenceResolverOf(page: string): ((ref: ContentRef) => ContentRef) | undefined {
    const names = this.#names.get(page)
    return names && ((ref) => resolveNames(names, ref))
  }

  child(parent: string, slug: string): PageId | undefined {
    return this.#bySlug.get(`${parent}/${Slug.foldCase(slug)}`)
  }
}

/** Returns the reference that a name of the source denotes; any other reference unchanged. */
const resolveNames = ({ pages, files }: Names, ref: ContentRef): ContentRef => {
  if ("space" in ref && ref.space !== undefined) return ref
  switch (ref.kind) {
    case "page":
      return { ...ref, page: pages.get(ref.page) ?? ref.page }
    case "anchor":
      return ref.page === undefined ? ref : { ...ref, page: pages.get(ref.page) ?? ref.page }
    case "file": {
      const url = files.get(ref.file)
      return url === undefined ? ref : { kind: "url", url }
    }
    default:
      return ref
  }
}

/** Fields of a computed page that apply to the pages built below it. */
const inheritedFields = ({ noIndex, noRobotsIndex }: PageEntry) => ({
  ...(noIndex !== undefined && { noIndex }),
  ...(noRobotsIndex !== undefined && { noRobotsIndex })
})

/** A computed page is presented as a document. */
const asDocument = (page: PageEntry): PageEntry => (page.type === "computed" ? { ...page, type: "document" } : page)

/** Returns a reader of the content that includes the built pages. */
export const withGeneratedPages = (reader: ContentReader, built: GeneratedPages): ContentReader => {
  const childrenOf = (parents: ReadonlyArray<string | null>) =>
    Effect.map(reader.childrenOf(parents), (storedChildren) =>
      storedChildren.map((children, i) => [...(built.children.get(parents[i] ?? "") ?? []), ...children])
    )
  return {
    ...reader,
    page: (id) => {
      const entry = built.byId.get(id)
      return entry === undefined
        ? Effect.map(reader.page(id), (page) => page && asDocument(page))
        : Effect.succeed(asDocument(entry))
    },
    pages: (ids) =>
      Effect.map(reader.pages(ids.filter((id) => !built.byId.has(id))), (storedPages) => {
        let n = 0
        return ids.map((id) => {
          const entry = built.byId.get(id) ?? storedPages[n++]
          return entry && asDocument(entry)
        })
      }),
    allPages: Effect.map(reader.allPages, (pages) => [...pages, ...built.entries].map(asDocument)),
    pageCount: Effect.map(reader.pageCount, (count) => count + built.count),
    children: (parent) => Effect.map(childrenOf([parent]), ([children]) => children!),
    childrenOf,
    child: (parent, slug) => {
      const id = parent === null ? undefined : built.child(parent, slug)
      return id === undefined ? reader.child(parent, slug) : Effect.succeed(id)
    }
  }
}
