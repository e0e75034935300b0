/**
 * The pages of a plan in order, each with the key by which a later import recognizes it. The key of a page is the path
 * of its file. Groups and links have no file: their key consists of the names on their path in the tree.
 */
import { Schema } from "effect"
import { Slug as SlugSchema } from "@lectern/core/content/pages/Page"
import * as Slug from "@lectern/core/content/pages/Slug"
import * as FolderPath from "./FolderPath.ts"
import type { PlannedPage } from "./PlannedPage.ts"

export interface KeyedPage {
  readonly page: PlannedPage
  readonly key: string
  readonly slug: string
  readonly parent: KeyedPage | undefined
}

const isSlug = Schema.is(SlugSchema)

export const keyedPages = (pages: ReadonlyArray<PlannedPage>, root: string): ReadonlyArray<KeyedPage> => {
  const allPages: Array<KeyedPage> = []
  const usedKeys = new Set<string>()
  const pending: Array<{ readonly page: PlannedPage; readonly parent: KeyedPage | undefined }> = []
  const push = (children: ReadonlyArray<PlannedPage>, parent: KeyedPage | undefined) => {
    for (let i = children.length - 1; i >= 0; i--) pending.push({ page: children[i]!, parent })
  }
  push(pages, undefined)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { page, parent } = next
    const slug = slugOf(page, root)
    const key =
      page.type === "document" ? page.file.path : uniqueKey(`${parent?.key ?? ""}#${nameOf(page, slug)}`, usedKeys)
    const keyedPage = { page, key, slug, parent }
    allPages.push(keyedPage)
    if (page.type !== "link") push(page.children, keyedPage)
  }
  return allPages
}

/**
 * Returns the name of a group or link in its key. The prefix distinguishes hidden groups from groups in the table of
 * contents.
 */
const nameOf = (page: PlannedPage, slug: string): string =>
  page.type === "link" ? page.url : "hidden" in page && page.hidden ? `.${slug}` : slug

const uniqueKey = (key: string, usedKeys: Set<string>): string => {
  let candidate = key
  for (let n = 2; usedKeys.has(candidate); n++) candidate = `${key} (${n})`
  usedKeys.add(candidate)
  return candidate
}

/** Returns the slug of a planned page. Slugs are chosen so that the path of a page resembles the path of its file. */
export const slugOf = (page: PlannedPage, root: string): string => {
  if (page.type === "link") return Slug.fromTitle(page.title)
  if (page.type === "group" && isSlug(page.slug)) return page.slug
  if (page.type === "group") {
    return page.slug === undefined ? Slug.fromTitle(page.title) : Slug.fromName(page.slug.replace(notionId, ""))
  }
  return slugOfPath(page.file.path, root)
}

/** Ids that Notion appends to the names of exported files and folders. */
const notionId = /(?<=\S) [0-9a-f]{32}$/

export const slugOfPath = (path: string, root: string): string => {
  const folder = FolderPath.directory(path)
  const name =
    FolderPath.isReadme(path) && folder !== root
      ? FolderPath.baseName(folder)
      : FolderPath.withoutExtension(FolderPath.baseName(path))
  if (FolderPath.isReadme(path) && folder === root) return name.toLowerCase()
  return Slug.fromName(name.replace(notionId, ""))
}
