/**
 * Paths of a content's parts in a folder. Imported parts keep the path they came from, pages made in Lectern
 * have one made of their slugs, and a page with pages below it is the README of a folder.
 *
 * Limits: folders made here are at most 120 characters long, names 80 bytes; what lies deeper goes
 * into the last folder that may be.
 */
import { Effect } from "effect"
import type { ReusableContentEntry } from "../Content.ts"
import type { FileEntry } from "../files/File.ts"
import * as FileFields from "../import/FileFields.ts"
import * as FolderPath from "../import/FolderPath.ts"
import type { PageEntry } from "../pages/Page.ts"
import type { PageNode } from "../pages/PageTree.ts"
import * as Slug from "../pages/Slug.ts"
import { Slice } from "../../storage/Slice.ts"
import { ClaimedPaths, isWritable } from "./ClaimedPaths.ts"
import * as SafeName from "./SafeName.ts"

export interface ExportPaths {
  /** By id. Groups and links have none. */
  readonly pages: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, string>
  readonly reusableContents: ReadonlyMap<string, string>
  readonly summary: string
}

export const configuration = ".gitbook.yaml"
export const variables = ".gitbook/vars.yaml"
const includes = ".gitbook/includes"
const assets = ".gitbook/assets"

const longestFolder = 120

interface Imported {
  readonly id: string
  readonly git?: PageEntry["git"]
}

export interface ExportedContent {
  readonly tree: ReadonlyArray<PageNode>
  readonly files: ReadonlyArray<FileEntry>
  readonly reusableContents: ReadonlyArray<ReusableContentEntry>
  /** Path of the folder's table of contents. Default: `SUMMARY.md`, or beside a page of that name. */
  readonly summary?: string | undefined
}

export const make = Effect.fnUntraced(function* (content: ExportedContent) {
  const slice = yield* Slice.begin
  const claimed = new ClaimedPaths()
  if (content.summary !== undefined) claimed.claim(content.summary)
  for (const path of [configuration, variables, FileFields.path]) claimed.claim(path)
  for (const folder of [includes, assets]) claimed.folder(folder)
  const pagesInOrder = Array.from(inOrder(content.tree))
  const documents = pagesInOrder.flatMap(({ page }) => (page.type === "document" ? [page] : []))

  const kept = (entries: ReadonlyArray<Imported>, isFitting: (path: string) => boolean) => {
    const paths = new Map<string, string>()
    for (const { id, git } of entries) {
      if (git === undefined || !isWritable(git.path) || !isFitting(git.path) || !claimed.tryClaim(git.path)) continue
      paths.set(id, git.path)
    }
    return paths
  }
  const pages = kept(documents, (path) => FolderPath.isMarkdown(path) && !FolderPath.isHidden(path))
  const reusableContents = kept(
    content.reusableContents,
    (path) => FolderPath.isMarkdown(path) && path.startsWith(`${includes}/`)
  )
  const files = kept(content.files, (path) => !FolderPath.isMarkdown(path))
  const summary = content.summary ?? claimed.claimIn("", "SUMMARY", ".md")

  const folders = new Map<string | null, string>([[null, ""]])
  for (const { page, pages: below } of pagesInOrder) {
    if (slice.isOver()) yield* slice.rest
    const folder = folders.get(page.parent) ?? ""
    const name = SafeName.make(page.slug)
    let own = folder === "" ? name : `${folder}/${name}`
    if (page.type === "document") {
      const path =
        pages.get(page.id) ??
        (below.length > 0 && own.length <= longestFolder
          ? claimed.claimIn(folder, name, "/README.md")
          : claimed.claimIn(folder, name, ".md"))
      pages.set(page.id, path)
      own = FolderPath.isReadme(path) ? FolderPath.directory(path) : path.replace(/\.(?:md|markdown)$/i, "")
    }
    if (below.length === 0) continue
    folders.set(page.id, own === "" || own.length > longestFolder ? folder : claimed.folder(own))
  }
  for (const { id, title } of content.reusableContents) {
    if (reusableContents.has(id)) continue
    reusableContents.set(id, claimed.claimIn(includes, SafeName.make(Slug.fromTitle(title)), ".md"))
  }
  for (const { id, name } of content.files) {
    if (slice.isOver()) yield* slice.rest
    if (files.has(id)) continue
    const safe = SafeName.ofFile(name)
    // Markdown among the assets would be read by nobody.
    const path = FolderPath.isMarkdown(safe) ? `${safe}.txt` : safe
    const dot = path.lastIndexOf(".")
    files.set(
      id,
      dot <= 0 ? claimed.claimIn(assets, path, "") : claimed.claimIn(assets, path.slice(0, dot), path.slice(dot))
    )
  }
  return { pages, files, reusableContents, summary } satisfies ExportPaths
})

/** Every node of a tree, those above others first. */
export function* inOrder(tree: ReadonlyArray<PageNode>): Generator<PageNode> {
  const open = tree.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node
    for (let i = node.pages.length - 1; i >= 0; i--) open.push(node.pages[i]!)
  }
}
