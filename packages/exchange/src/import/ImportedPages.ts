/** Imports pages: inserts, changes, moves and removes them to match the folder. */
import { Effect } from "effect"
import type { Hasher } from "@lectern/core/storage/Hasher"
import { providesPages, isIntegration, specOf } from "@lectern/core/computed/ComputedSource"
import type * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import type { ContentRef } from "@lectern/document/Document"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import type { PageEntry, PageType } from "@lectern/core/content/pages/Page"
import * as Slug from "@lectern/core/content/pages/Slug"
import { FolderTooLarge } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"
import { isReadable } from "./FolderPlan.ts"
import { type ImportRun, orDie } from "./ImportRun.ts"
import { type KeyedPage, slugOfPath } from "./KeyedPages.ts"
import * as PageFields from "./PageFields.ts"
import * as PageSource from "./PageSource.ts"
import type { PlannedDocument, PlannedGroup, PlannedLink } from "./PlannedPage.ts"
import * as SiblingOrder from "./SiblingOrder.ts"

const insert = Effect.fnUntraced(function* (
  { editor, problems, pendingSlugs }: ImportRun,
  page: ContentEditor.NewPage & { readonly id: string },
  path: string
) {
  const result = yield* Effect.result(editor.insertPage({ ...page, onConflict: "suffix" }))
  if (result._tag === "Success") {
    if (page.slug !== undefined && result.success.slug !== page.slug) pendingSlugs.set(page.id, page.slug)
    return
  }
  const error = result.failure
  if (error._tag !== "ContentLimitReached") return yield* orDie(Effect.fail(error))
  if (error.limit !== "depth") return yield* new FolderTooLarge({ message: error.message })
  problems.push({ path, message: `It was put at the top: ${error.message}` })
  yield* orDie(editor.insertPage({ ...page, parent: null, onConflict: "suffix" }))
})

/**
 * Imports a page. `isNewOutline`: true if titles or positions in the folder's tree changed since the previous import.
 */
export const importPage = (run: ImportRun, page: KeyedPage, isNewOutline: boolean) =>
  page.page.type === "document" ? importDocument(run, page, page.page, isNewOutline) : importEntry(run, page, page.page)

const importDocument = Effect.fnUntraced(function* (
  run: ImportRun,
  { key, slug, parent }: KeyedPage,
  page: PlannedDocument,
  isNewOutline: boolean
) {
  const { added, changed, editor, existingPages, open, pageIds, problems, unchanged } = run
  const id = pageIds.get(key)!
  const existing = existingPages.get(key)
  const at = parent === undefined ? null : pageIds.get(parent.key)!
  if (!isReadable(page.file)) {
    problems.push({ path: key, message: "It is too large for a page, which is left empty" })
    if (existing === undefined) {
      const title = PageSource.titleFrom(page.title, FolderPath.baseName(key))
      yield* insert(run, { id, title, slug, parent: at, git: run.gitOf("", key) }, key)
      added.add(key)
    } else unchanged.add(key)
    return
  }
  const { bytes, oid } = yield* open(page.file)
  const git = run.gitOf(oid, key)
  if (
    existing?.git !== undefined &&
    existing.git.path !== key &&
    existing.slug === slugOfPath(existing.git.path, run.plan.root)
  ) {
    // A slug that was chosen in Lectern stays.
    run.pendingSlugs.set(id, slug)
  }
  const source = Effect.flatMap(bytes, (text) =>
    run.readPage(text, { path: key, title: page.title, label: page.linkTitle, hidden: page.hidden ?? false })
  )
  if (existing?.git?.oid === oid && !run.isOutdated(key)) {
    let after = existing
    if (isNewOutline) {
      // The page may be newly listed or unlisted. Only the file determines the other fields.
      const changesVisibility = (page.hidden ?? false) !== (existing.hidden ?? false)
      // The names of the page may have changed too, unless the file has a title that no table of contents can state.
      const isNamed = page.title !== undefined && !hasEntryNames(page, existing)
      const isUnnamed = page.title === undefined && page.linkTitle !== existing.linkTitle
      if (changesVisibility || isNamed || isUnnamed) {
        const { title, linkTitle, metadata } = yield* source
        after = yield* orDie(
          editor.updatePage(id, {
            ...((isNamed || isUnnamed) && { linkTitle }),
            ...(isNamed && { title }),
            ...(changesVisibility && { hidden: metadata.hidden })
          })
        )
      }
    }
    if (existing.git.path !== key) after = yield* orDie(editor.updatePage(id, { git }))
    if (after === existing) unchanged.add(key)
    else changed.add(key)
    return
  }
  const { title, linkTitle, metadata: sourceMetadata, document, fields, ownSlug, isTitleFromHeading } = yield* source
  const statedSlug = fields.slug ?? ownSlug
  const metadata = { ...sourceMetadata, ...run.sourceField(yield* bytes) }
  if (existing === undefined) {
    yield* insert(run, { ...metadata, id, title, linkTitle, slug: statedSlug ?? slug, parent: at, document, git }, key)
    added.add(key)
    return
  }
  // An unchanged title in the table of contents may have been edited in Lectern.
  const takesAllNames =
    isNewOutline ||
    page.title === undefined ||
    (!PageSource.isSameTitle(page.title, existing.title) && hasEntryNames(page, existing))
  const names = takesAllNames
    ? { title, linkTitle }
    : isTitleFromHeading
      ? { title, ...(existing.linkTitle === undefined && { linkTitle }) }
      : {}
  yield* orDie(editor.updatePage(id, { ...metadata, ...names, git }))
  yield* orDie(editor.setDocument(id, document))
  if (statedSlug !== undefined) {
    run.pendingSlugs.delete(id)
    yield* setStatedSlug(run, key, statedSlug)
  }
  changed.add(key)
})

const entryTitleOf = ({ title = "" }: PlannedDocument): string => PageSource.titleFrom(title)

/**
 * True if a page has the names of its entry in a table of contents: the title and the name in navigation. If the title
 * comes from the heading, only the name in navigation counts.
 */
export const hasEntryNames = (
  entry: PlannedDocument,
  { title, linkTitle }: Pick<PageEntry, "title" | "linkTitle">
): boolean =>
  PageSource.isSameTitle(title, entry.title)
    ? linkTitle === entry.linkTitle
    : linkTitle !== undefined && entry.linkTitle === undefined && linkTitle === entryTitleOf(entry)

/** Sets the slug that the file of a page states, unless a sibling has it. */
const setStatedSlug = Effect.fnUntraced(function* (
  { editor, pageIds, problems }: ImportRun,
  key: string,
  slug: string
) {
  const result = yield* Effect.result(editor.updatePage(pageIds.get(key)!, { slug }))
  if (result._tag === "Success") return
  if (result.failure._tag === "SlugTaken") problems.push({ path: key, message: `It keeps its slug: ${slug} is taken` })
  else yield* orDie(Effect.fail(result.failure))
})

export const titleOf = ({ title, fields }: PlannedGroup | PlannedLink): string =>
  fields?.title ?? PageSource.titleFrom(title)

/**
 * Returns the hash of a group or link in the folder, which corresponds to the object id of a file. It is equal for
 * equal descriptions.
 */
export const oidOf = (hasher: Pick<Hasher["Service"], "sha1">, page: PlannedGroup | PlannedLink): string => {
  const fieldsText = page.fields === undefined ? "" : ` ${JSON.stringify(page.fields)}`
  return hasher.sha1(new TextEncoder().encode(`${page.type} ${titleOf(page)}${fieldsText}`))
}

const importEntry = Effect.fnUntraced(function* (
  run: ImportRun,
  { key, slug, parent }: KeyedPage,
  page: PlannedGroup | PlannedLink
) {
  const { editor, hasher, existingPages, pageIds, plan, resolver } = run
  const id = pageIds.get(key)!
  const existing = existingPages.get(key)
  const { fields = {} } = page
  if (fields.computed != null && !isIntegration(fields.computed)) run.findings.spec(specOf(fields.computed), undefined)
  const title = titleOf(page)
  const resolve = (url: string) => resolver.resolve(url, plan.summary)
  const at = parent === undefined ? null : pageIds.get(parent.key)!
  const { type, ...unlinked } = pageTypeOf(page, at)
  const metadata = {
    ...("hidden" in page && page.hidden ? { hidden: true } : {}),
    ...PageFields.patch(fields, resolve),
    ...(type === "link" && { target: targetOf(page as PlannedLink, resolve) })
  }
  const oid = oidOf(hasher, page)
  const git = run.gitOf(oid, key)
  if (existing === undefined) {
    yield* insert(run, { ...metadata, ...unlinked, id, type, title, slug: fields.slug ?? slug, parent: at, git }, key)
  } else if (existing.git?.oid !== oid) {
    yield* orDie(editor.updatePage(id, { ...metadata, title, git }))
    if (fields.slug !== undefined) yield* setStatedSlug(run, key, fields.slug)
  }
})

/**
 * Returns the type of a page without a file. A group below the top becomes a document, unless the folder states that it
 * is a group.
 */
export const pageTypeOf = (
  { type, fields }: PlannedGroup | PlannedLink,
  parent: string | null
): { readonly type: PageType; readonly unlinked?: true } => {
  if (type === "link") return { type: fields?.computed != null && providesPages(fields.computed) ? "computed" : type }
  return parent === null || fields?.group === true ? { type } : { type: "document", unlinked: true }
}

export const targetOf = ({ url, fields }: PlannedLink, resolve: (url: string) => ContentRef | undefined): ContentRef =>
  fields?.link === "reference" ? (resolve(url) ?? RefUrl.fromUrl(url)) : { kind: "url", url }

/** Moves a page below another parent. If its slug is taken, the slug gets a suffix. */
const moveUnder = Effect.fnUntraced(function* (
  editor: ContentEditor.ContentEditor,
  page: PageEntry,
  parent: string | null
) {
  let result = yield* Effect.result(editor.movePage(page.id, { parent }))
  for (let n = 1; result._tag === "Failure" && result.failure._tag === "SlugTaken"; n++) {
    result = yield* Effect.result(editor.movePage(page.id, { parent, slug: Slug.withSuffix(page.slug, n) }))
  }
  return result
})

const moveToParent = Effect.fnUntraced(function* (
  { editor, pageIds, problems, pendingSlugs }: ImportRun,
  { key, parent: plannedParent }: KeyedPage
) {
  const entry = (yield* editor.page(pageIds.get(key)!))!
  const parent = plannedParent === undefined ? null : pageIds.get(plannedParent.key)!
  if (entry.parent === parent) return
  const result = yield* moveUnder(editor, entry, parent)
  if (result._tag === "Success") {
    if (result.success.slug !== entry.slug && !pendingSlugs.has(entry.id)) pendingSlugs.set(entry.id, entry.slug)
    return
  }
  if (result.failure._tag === "StorageError") return yield* result.failure
  problems.push({ path: key, message: `It stays where it is: ${result.failure.message}` })
})

/** Sets the slugs that were taken during the import, if they are free now. */
export const assignPendingSlugs = Effect.fnUntraced(function* ({ editor, pendingSlugs }: ImportRun) {
  for (const [id, slug] of pendingSlugs) {
    if ((yield* editor.page(id)) === undefined) continue
    const result = yield* Effect.result(editor.updatePage(id, { slug }))
    if (result._tag === "Failure" && result.failure._tag !== "SlugTaken") yield* orDie(Effect.fail(result.failure))
  }
})

/** Moves the pages to their positions in the tree of the folder, in its order. */
export const arrange = Effect.fnUntraced(function* (run: ImportRun) {
  const { editor, existingPages, pageIds, pages } = run
  const children = new Map<string | null, Array<string>>()
  for (const page of pages) {
    if (existingPages.has(page.key)) yield* moveToParent(run, page)
    const entry = yield* editor.page(pageIds.get(page.key)!)
    const siblings = children.get(entry!.parent)
    if (siblings === undefined) children.set(entry!.parent, [entry!.id])
    else siblings.push(entry!.id)
  }
  for (const [parent, childIds] of children) yield* orDie(SiblingOrder.arrange(editor, parent, childIds))
})

/** A page that replaces the group of its folder gets the slug of the group, so that the paths below it stay. */
const takeFreedSlugs = ({ existingPages, pages, pendingSlugs }: ImportRun, removedPages: Iterable<PageEntry>) => {
  const slugKey = (parent: string | null, slug: string) => `${parent} ${slug}`
  const freedSlugs = new Set<string>()
  for (const { type, unlinked, parent, slug } of removedPages) {
    if (type === "group" || unlinked === true) freedSlugs.add(slugKey(parent, slug))
  }
  if (freedSlugs.size === 0) return
  for (const { key, page, slug } of pages) {
    const existing = existingPages.get(key)
    const isParent = page.type === "document" && page.children.length > 0
    if (!isParent || existing?.slug !== Slug.withSuffix(slug, 1) || !freedSlugs.has(slugKey(existing.parent, slug)))
      continue
    pendingSlugs.set(existing.id, slug)
  }
}

/** Removes pages whose file was removed. Pages that were created below them in Lectern move up. */
export const removeDeleted = Effect.fnUntraced(function* (run: ImportRun) {
  const { editor, existingPages, pageIds, removed } = run
  const deletedPages = new Map<string, PageEntry>()
  for (const [path, entry] of existingPages) if (!pageIds.has(path)) deletedPages.set(entry.id, entry)
  takeFreedSlugs(run, deletedPages.values())
  for (const id of deletedPages.keys()) {
    const entry = yield* editor.page(id)
    let parent: string | null = entry?.parent ?? null
    while (parent !== null && deletedPages.has(parent)) parent = (yield* editor.page(parent))?.parent ?? null
    for (const child of yield* editor.children(id)) {
      if (deletedPages.has(child.id)) continue
      const result = yield* moveUnder(editor, (yield* editor.page(child.id))!, parent)
      if (result._tag === "Failure") yield* orDie(Effect.fail(result.failure))
    }
  }
  for (const [id, { git, type, unlinked }] of deletedPages) {
    if ((yield* editor.page(id)) !== undefined) yield* orDie(editor.removePage(id))
    // An entry without a file has no path to report.
    if (type === "document" && unlinked !== true) removed.add(git!.path)
  }
})
