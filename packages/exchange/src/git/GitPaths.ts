/**
 * Paths of a content's pages and files in a repository, with the ids of their blobs. Imports match pages and files by
 * them. Exported content has the paths of the export. Groups and links have no file, so their path is their position in
 * the table of contents.
 */
import { Effect } from "effect"
import type { Content } from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as ExportPaths from "../export/ExportPaths.ts"
import * as UnlistedSiblings from "../export/UnlistedSiblings.ts"
import * as ImportedFolder from "../export/ImportedFolder.ts"
import { file, type FolderTooLarge, type FolderUnreadable } from "../import/Folder.ts"
import * as FolderImport from "../import/FolderImport.ts"
import * as FolderPlan from "../import/FolderPlan.ts"
import { oidOf } from "../import/ImportedPages.ts"
import { keyedPages } from "../import/KeyedPages.ts"
import type { PlannedPage } from "../import/PlannedPage.ts"
import * as SourceText from "@lectern/core/content/documents/SourceText"
import type { ObjectDraft, ObjectReader } from "@lectern/core/content/store/Objects"
import type { PageEntry, Variables } from "@lectern/core/content/pages/Page"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import type { Timestamp } from "@lectern/core/schema/Text"
import type { Hasher } from "@lectern/core/storage/Hasher"
import type { StorageError } from "@lectern/core/storage/Storage"

type GitPath = NonNullable<PageEntry["git"]>

/** Paths by id. */
export interface GitPaths {
  readonly pages: ReadonlyMap<string, GitPath>
  readonly files: ReadonlyMap<string, GitPath>
  readonly reusableContents: ReadonlyMap<string, GitPath>
  /** Texts of other files of the folder, which are not pages, by path. Default: the texts stored in the content. */
  readonly otherFiles?: ReadonlyMap<
    string,
    { readonly source: SourceText.SourceText; readonly leftOut?: ReadonlyArray<number> }
  >
}

interface Entry {
  readonly id: string
  readonly git?: GitPath
}

const pathsIn = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, GitPath> =>
  new Map(entries.flatMap(({ id, git }) => (git === undefined ? [] : [[id, git] as const])))

/** Returns the paths stored in a content. */
export const pathsOf = Effect.fnUntraced(function* (
  objects: ObjectReader,
  content: Content
): Effect.fn.Return<GitPaths, StorageError> {
  const reader = ContentReader.make(objects, content)
  return {
    pages: pathsIn(yield* reader.allPages),
    files: pathsIn(yield* reader.files),
    reusableContents: pathsIn(yield* reader.reusableContents)
  } satisfies GitPaths
})

/** Result of an export: ids of all files, and the text files that affect imports. */
export interface Exported {
  readonly oids: ReadonlyMap<string, string>
  readonly texts: ReadonlyMap<string, Uint8Array>
  readonly summary: string | undefined
  /** Paths in the branch that are used by files outside of the export. */
  readonly reservedPaths: ReadonlyArray<string>
}

/**
 * Returns true for files other than pages that affect imports: a table of contents, files at the top, and files
 * directly in `.gitbook`.
 */
export const affectsImport = (path: string): boolean =>
  /^[^/]*$|(?:^|\/)\.gitbook\/[^/]*$|(?:^|\/)SUMMARY\.md$/i.test(path)

/** Returns the paths that an export assigned to a content. `oids`: blob ids in the repository by path. */
export const pathsOfExport = Effect.fnUntraced(function* (
  objects: ObjectReader,
  hasher: Hasher["Service"],
  content: Content,
  { oids: own, summary, reservedPaths, texts }: Exported,
  oids: ReadonlyMap<string, string>
): Effect.fn.Return<
  { readonly paths: GitPaths; readonly outline: string },
  StorageError | FolderTooLarge | FolderUnreadable
> {
  const reader = ContentReader.make(objects, content)
  const tree = yield* PageTree.tree(reader)
  const files = yield* reader.files
  const reusableContents = yield* reader.reusableContents
  const folder = yield* ImportedFolder.readImportedFolder(reader, summary)
  const exportPaths = yield* ExportPaths.make({ tree, files, reusableContents, reservedPaths, ...folder })
  const withOids = (pathsById: ReadonlyMap<string, string>) =>
    new Map(Array.from(pathsById, ([id, path]) => [id, { path, oid: oids.get(path) ?? "" }] as const))

  // Each step reads the whole content, so other fibers run in between.
  yield* Effect.yieldNow
  const plan = yield* FolderPlan.make({
    files: Array.from(own.keys(), (path) => file(path, texts.get(path) ?? "")),
    layout: ExportPaths.layoutOf(exportPaths)
  })
  yield* Effect.yieldNow
  const plannedPages = keyedPages(plan.pages, exportPaths.root)
  yield* Effect.yieldNow
  const pages = withOids(exportPaths.pages)
  // Documents are matched by path, groups and links by their position in the tree.
  const keys = new Map(plannedPages.map(({ key, page }) => [page, key]))
  const pendingPages: Array<readonly [ReadonlyArray<PlannedPage>, ReadonlyArray<PageTree.PageNode>]> = [
    [plan.pages, tree]
  ]
  for (let nextPair = pendingPages.pop(); nextPair !== undefined; nextPair = pendingPages.pop()) {
    for (const [one, { page, pages: below }] of UnlistedSiblings.pairSiblings(...nextPair, exportPaths) ?? []) {
      if (one.type === "document" ? exportPaths.pages.get(page.id) !== one.file.path : exportPaths.pages.has(page.id)) {
        continue
      }
      if (one.type !== "document") pages.set(page.id, { path: keys.get(one)!, oid: oidOf(hasher, one) })
      pendingPages.push([one.type === "link" ? [] : one.children, below])
    }
  }
  yield* Effect.yieldNow
  const otherPaths = [ExportPaths.configuration, ...plan.passthroughFiles.map(({ path }) => path)]
  const otherFiles = otherPaths.flatMap((path) => {
    const text = texts.get(path)
    return text === undefined
      ? []
      : [[path, otherFile(text, path === plan.summary ? plan.skippedLines : undefined)] as const]
  })
  return {
    paths: {
      pages,
      files: withOids(exportPaths.files),
      reusableContents: withOids(exportPaths.reusableContents),
      otherFiles: new Map(otherFiles)
    } satisfies GitPaths,
    outline: FolderImport.outlineOf(hasher, plannedPages)
  }
})

const otherFile = (text: Uint8Array, excludedLines: ReadonlyArray<number> | undefined) => ({
  source: SourceText.fromBytes(text),
  ...(excludedLines !== undefined && { leftOut: excludedLines })
})

const sliceSize = 200

/** Stores paths in a content for the entries that exist. Nothing else changes. */
export const withPaths = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  paths: GitPaths,
  now: Timestamp
): Effect.fn.Return<Content, StorageError> {
  const editor = ContentEditor.make(draft, content, now)
  const withPath = <A extends Entry>(entry: A, pathsById: ReadonlyMap<string, GitPath>): A => {
    const git = pathsById.get(entry.id)
    return git === undefined || (entry.git?.oid === git.oid && entry.git.path === git.path) ? entry : { ...entry, git }
  }
  const pages = yield* editor.allPages
  for (let i = 0; i < pages.length; i += sliceSize) {
    const changedPages = pages.slice(i, i + sliceSize).flatMap((page) => {
      const pageWithPath = withPath(page, paths.pages)
      return pageWithPath === page ? [] : [[page.id, pageWithPath] as const]
    })
    yield* editor.replacePages(new Map(changedPages))
    yield* Effect.yieldNow
  }
  for (const entry of yield* editor.files) {
    const after = withPath(entry, paths.files)
    if (after !== entry) yield* editor.putFile(after)
  }
  for (const entry of yield* editor.reusableContents) {
    const after = withPath(entry, paths.reusableContents)
    if (after !== entry) yield* editor.putReusableContent(after)
  }
  if (paths.otherFiles !== undefined) {
    for (const { path } of yield* editor.passthroughFiles) {
      if (!paths.otherFiles.has(path)) yield* editor.removePassthroughFile(path)
    }
    for (const [path, { leftOut, source }] of paths.otherFiles) {
      yield* editor.putPassthroughFile({ path, source: draft.write(source), ...(leftOut !== undefined && { leftOut }) })
    }
  }
  return yield* editor.finish
})

/**
 * Returns the content with the paths, ids and other files of the common content. The values in the space may be older,
 * since an export does not change the space, and would count as changes of the space.
 */
export const withCommon = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  common: Content,
  now: Timestamp
): Effect.fn.Return<Content, StorageError> {
  const editor = ContentEditor.make(draft, yield* withPaths(draft, content, yield* pathsOf(draft, common), now), now)
  for (const file of yield* ContentReader.make(draft, common).passthroughFiles) yield* editor.putPassthroughFile(file)
  return yield* editor.finish
})

/** A content reduced to the parts that have a path. Pages below a page without one move up. */
export const withPathsOnly = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content,
  variables: Variables | undefined,
  now: Timestamp
): Effect.fn.Return<Content, StorageError> {
  const editor = ContentEditor.make(draft, content, now)
  const pages = new Map((yield* editor.allPages).map((page) => [page.id, page]))
  const replacedPages = new Map<string, PageEntry | undefined>()
  for (const [id, page] of pages) {
    if (page.git === undefined) {
      replacedPages.set(id, undefined)
      continue
    }
    let { parent } = page
    while (parent !== null && pages.get(parent)?.git === undefined) parent = pages.get(parent)?.parent ?? null
    if (parent !== page.parent) replacedPages.set(id, { ...page, parent })
  }
  yield* editor.replacePages(replacedPages)
  for (const { id, git } of yield* editor.files) if (git === undefined) yield* editor.removeFile(id)
  for (const { id, git } of yield* editor.reusableContents) {
    if (git === undefined) yield* editor.removeReusableContent(id)
  }
  for (const name of Object.keys(yield* editor.variables)) {
    if (variables === undefined || !Object.hasOwn(variables, name)) yield* editor.setVariable(name, undefined)
  }
  return yield* editor.finish
})
