/** Transformations of a planned tree, independent of the tree's source. */
import { maxDepth } from "@lectern/core/content/pages/PageTree"
import type { FolderFile, ImportProblem } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"
import * as FolderTree from "./FolderTree.ts"
import type { PlannedDocument, PlannedPage } from "./PlannedPage.ts"

/** Adds pages without an entry, as hidden, below the page of their folder, or at the end. */
export const addUnlisted = (
  top: Array<PlannedPage>,
  markdown: ReadonlyArray<FolderFile>,
  root: string,
  plannedFiles: ReadonlyMap<FolderFile, PlannedDocument>
): void => {
  const owners = new Map<string, PlannedDocument>()
  for (const [file, page] of plannedFiles)
    if (FolderPath.isReadme(file.path)) owners.set(FolderPath.directory(file.path), page)
  const groups = new Map<string, Array<FolderFile>>()
  for (const file of markdown) {
    if (plannedFiles.has(file)) continue
    let folder = FolderPath.directory(file.path)
    while (folder !== root && !owners.has(folder)) folder = FolderPath.directory(folder)
    const group = groups.get(folder)
    if (group === undefined) groups.set(folder, [file])
    else group.push(file)
  }
  for (const [folder, files] of groups) {
    const into = folder === root ? top : owners.get(folder)!.children
    into.push(...FolderTree.make(files, folder, true))
  }
}

/** Yields the pages with files, in no particular order. */
export function* documents(pages: ReadonlyArray<PlannedPage>): Generator<PlannedDocument> {
  const pending = [...pages]
  for (let page = pending.pop(); page !== undefined; page = pending.pop()) {
    if (page.type === "document") yield page
    if (page.type !== "link") for (const child of page.children) pending.push(child)
  }
}

/** Moves pages below the maximum depth of a space up to the last level. */
export const limitDepth = (
  pages: ReadonlyArray<PlannedPage>,
  problems: Array<ImportProblem>
): ReadonlyArray<PlannedPage> => {
  const top: Array<PlannedPage> = []
  const pending: Array<{ readonly page: PlannedPage; readonly into: Array<PlannedPage>; readonly depth: number }> = []
  const push = (children: ReadonlyArray<PlannedPage>, into: Array<PlannedPage>, depth: number) => {
    for (let i = children.length - 1; i >= 0; i--) pending.push({ page: children[i]!, into, depth })
  }
  push(pages, top, 0)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { page, into, depth } = next
    if (page.type === "link") {
      into.push(page)
      continue
    }
    const copy = { ...page, children: [] }
    into.push(copy)
    if (depth < maxDepth) push(page.children, copy.children, depth + 1)
    else {
      if (page.children.length > 0) {
        const path = page.type === "document" ? page.file.path : page.title
        problems.push({ path, message: `What lies below it moves up: pages nest at most ${maxDepth} levels deep` })
      }
      push(page.children, into, depth)
    }
  }
  return top
}

/** Returns the number of pages, groups and links of a tree. */
export const count = (pages: ReadonlyArray<PlannedPage>): number => {
  let total = 0
  const pending: Array<ReadonlyArray<PlannedPage>> = [pages]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    total += next.length
    for (const page of next) if (page.type !== "link") pending.push(page.children)
  }
  return total
}
