/** Finds problems that no single file shows: pages without an entry in the table of contents, and pages with one path. */
import { decodePercent } from "@lectern/document/PercentEncoding"
import type { FolderPlan } from "@lectern/exchange/import/FolderPlan"
import type { ImportedFolder } from "@lectern/exchange/import/ImportCache"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import type { KeyedPage } from "@lectern/exchange/import/KeyedPages"
import { Effect } from "effect"
import type { MarkdownFile } from "./MarkdownFile.ts"
import type { Problem } from "./Problems.ts"

/** Files for readers of the repository, which are usually no pages. */
const repositoryFile =
  /^(?:agents|authors|changelog|changes|claude|code[-_]of[-_]conduct|codeowners|contributing|contributors|copying|gemini|governance|history|license|licence|maintainers|notice|readme|releas(?:e|es|ing)|roadmap|security|support|third[-_]party[-_].*|(?:issue|pull_request)_template)\.(?:mdx?|markdown)$/i

const decoder = new TextDecoder()

/** Matches a line of a navigation that lists a folder, whose pages a plugin adds: `Guide: guide/`, `guide/*.md`, `...`. */
const listedFolder = /(?:^|[\s"'])(\.\.\.|[\w./-]*\/(?:\*\S*)?|\*\S*)["']?[ \t]*$/gm

/** Returns the names of folders that a navigation lists as a whole. Empty for all folders. */
const listedFolders = Effect.fnUntraced(function* ({ index, navigation }: FolderPlan) {
  const folders: Array<string> = []
  for (const path of navigation) {
    const file = /\.ya?ml$/.test(path) ? index.file(path) : undefined
    if (file === undefined) continue
    for (const [, folder = ""] of decoder.decode(yield* file.bytes()).matchAll(listedFolder))
      folders.push(folder.replace(/\*.*$|^\.\.\.$/, "").replace(/^\.?\//, ""))
  }
  return folders
})

export const unlistedPages = Effect.fnUntraced(function* (
  { pages, plan }: ImportedFolder,
  prefix: string,
  fileAt: (path: string) => MarkdownFile | undefined
) {
  const folders = yield* listedFolders(plan)
  // The table of contents may list a page only by positions in it, such as `page.md#part`.
  const linked = new Set(
    pages.flatMap(({ page }) => {
      if (page.type !== "link" || page.line === undefined || !page.url.includes("#")) return []
      const target = decodePercent(page.url.slice(0, page.url.indexOf("#")))
      const path = FolderPath.join(FolderPath.directory(plan.summary), target, plan.root)
      const file = path === undefined ? undefined : plan.index.page(path)
      return file === undefined ? [] : [file.path]
    })
  )
  return pages.flatMap(({ page }): ReadonlyArray<Problem> => {
    if (page.type !== "document" || page.hidden !== true) return []
    const { path } = page.file
    if (
      !path.startsWith(prefix) ||
      linked.has(path) ||
      folders.some((folder) => `/${path}`.includes(`/${folder}`)) ||
      repositoryFile.test(FolderPath.baseName(path)) ||
      isHidden(fileAt(path))
    )
      return []
    return [{ path, rule: "unlisted-page", message: "The table of contents does not list the page, so it is hidden" }]
  })
})

/** True for a page whose front matter states that it is hidden or not finished. */
const isHidden = (file: MarkdownFile | undefined): boolean =>
  /^(?:hidden|draft|unlisted|not_in_nav)\s*:\s*["']?(?:true|yes)\b/m.test(file?.frontMatter ?? "")

export const duplicatePaths = (
  { pages }: ImportedFolder,
  fileAt: (path: string) => MarkdownFile | undefined
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const first = new Map<string, KeyedPage>()
  for (const keyedPage of pages) {
    const { page, parent, slug } = keyedPage
    // A link has no path, and a hidden group only holds unlisted pages.
    if (page.type === "link" || (page.type === "group" && page.hidden === true)) continue
    const position = `${parent?.key ?? ""}\n${slug}`
    const other = first.get(position)
    if (other === undefined) {
      first.set(position, keyedPage)
      continue
    }
    const [otherFile, file] = [other.page, page].map((one) => (one.type === "document" ? one.file.path : undefined))
    const path = file ?? otherFile
    // A field of the front matter may state another path.
    const statesPath = [otherFile, file].some(
      (one) => one !== undefined && /^lectern:/m.test(fileAt(one)?.frontMatter ?? "")
    )
    if (path === undefined || statesPath) continue
    const otherName = file === undefined ? "a group" : (otherFile ?? "a group")
    const message = `The path of the page, ${pathOf(keyedPage)}, is also that of ${otherName}`
    problems.push({ path, rule: "duplicate-path", message })
  }
  return problems
}

const pathOf = ({ parent, slug }: KeyedPage): string => (parent === undefined ? slug : `${pathOf(parent)}/${slug}`)
