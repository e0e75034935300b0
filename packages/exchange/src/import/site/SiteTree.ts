/**
 * Arranges the pages of a site as a tree of files. A page is below the page whose path is a prefix of its path. A
 * folder without a page becomes a group. Siblings are in the order in which they were found.
 */
import { decodePercent } from "@lectern/document/PercentEncoding"
import { file, type FolderFile } from "../Folder.ts"
import type { PlannedDocument, PlannedGroup, PlannedPage } from "../PlannedPage.ts"
import { titleOf } from "../FolderTree.ts"

export interface SitePage {
  /** Path within the site, without slashes at its start and end. Empty for the page of the site itself. */
  readonly path: string
  readonly title?: string
  readonly text: string
}

export interface SiteTree {
  readonly pages: ReadonlyArray<PlannedPage>
  /** Files of the pages, in the order of the pages. */
  readonly files: ReadonlyArray<FolderFile>
}

type Parent = PlannedDocument | PlannedGroup

export const make = (sitePages: ReadonlyArray<SitePage>): SiteTree => {
  const usedPaths = new Set<string>()
  const files = sitePages.map(({ path, text }) => file(uniquePath(filePath(path), usedPaths), text))
  const documents = sitePages.map(({ title }, i): PlannedDocument => ({
    type: "document",
    file: files[i]!,
    children: [],
    ...(title !== undefined && { title })
  }))
  const parents = new Map<string, Parent>()
  for (const [i, { path }] of sitePages.entries())
    if (path !== "" && !parents.has(path)) parents.set(path, documents[i]!)

  const top: Array<PlannedPage> = []
  const addedPages = new Set<PlannedPage>()
  /** The list of pages below a path. A path without a page becomes a group. */
  const childrenAt = (path: string): Array<PlannedPage> => {
    if (path === "") return top
    let parent = parents.get(path)
    if (parent === undefined) {
      const name = decodePercent(nameOf(path))
      parent = { type: "group", title: titleOf(name), slug: name, children: [] }
      parents.set(path, parent)
    }
    if (!addedPages.has(parent)) {
      addedPages.add(parent)
      childrenAt(parentPath(path)).push(parent)
    }
    return parent.children as Array<PlannedPage>
  }
  for (const [i, { path }] of sitePages.entries()) {
    const page = documents[i]!
    if (parents.get(path) === page) childrenAt(path)
    else if (!addedPages.has(page)) {
      addedPages.add(page)
      if (path === "") top.unshift(page)
      else childrenAt(parentPath(path)).push(page)
    }
  }
  return { pages: top, files }
}

const parentPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const maxName = 80

/** Returns a path with only names that are valid in any folder. */
const filePath = (path: string): string => {
  if (path === "") return "home.md"
  const names = path.split("/").map((name) =>
    Array.from(decodePercent(name).toWellFormed().normalize("NFC"))
      .filter((one) => one > "\u001f" && !'/\\:*?"<>|'.includes(one))
      .slice(0, maxName)
      .join("")
      .replace(/^\.+|[. ]+$/g, "")
  )
  const last = names.at(-1)!.replace(/\.(?:html?|php|aspx?|jsp|md|markdown)$/i, "")
  return [...names.slice(0, -1), last].map((name) => name || "page").join("/") + ".md"
}

const uniquePath = (path: string, usedPaths: Set<string>): string => {
  let candidate = path
  for (let n = 2; usedPaths.has(candidate.toLowerCase()); n++) candidate = path.replace(/\.md$/, `-${n}.md`)
  usedPaths.add(candidate.toLowerCase())
  return candidate
}
