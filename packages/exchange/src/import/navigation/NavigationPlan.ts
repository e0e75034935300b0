/**
 * Plans the pages of another program's navigation, in its order. A page with a title in its file keeps this title, and
 * the entry's title becomes its name in navigation. A group whose first entry is a folder's page becomes that page. A
 * page listed more than once keeps only its first position.
 *
 * Limit: 500 folders whose pages are listed.
 */
import type { FolderFile, ImportProblem } from "../Folder.ts"
import type { FolderIndex } from "../FolderIndex.ts"
import * as FolderPath from "../FolderPath.ts"
import type { ImportRule } from "../ImportRules.ts"
import * as PageSource from "../PageSource.ts"
import * as PlannedTree from "../PlannedTree.ts"
import type { PlannedDocument, PlannedGroup, PlannedPage } from "../PlannedPage.ts"
import * as FolderTree from "../FolderTree.ts"
import type { Navigation } from "./Navigation.ts"
import { maxEntries, type NavigationEntry } from "./NavigationEntry.ts"
import type { PageOrder } from "./PageOrder.ts"

interface Options {
  readonly index: FolderIndex
  /** Files that can become pages. */
  readonly markdown: ReadonlySet<FolderFile>
  /** Titles in the files (see `FileTitles`). */
  readonly titles: ReadonlyMap<FolderFile, string>
  readonly problems: Array<ImportProblem>
  /** Paths of pages that are left out. Default: none. */
  readonly omitted: ReadonlySet<string> | undefined
  /** Order of the pages in folders that the navigation lists. */
  readonly order: PageOrder
}

export interface NavigationPlan {
  readonly pages: ReadonlyArray<PlannedPage>
  readonly plannedFiles: Map<FolderFile, PlannedDocument>
}

const maxFolders = 500

/** Returns true if a navigation lists the pages of a folder. */
export const hasFolder = (entries: ReadonlyArray<NavigationEntry>): boolean =>
  entries.some(({ children, folder }) => folder !== undefined || hasFolder(children))

/** Returns the files that a navigation lists. */
export const filesOf = ({ entries }: Navigation, { index, markdown }: Pick<Options, "index" | "markdown">) => {
  const files = new Set<FolderFile>()
  const pending = [entries]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { children, folder, path, title } of next) {
      const ownFile = folder === undefined || title === undefined ? undefined : index.readme(folder)
      const file = path === undefined ? ownFile : index.page(path)
      if (file !== undefined && markdown.has(file)) files.add(file)
      if (children.length > 0) pending.push(children)
    }
  }
  return files
}

export const make = (
  { entries, file: navigationFile }: Navigation,
  { index, markdown, omitted, order, problems, titles }: Options
): NavigationPlan => {
  const report = (rule: ImportRule, message: string) => void problems.push({ path: navigationFile.path, rule, message })
  const plannedFiles = new Map<FolderFile, PlannedDocument>()
  const top: Array<PlannedPage> = []
  const pending: Array<{ readonly entry: NavigationEntry; readonly into: Array<PlannedPage> }> = []
  const push = (levelEntries: ReadonlyArray<NavigationEntry>, into: Array<PlannedPage>) => {
    for (let i = levelEntries.length - 1; i >= 0; i--) pending.push({ entry: levelEntries[i]!, into })
  }
  const pageOf = (path: string): FolderFile | undefined => {
    const file = index.page(path)
    return file !== undefined && markdown.has(file) ? file : undefined
  }
  const document = (path: string, title: string | undefined): PlannedDocument | undefined => {
    const entryText = `The entry "${(title ?? path).slice(0, 80)}"`
    const file = pageOf(path)
    const isOmitted = omitted?.has(index.page(path)?.path ?? "") === true
    if (isOmitted) return undefined
    if (file === undefined) report("missing-page", `${entryText} has no file: there is no ${path.slice(0, 200)}`)
    else if (plannedFiles.has(file))
      report("duplicate-page", `${entryText} is left out: another lists ${file.path} already`)
    else {
      const page: PlannedDocument = { type: "document", file, children: [], ...namesOf(title, titles.get(file)) }
      plannedFiles.set(file, page)
      return page
    }
    return undefined
  }

  push(entries, top)
  let count = 0
  let folderCount = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (++count > maxEntries) {
      report("invalid-navigation", `Of its entries the first ${maxEntries} are read`)
      break
    }
    const { entry, into } = next
    const { children, folder, path, title, url } = entry
    if (folder !== undefined) {
      if (++folderCount > maxFolders) continue
      const files = filesIn(folder, markdown, plannedFiles).filter(({ path }) => order.pages.get(path)?.hidden !== true)
      const own = title === undefined ? undefined : index.readme(folder)
      const ownFile = own !== undefined && files.includes(own) ? own : undefined
      const parent: PlannedDocument | PlannedGroup | undefined =
        title === undefined
          ? undefined
          : ownFile === undefined
            ? { type: "group", title, children: [] }
            : { type: "document", file: ownFile, children: [], ...namesOf(title, titles.get(ownFile)) }
      const pages = FolderTree.make(
        files.filter((file) => file !== ownFile),
        folder,
        false,
        order
      )
      if (parent !== undefined) into.push(parent)
      for (const page of pages) (parent?.children ?? into).push(page)
      for (const page of PlannedTree.documents(parent === undefined ? pages : [parent]))
        plannedFiles.set(page.file, page)
      continue
    }
    if (url !== undefined && children.length === 0) {
      into.push({ type: "link", title: title ?? url, url })
      continue
    }
    if (path !== undefined) {
      const page = document(path, title)
      if (page !== undefined) into.push(page)
      push(children, page?.children ?? into)
      continue
    }
    if (children.length === 0) continue
    const [first, ...others] = children
    const indexFile = first?.path !== undefined && first.title === undefined ? pageOf(first.path) : undefined
    if (indexFile !== undefined && FolderPath.isReadme(indexFile.path) && !plannedFiles.has(indexFile)) {
      const page: PlannedDocument = {
        type: "document",
        file: indexFile,
        children: [],
        ...namesOf(title, titles.get(indexFile))
      }
      plannedFiles.set(indexFile, page)
      into.push(page)
      push([...first!.children, ...others], page.children)
      continue
    }
    const group: PlannedGroup = { type: "group", title: title ?? "Untitled", children: [] }
    into.push(group)
    push(children, group.children)
  }
  return { pages: withoutEmpty(top), plannedFiles }
}

/** Returns the files in a folder that are not planned yet. */
const filesIn = (
  folder: string,
  markdown: ReadonlySet<FolderFile>,
  plannedFiles: ReadonlyMap<FolderFile, PlannedDocument>
): ReadonlyArray<FolderFile> =>
  Array.from(markdown).filter(
    (file) => (folder === "" || file.path.startsWith(`${folder}/`)) && !plannedFiles.has(file)
  )

const namesOf = (
  entry: string | undefined,
  ownTitle: string | undefined
): Pick<PlannedDocument, "title" | "linkTitle"> => {
  if (entry === undefined) return {}
  if (ownTitle === undefined) return { title: entry }
  return PageSource.isSameTitle(entry, ownTitle) ? {} : { linkTitle: PageSource.titleFrom(entry) }
}

/** Returns the pages without empty groups, whose entries have no files. */
const withoutEmpty = (pages: ReadonlyArray<PlannedPage>): ReadonlyArray<PlannedPage> => {
  const all: Array<PlannedPage> = [...pages]
  for (const page of all) if (page.type !== "link") all.push(...page.children)
  const isEmpty = (page: PlannedPage) => page.type === "group" && page.children.length === 0
  for (const page of all.toReversed()) {
    if (page.type === "link" || !page.children.some(isEmpty)) continue
    page.children.splice(0, Infinity, ...page.children.filter((child) => !isEmpty(child)))
  }
  return pages.filter((page) => !isEmpty(page))
}
