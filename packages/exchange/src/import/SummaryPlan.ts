/**
 * Tree of pages by a table of contents, `SUMMARY.md`. Markdown files without an entry become hidden pages at the end. The
 * README is the first page, also without an entry.
 */
import { Effect } from "effect"
import { decodePercent } from "@lectern/document/PercentEncoding"
import { Slice } from "@lectern/core/storage/Slice"
import { type Folder, type FolderFile, FolderTooLarge, type ImportProblem } from "./Folder.ts"
import type { FolderIndex } from "./FolderIndex.ts"
import * as FolderPath from "./FolderPath.ts"
import type { ImportRule } from "./ImportRules.ts"
import * as PageSource from "./PageSource.ts"
import type { PlannedDocument, PlannedGroup, PlannedPage } from "./PlannedPage.ts"
import * as PlannedTree from "./PlannedTree.ts"
import * as Summary from "./Summary.ts"

const decoder = new TextDecoder()

/** Returns the pages, and the line numbers of entries that result in no page. */
export const make = Effect.fnUntraced(function* (
  contents: FolderFile,
  markdown: ReadonlyArray<FolderFile>,
  {
    root,
    readme,
    index,
    problems,
    folder
  }: {
    readonly root: string
    readonly readme: string
    readonly index: FolderIndex
    readonly problems: Array<ImportProblem>
    readonly folder: Folder
  }
) {
  const report = (line: number, rule: ImportRule, message: string) =>
    void problems.push({ path: contents.path, line, rule, message })
  if (contents.size > Summary.maxLength) {
    return yield* new FolderTooLarge({
      message: `${contents.path} is larger than ${Summary.maxLength / 1024 / 1024} MiB`
    })
  }
  const summary = yield* Summary.parse(decoder.decode(yield* contents.bytes()))
  for (const { line, message } of summary.problems) report(line, "invalid-navigation", message)

  const summaryFolder = FolderPath.directory(contents.path)
  const plannedByFile = new Map<FolderFile, { readonly page: PlannedDocument; readonly line: number }>()

  const fileAt = (entryPath: string): FolderFile | undefined => {
    const path = FolderPath.join(summaryFolder, entryPath, root)
    const file = path === undefined ? undefined : index.page(path)
    return file === undefined ||
      FolderPath.isInHiddenFolder(file.path.slice(root.length)) ||
      folder.part?.excluded.some((excluded) => file.path.startsWith(`${excluded}/`)) === true
      ? undefined
      : file
  }

  const document = (entry: Summary.SummaryPage): PlannedDocument | undefined => {
    const file = fileAt(entry.path)
    if (file !== undefined && folder.omitted?.has(file.path) === true) return undefined
    if (file === undefined || file === contents) {
      report(
        entry.line,
        "missing-page",
        `The entry "${entry.title.slice(0, 80)}" has no file: there is no ${entry.path.slice(0, 200)}`
      )
      return undefined
    }
    const before = plannedByFile.get(file)
    if (before !== undefined) {
      report(
        entry.line,
        "duplicate-page",
        `The entry "${entry.title.slice(0, 80)}" is left out: line ${before.line} lists ${file.path} already`
      )
      return undefined
    }
    const { title, label, line } = entry
    const linkTitle = label === undefined ? {} : { linkTitle: PageSource.titleFrom(label) }
    const page: PlannedDocument = { type: "document", file, title, line, children: [], ...linkTitle }
    plannedByFile.set(file, { page, line: entry.line })
    return page
  }

  const top: Array<PlannedPage> = []
  const pending: Array<{ readonly entry: Summary.SummaryEntry; readonly into: Array<PlannedPage> }> = []
  const push = (entries: ReadonlyArray<Summary.SummaryEntry>, into: Array<PlannedPage>) => {
    for (let i = entries.length - 1; i >= 0; i--) pending.push({ entry: entries[i]!, into })
  }
  push(summary.entries, top)
  const skippedLines: Array<number> = []
  const slice = yield* Slice.start
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (slice.isOver()) yield* slice.pause
    const { entry, into } = next
    const before = into.length
    if (entry.type === "link") {
      const { title, url, line, fields } = entry
      if (entry.isPageAnchor === true && fileAt(decodePercent(url.slice(0, url.indexOf("#")))) === undefined) {
        report(
          line,
          "missing-page",
          `The entry "${title.slice(0, 80)}" leads into no page: there is no ${url.slice(0, 200)}`
        )
      } else into.push({ type: "link", title, url, line, ...(fields !== undefined && { fields }) })
    } else if (entry.type === "group") {
      if (entry.children.length === 0 && entry.isListed !== true) {
        skippedLines.push(entry.line)
        continue
      }
      const group: PlannedGroup = {
        type: "group",
        title: entry.title,
        line: entry.line,
        children: [],
        ...(entry.slug !== undefined && { slug: entry.slug }),
        ...(entry.fields !== undefined && { fields: entry.fields })
      }
      into.push(group)
      push(entry.children, group.children)
    } else {
      const page = document(entry)
      if (page !== undefined) into.push(page)
      push(entry.children, page?.children ?? into)
    }
    if (into.length === before) skippedLines.push(entry.line)
  }

  const first = index.page(root === "" ? readme : `${root}/${readme}`)
  if (first !== undefined && !plannedByFile.has(first) && markdown.includes(first)) {
    const page: PlannedDocument = { type: "document", file: first, children: [] }
    plannedByFile.set(first, { page, line: 0 })
    top.unshift(page)
  }
  yield* Effect.yieldNow
  PlannedTree.addUnlisted(top, markdown, root, new Map(Array.from(plannedByFile, ([file, { page }]) => [file, page])))
  return { pages: top, skippedLines: skippedLines.sort((a, b) => a - b) }
})
