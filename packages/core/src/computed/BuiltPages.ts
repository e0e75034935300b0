/** The pages that are built below the computed pages of a content, and that content with them in it. */
import { Effect } from "effect"
import type { ChildEntry, ContentReader } from "../content/ContentReader.ts"
import type { PageEntry, PageId } from "../content/Page.ts"
import * as Slug from "../content/Slug.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { ComputedPages } from "./ComputedSource.ts"
import type { OutlinePage } from "./SpecOutline.ts"

/** Stands in the id of a built page and in no other. */
const separator = "~"

export class BuiltPages {
  readonly entries: Array<PageEntry> = []
  readonly byId = new Map<string, PageEntry>()
  readonly children = new Map<string, Array<ChildEntry>>()
  readonly #bySlug = new Map<string, PageId>()
  readonly #sha256: (text: string) => string

  constructor(sha256: (text: string) => string) {
    this.#sha256 = sha256
  }

  get count(): number {
    return this.entries.length
  }

  add(stands: PageEntry, source: ComputedPages, outline: ReadonlyArray<OutlinePage>, createdAt: Timestamp): void {
    const idOf = (key: string | null) =>
      key === null ? stands.id : (`${stands.id}${separator}${this.#sha256(key).slice(0, 16)}` as PageId)
    for (const [i, { key, title, slug, icon, description, parent, props }] of outline.entries()) {
      const id = idOf(key)
      const entry: PageEntry = {
        id,
        type: "document",
        title,
        slug,
        parent: idOf(parent),
        position: String(i).padStart(6, "0"),
        ...(icon !== undefined && { icon }),
        ...(description !== undefined && { description }),
        ...inherited(stands),
        computed: { type: source.type, dependencies: source.dependencies, props },
        createdAt,
        updatedAt: createdAt
      }
      this.entries.push(entry)
      this.byId.set(id, entry)
      const siblings = this.children.get(entry.parent!)
      const child = { id, position: entry.position }
      if (siblings === undefined) this.children.set(entry.parent!, [child])
      else siblings.push(child)
      this.#bySlug.set(`${entry.parent}/${Slug.fold(slug)}`, id)
    }
  }

  child(parent: string, slug: string): PageId | undefined {
    return this.#bySlug.get(`${parent}/${Slug.fold(slug)}`)
  }
}

/** What holds for a page holds for those that are built below it. */
const inherited = ({ noIndex, noRobotsIndex }: PageEntry) => ({
  ...(noIndex !== undefined && { noIndex }),
  ...(noRobotsIndex !== undefined && { noRobotsIndex })
})

/** A page that stands for others is read as a document. */
const asDocument = (page: PageEntry): PageEntry => (page.type === "computed" ? { ...page, type: "document" } : page)

/** The content with these pages in it. */
export const laidOver = (reader: ContentReader, built: BuiltPages): ContentReader => {
  const childrenOf = (parents: ReadonlyArray<string | null>) =>
    Effect.map(reader.childrenOf(parents), (stored) =>
      stored.map((children, i) => [...(built.children.get(parents[i] ?? "") ?? []), ...children])
    )
  return {
    ...reader,
    page: (id) => {
      const entry = built.byId.get(id)
      return entry === undefined
        ? Effect.map(reader.page(id), (page) => page && asDocument(page))
        : Effect.succeed(entry)
    },
    pages: (ids) =>
      Effect.map(reader.pages(ids.filter((id) => !built.byId.has(id))), (stored) => {
        let n = 0
        return ids.map((id) => {
          const entry = built.byId.get(id) ?? stored[n++]
          return entry && asDocument(entry)
        })
      }),
    allPages: Effect.map(reader.allPages, (pages) => [...pages.map(asDocument), ...built.entries]),
    pageCount: Effect.map(reader.pageCount, (count) => count + built.count),
    children: (parent) => Effect.map(childrenOf([parent]), ([children]) => children!),
    childrenOf,
    child: (parent, slug) => {
      const id = parent === null ? undefined : built.child(parent, slug)
      return id === undefined ? reader.child(parent, slug) : Effect.succeed(id)
    }
  }
}
