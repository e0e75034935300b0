/**
 * Makes the tree of pages from the folders. A folder becomes its README, or else the sibling page of its name, or else
 * a group. README and index come first, then pages with a position, in that order (see `PageOrder`). The others follow
 * by the leading number of the name, then by name.
 */
import type { FolderFile } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"
import { noOrder, type PageOrder } from "./navigation/PageOrder.ts"
import type { PlannedDocument, PlannedGroup, PlannedPage } from "./PlannedPage.ts"

type Parent = PlannedDocument | PlannedGroup

interface NamedPage {
  readonly name: string
  readonly page: PlannedPage
  readonly position: number | undefined
}

/** Returns the tree of pages. `hidden`: true for pages that are only link targets and are not listed. */
export const make = (
  files: ReadonlyArray<FolderFile>,
  base: string,
  hidden: boolean,
  order: PageOrder = noOrder
): ReadonlyArray<PlannedPage> => {
  const top: Array<NamedPage> = []
  const folders = new Map<string, Parent>()
  const childrenByParent = new Map<Parent, Array<NamedPage>>()
  const readmes = new Map<string, FolderFile>()
  const byPath = new Map<string, FolderFile>()
  for (const file of files) {
    const folder = FolderPath.directory(file.path)
    byPath.set(file.path, file)
    // README takes precedence over index, independent of the order of the files.
    if (FolderPath.isReadme(file.path) && !/^readme/i.test(FolderPath.baseName(readmes.get(folder)?.path ?? ""))) {
      readmes.set(folder, file)
    }
  }

  /** Returns the file that becomes the page of a folder. */
  const fileOf = (folder: string): FolderFile | undefined => {
    const siblingPage = [".md", ".markdown", ".mdx"]
      .map((extension) => byPath.get(folder + extension))
      .find((file) => file)
    return (
      readmes.get(folder) ??
      (siblingPage === undefined || FolderPath.isReadme(siblingPage.path) ? undefined : siblingPage)
    )
  }

  const document = (file: FolderFile, folder?: string): PlannedDocument => {
    const label = order.pages.get(file.path)?.label ?? (folder && order.folders.get(folder)?.label)
    return {
      type: "document",
      file,
      children: [],
      ...(label !== undefined && { linkTitle: label }),
      ...(hidden && { hidden })
    }
  }

  const folderPages = new Set<FolderFile>()
  const addFolder = (folder: string): void => {
    if (folder === base || folders.has(folder)) return
    const missingFolders = [folder]
    for (
      let parentFolder = FolderPath.directory(folder);
      parentFolder !== base && !folders.has(parentFolder);
      parentFolder = FolderPath.directory(parentFolder)
    ) {
      missingFolders.push(parentFolder)
    }
    for (const path of missingFolders.reverse()) {
      const ownFile = fileOf(path)
      if (ownFile !== undefined) folderPages.add(ownFile)
      const name = FolderPath.baseName(path)
      const page: Parent =
        ownFile !== undefined
          ? document(ownFile, path)
          : {
              type: "group",
              title: order.folders.get(path)?.label ?? titleOf(name),
              slug: name,
              children: [],
              ...(hidden && { hidden })
            }
      folders.set(path, page)
      childrenByParent.set(page, [])
      const parentFolder = FolderPath.directory(path)
      ;(parentFolder === base ? top : childrenByParent.get(folders.get(parentFolder)!)!).push({
        name,
        page,
        position: order.folders.get(path)?.position ?? (ownFile && order.pages.get(ownFile.path)?.position)
      })
    }
  }

  for (const { path } of files) addFolder(FolderPath.directory(path))
  for (const file of files) {
    if (folderPages.has(file)) continue
    const folder = FolderPath.directory(file.path)
    const siblings = folder === base ? top : childrenByParent.get(folders.get(folder)!)!
    siblings.push({
      name: FolderPath.baseName(file.path),
      page: document(file),
      position: order.pages.get(file.path)?.position
    })
  }
  for (const [page, named] of childrenByParent) page.children.push(...sortPages(named))
  return sortPages(top)
}

const sortPages = (named: ReadonlyArray<NamedPage>): Array<PlannedPage> =>
  [...named]
    .sort(
      (a, b) =>
        rank(a.name) - rank(b.name) ||
        compareNumbers(a.position, b.position) ||
        compareNumbers(leadingNumber(a.name), leadingNumber(b.name)) ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
    )
    .map(({ page }) => page)

/** Returns the leading number of a name: `10-last` comes after `9-more`. */
const leadingNumber = (name: string): number | undefined => {
  const digits = /^\d{1,9}(?!\d)/.exec(name)?.[0]
  return digits === undefined ? undefined : Number(digits)
}

const compareNumbers = (a = Infinity, b = Infinity): number => (a === b ? 0 : a - b)

const rank = (name: string): number => (FolderPath.isReadme(name) ? 0 : 1)

/**
 * Returns the name of a file or folder as a title: `getting-started` becomes "Getting started". A name with spaces is
 * already a title and keeps its hyphens, such as `17 - B-tree`.
 */
export const titleOf = (name: string): string => {
  const baseName = FolderPath.withoutExtension(name).trim()
  const words = baseName.replace(/\s/.test(baseName) ? /\s+/g : /[-_]+/g, " ").trim()
  return words === "" ? name : words[0]!.toUpperCase() + words.slice(1)
}
