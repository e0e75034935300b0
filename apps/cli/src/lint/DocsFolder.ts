/**
 * The folder with the pages of a documentation, if a table of contents lists them. Other files of a repository, such as
 * its tests, are outside of it. Rules about files that are not pages concern only this folder.
 */
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import type { ImportedFolder } from "@lectern/exchange/import/ImportCache"

/** Returns the path of the folder with `/` at its end. Empty for the whole folder. */
export const prefixOf = ({ pages, plan }: Pick<ImportedFolder, "pages" | "plan">): string => {
  if (plan.root !== "") return `${plan.root}/`
  const folderOf = (path: string) => (FolderPath.directory(path) === "" ? "" : `${FolderPath.directory(path)}/`)
  if (plan.index.file(plan.summary) !== undefined) return folderOf(plan.summary)
  // Without a table of contents, all pages are listed.
  if (!pages.some(({ page }) => page.type === "document" && page.hidden === true)) return ""
  let prefix: string | undefined
  for (const { page } of pages) {
    if (page.type !== "document" || page.hidden === true) continue
    const start = folderOf(page.file.path)
    // The README of a repository is always listed.
    if (start === "" && FolderPath.isReadme(page.file.path)) continue
    prefix = prefix === undefined ? start : commonFolder(prefix, start)
  }
  return prefix ?? ""
}

const commonFolder = (one: string, other: string): string => {
  const names = one.split("/")
  const otherNames = other.split("/")
  const length = names.findIndex((name, i) => name !== otherNames[i])
  return length === -1
    ? one
    : names
        .slice(0, length)
        .map((name) => `${name}/`)
        .join("")
}
