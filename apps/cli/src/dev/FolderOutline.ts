/**
 * A large folder with the title of each page only, so that its tree can be imported in a fraction of the time. The first
 * page is complete. An import of the complete folder afterwards keeps the pages.
 */
import type { Folder, FolderFile, FolderPart } from "@lectern/exchange/import/Folder"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import * as FolderPlan from "@lectern/exchange/import/FolderPlan"
import type { PlannedPage } from "@lectern/exchange/import/PlannedPage"
import { Effect } from "effect"

/** Number of pages up to which a folder is imported at once. */
const maxPages = 100

/** Maximum number of lines before the title of a page. */
const maxLines = 100

/**
 * Returns the folder with the titles of its pages. Undefined for a folder with few pages. `part`: the part with the first
 * page.
 */
export const make = Effect.fnUntraced(function* (folder: Folder, part: FolderPart) {
  if (folder.files.filter(({ path }) => FolderPath.isMarkdown(path)).length <= maxPages) return undefined
  const { pages, summary } = yield* FolderPlan.make({ ...folder, part })
  const firstPage = firstFile(pages)
  const files = folder.files.flatMap((file) => {
    if (!FolderPath.isFile(file.path) && file !== firstPage && !isSummary(file.path, summary)) return [startOf(file)]
    // Pictures take time to read. The site has them after the complete import.
    return FolderPath.isPicture(file.path) ? [] : [file]
  })
  return { ...folder, files } satisfies Folder
})

/** True for the table of contents of the part with the first page, or of another part. */
const isSummary = (path: string, summary: string): boolean =>
  path === summary || FolderPath.baseName(path) === FolderPath.baseName(summary)

const firstFile = (pages: ReadonlyArray<PlannedPage>): FolderFile | undefined => {
  for (const page of pages) {
    const file = page.type === "document" ? page.file : page.type === "group" ? firstFile(page.children) : undefined
    if (file !== undefined) return file
  }
  return undefined
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

const startOf = (file: FolderFile): FolderFile => ({
  path: file.path,
  size: file.size,
  bytes: () =>
    Effect.map(file.bytes(), (bytes) => encoder.encode(titleIn(decoder.decode(bytes.subarray(0, 64 * 1024)))))
})

/**
 * Returns the title of a page as a heading, from the front matter or the first heading. Parses no YAML, which takes
 * long.
 */
const titleIn = (text: string): string => {
  const lines = text.split("\n", maxLines)
  const end = lines[0]?.trim() === "---" ? lines.findIndex((line, i) => i > 0 && line.trim() === "---") : -1
  const titleLine = lines.slice(0, end + 1).find((line) => line.startsWith("title:"))
  if (titleLine !== undefined)
    return `# ${titleLine
      .slice("title:".length)
      .trim()
      .replace(/^(["'])(.*)\1$/, "$2")}\n`
  const heading = lines.find((line, i) => i > end && line.trim() !== "")
  return heading?.startsWith("# ") === true ? `${heading}\n` : ""
}
