/**
 * Paths of the parts of a content in an exported folder. Imported parts keep their original path, and pages created in
 * Lectern get paths from their slugs. A page with pages below it is the README of a folder.
 *
 * Limits: new folders have paths of at most 120 characters, new names 80 bytes. Deeper pages go into the deepest folder
 * within the limit.
 */
import { Effect } from "effect"
import type { ReusableContentEntry } from "@lectern/core/content/Content"
import type { FileEntry } from "@lectern/core/content/files/File"
import * as FileFields from "../import/FileFields.ts"
import type { FolderLayout } from "../import/Folder.ts"
import * as GitbookYaml from "../import/GitbookYaml.ts"
import * as FolderPath from "../import/FolderPath.ts"
import { isUnlinked, type PageEntry } from "@lectern/core/content/pages/Page"
import type { PageNode } from "@lectern/core/content/pages/PageTree"
import * as Slug from "@lectern/core/content/pages/Slug"
import { Slice } from "@lectern/core/storage/Slice"
import { ClaimedPaths, isWritable } from "./ClaimedPaths.ts"
import * as SafeName from "./SafeName.ts"

export interface ExportPaths {
  /** Paths of pages by id. Groups and links have no path. */
  readonly pages: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, string>
  readonly reusableContents: ReadonlyMap<string, string>
  /** Folder of all parts, relative to the exported folder. Empty for the exported folder itself. */
  readonly root: string
  /** Path that an import uses for the first page, relative to the root. */
  readonly readme: string
  readonly summary: string
}

/** Returns the path of a file with a fixed position below the root. */
export const pathInRoot = ({ root }: Pick<ExportPaths, "root">, path: string): string =>
  root === "" ? path : `${root}/${path}`

/** Returns the layout that an import uses for a folder with these paths. */
export const layoutOf = ({ root, readme, summary }: ExportPaths): FolderLayout => ({
  root,
  readme,
  summary: root === "" ? summary : summary.slice(root.length + 1)
})

export const configuration = ".gitbook.yaml"
export const variables = ".gitbook/vars.yaml"
const includes = ".gitbook/includes"
const assets = ".gitbook/assets"

const maxFolderLength = 120

interface ImportedPart {
  readonly id: string
  readonly git?: PageEntry["git"]
}

export interface ExportedContent {
  readonly tree: ReadonlyArray<PageNode>
  readonly files: ReadonlyArray<FileEntry>
  readonly reusableContents: ReadonlyArray<ReusableContentEntry>
  /**
   * Layout of the imported folder. Default: all parts are in the folder itself, with `SUMMARY.md`, or a different name
   * if a page has this path.
   */
  readonly layout?: Omit<FolderLayout, "redirects"> | undefined
  /** Paths of files that are written back unchanged. */
  readonly passthroughPaths?: ReadonlyArray<string>
  /** Paths of existing files that the content does not contain and that must stay. */
  readonly reservedPaths?: ReadonlyArray<string> | undefined
  /** True if imported paths may differ only in case. Default: false. */
  readonly isCaseSensitive?: boolean
}

export const make = Effect.fnUntraced(function* (content: ExportedContent) {
  const slice = yield* Slice.start
  const claimedPaths = new ClaimedPaths()
  const claimImported = (path: string) =>
    content.isCaseSensitive === true ? claimedPaths.tryClaimExact(path) : claimedPaths.tryClaim(path)
  const root = content.layout?.root ?? ""
  const at = (path: string) => pathInRoot({ root }, path)
  if (content.layout !== undefined) claimedPaths.claim(at(content.layout.summary))
  for (const path of [configuration, at(variables), at(FileFields.path)]) claimedPaths.claim(path)
  for (const folder of [at(includes), at(assets)]) claimedPaths.folder(folder)
  const pagesInOrder = Array.from(preorder(content.tree))
  const documents = pagesInOrder.flatMap(({ page }) => (page.type === "document" && !isUnlinked(page) ? [page] : []))

  const isWithin = (path: string) => root === "" || path.startsWith(`${root}/`)
  const claimImportedPaths = (entries: ReadonlyArray<ImportedPart>, isAllowed: (path: string) => boolean) => {
    const paths = new Map<string, string>()
    for (const { id, git } of entries) {
      if (git === undefined || !isWritable(git.path) || !isAllowed(git.path) || !claimImported(git.path)) continue
      paths.set(id, git.path)
    }
    return paths
  }
  const pages = claimImportedPaths(
    documents,
    (path) => FolderPath.isMarkdown(path) && !FolderPath.isInHiddenFolder(path) && isWithin(path)
  )
  const reusableContents = claimImportedPaths(
    content.reusableContents,
    (path) => FolderPath.isInclude(path) && isWithin(path)
  )
  const files = claimImportedPaths(content.files, (path) => FolderPath.isFile(path))
  const summary = content.layout === undefined ? claimedPaths.claimIn("", "SUMMARY", ".md") : at(content.layout.summary)
  for (const path of content.passthroughPaths ?? []) claimedPaths.tryClaim(path)
  for (const path of content.reservedPaths ?? []) claimedPaths.tryClaim(path)

  const folders = new Map<string | null, string>([[null, root]])
  for (const { page, pages: children } of pagesInOrder) {
    if (slice.isOver()) yield* slice.pause
    const folder = folders.get(page.parent) ?? root
    const name = SafeName.make(page.slug)
    let pagePath = folder === "" ? name : `${folder}/${name}`
    if (page.type === "document" && !isUnlinked(page)) {
      const path =
        pages.get(page.id) ??
        (children.length > 0 && pagePath.length <= maxFolderLength
          ? claimedPaths.claimIn(folder, name, "/README.md")
          : claimedPaths.claimIn(folder, name, ".md"))
      pages.set(page.id, path)
      pagePath = FolderPath.isReadme(path) ? FolderPath.directory(path) : FolderPath.withoutExtension(path)
    }
    if (children.length === 0) continue
    folders.set(page.id, pagePath === "" || pagePath.length > maxFolderLength ? folder : claimedPaths.folder(pagePath))
  }
  for (const { id, title } of content.reusableContents) {
    if (reusableContents.has(id)) continue
    reusableContents.set(id, claimedPaths.claimIn(at(includes), SafeName.make(Slug.fromTitle(title)), ".md"))
  }
  for (const { id, name } of content.files) {
    if (slice.isOver()) yield* slice.pause
    if (files.has(id)) continue
    const path = SafeName.forFile(name)
    const dot = path.lastIndexOf(".")
    files.set(
      id,
      dot <= 0
        ? claimedPaths.claimIn(at(assets), path, "")
        : claimedPaths.claimIn(at(assets), path.slice(0, dot), path.slice(dot))
    )
  }
  const readme = content.layout?.readme ?? GitbookYaml.defaults.readme
  return { pages, files, reusableContents, root, readme, summary } satisfies ExportPaths
})

/** Yields all nodes of a tree, parents before their children. */
export function* preorder(tree: ReadonlyArray<PageNode>): Generator<PageNode> {
  const pending = tree.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node
    for (let i = node.pages.length - 1; i >= 0; i--) pending.push(node.pages[i]!)
  }
}

/** Returns the path of a file relative to another file. */
export const relativePath = (from: string, to: string): string => {
  const fromFolders = from.split("/").slice(0, -1)
  const names = to.split("/")
  let common = 0
  while (common < fromFolders.length && common < names.length - 1 && fromFolders[common] === names[common]) common++
  return [...fromFolders.slice(common).map(() => ".."), ...names.slice(common)].join("/")
}
