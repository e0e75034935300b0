/**
 * Reads a table of contents like an import of the exported folder, and compares the planned pages with the exported
 * tree.
 */
import { Effect, Equal } from "effect"
import { file, type FolderTooLarge, type FolderUnreadable } from "../import/Folder.ts"
import * as FolderPlan from "../import/FolderPlan.ts"
import { pageTypeOf, hasEntryNames, targetOf, titleOf } from "../import/ImportedPages.ts"
import { slugOf } from "../import/KeyedPages.ts"
import * as PageFields from "../import/PageFields.ts"
import type { PlannedGroup, PlannedLink, PlannedPage } from "../import/PlannedPage.ts"
import { isUnlinked, type PageEntry } from "@lectern/core/content/pages/Page"
import type { ContentRef } from "@lectern/document/Document"
import type { PageNode } from "@lectern/core/content/pages/PageTree"
import * as Slug from "@lectern/core/content/pages/Slug"
import { Slice } from "@lectern/core/storage/Slice"
import type { ExportUrls } from "./ExportUrls.ts"
import { type ExportPaths, layoutOf } from "./ExportPaths.ts"
import * as PageMetadata from "./PageMetadata.ts"
import { listedTitle } from "./SummaryText.ts"
import * as UnlistedSiblings from "./UnlistedSiblings.ts"

/** Values that the table of contents provides for a page in an import, before the page's file is read. */
export interface Listing {
  /** Title in the table of contents. Absent if the page is not listed. */
  readonly title?: string
  /** Name in navigation that the entry states in addition to its title. */
  readonly label?: string
  /** True if the page is not listed, which hides it in an import. */
  readonly hidden?: boolean
  /** Slug that an import assigns. Present if an earlier sibling has the slug of the page's path. */
  readonly slug?: string
}

/** Returns the plan of an import by this table of contents, in a folder with these files. */
export const planOf = (
  text: string,
  paths: ExportPaths
): Effect.Effect<FolderPlan.FolderPlan, FolderTooLarge | FolderUnreadable> => {
  const { files, pages, reusableContents } = paths
  const all = [pages, files, reusableContents].flatMap((pathsById) =>
    Array.from(pathsById.values(), (path) => file(path, ""))
  )
  return FolderPlan.make({ files: [...all, file(paths.summary, text)], layout: layoutOf(paths) })
}

interface ListingContext {
  readonly paths: ExportPaths
  readonly urls: ExportUrls
}

/**
 * Returns the plan's listing of each page of the tree, by id; undefined if the plan makes another tree. Pages without
 * an entry have no order: an import puts them after those with an entry.
 */
export const listings = Effect.fnUntraced(function* (
  plan: ReadonlyArray<PlannedPage>,
  tree: ReadonlyArray<PageNode>,
  context: ListingContext
) {
  const slice = yield* Slice.start
  const listingsById = new Map<string, Listing>()
  const pending: Array<readonly [ReadonlyArray<PlannedPage>, ReadonlyArray<PageNode>]> = [[plan, tree]]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const siblings = UnlistedSiblings.pairSiblings(...next, context.paths)
    if (siblings === undefined) return undefined
    const slugs = new TakenSlugs()
    for (const [plannedPage, { page, pages }] of siblings) {
      if (slice.isOver()) yield* slice.pause
      const listing = listingOf(plannedPage, page, slugs, context)
      if (listing === undefined) return undefined
      listingsById.set(page.id, listing)
      // Links have no slug, so they are left out.
      if (page.type !== "link") slugs.add(page.slug)
      pending.push([plannedPage.type === "link" ? [] : plannedPage.children, pages])
    }
  }
  return listingsById as ReadonlyMap<string, Listing>
})

const listingOf = (
  plan: PlannedPage,
  page: PageEntry,
  slugs: TakenSlugs,
  context: ListingContext
): Listing | undefined => {
  const title = listedTitle(page.title)
  if (plan.type !== "document") {
    return matchesEntry(plan, page, (slug) => slugs.has(slug), context) ? { title } : undefined
  }
  if (context.paths.pages.get(page.id) !== plan.file.path) return undefined
  const pathSlug = slugOf(plan, context.paths.root)
  const slug = slugs.has(pathSlug) ? { slug: slugs.free(pathSlug) } : {}
  if (plan.title !== undefined) {
    const label = plan.linkTitle === undefined ? {} : { label: plan.linkTitle }
    return hasEntryNames(plan, page) ? { title: plan.title, ...label, ...slug } : undefined
  }
  if (page.linkTitle !== undefined) return undefined
  const { hidden = false } = plan
  return hidden && page.hidden !== true ? undefined : { hidden, ...slug }
}

/** Set of the slugs of siblings. Like the insertion of a page, it appends the lowest free number to a slug in use. */
class TakenSlugs {
  readonly #slugs = new Set<string>()
  /** The last suffix for each slug. */
  readonly #suffixes = new Map<string, number>()

  has(slug: string): boolean {
    return this.#slugs.has(Slug.foldCase(slug))
  }

  add(slug: string): void {
    this.#slugs.add(Slug.foldCase(slug))
  }

  free(slug: string): string {
    for (let n = (this.#suffixes.get(slug) ?? 0) + 1; ; n++) {
      const candidate = Slug.withSuffix(slug, n)
      if (this.has(candidate)) continue
      this.#suffixes.set(slug, n)
      return candidate
    }
  }
}

/** Returns true if an entry without a file results in the page. */
export const matchesEntry = (
  plan: PlannedGroup | PlannedLink,
  page: PageEntry,
  /** Returns true if an earlier sibling has the slug, so that an import appends a suffix. */
  isTaken: (slug: string) => boolean,
  { urls, paths }: ListingContext
): boolean => {
  const { fields = {} } = plan
  const resolve = (url: string) => urls.resolve(url, paths.summary)
  const { type, unlinked = false } = pageTypeOf(plan, page.parent)
  if (type !== page.type || (unlinked && !isUnlinked(page))) return false
  const slug = fields.slug ?? slugOf(plan, "")
  if (slug !== page.slug && !(isTaken(slug) && page.slug.startsWith(`${slug}-`))) return false
  if (titleOf(plan) !== page.title || fields.linkTitle !== page.linkTitle) return false
  if (type === "link" && !Equal.equals(targetOf(plan as PlannedLink, resolve), localTarget(page, urls))) return false
  const urlOf = (ref: ContentRef) => urls.url(ref, paths.summary)
  const { cover, linkTitle: _, ...entryMetadata } = PageFields.patch(fields, resolve)
  const hidden = plan.type === "group" && plan.hidden === true ? { hidden: true } : {}
  const { cover: pageCover, ...metadata } = PageMetadata.metadataOf(page)
  return (
    Equal.equals(PageMetadata.withoutFalse({ ...hidden, ...entryMetadata }), PageMetadata.withoutFalse(metadata)) &&
    Equal.equals(
      PageMetadata.coverFields({ ...(cover && { cover }) }, urlOf),
      PageMetadata.coverFields({ ...(pageCover && { cover: pageCover }) }, urlOf)
    )
  )
}

const localTarget = ({ target = { kind: "url", url: "" } }: PageEntry, urls: ExportUrls): ContentRef =>
  urls.localRef(target) ?? target
