/**
 * Applies the plan of a folder to a content. Pages and files of earlier imports are recognized by their path. Renamed
 * files are recognized by their content (see `RenamedPages`).
 *
 * Pages of unchanged files stay unchanged, including edits made in Lectern. A changed file replaces the document of its
 * page, and equal blocks keep their keys. Pages of removed files are removed. Titles and positions follow the table of
 * contents if it changed.
 */
import type { GuessedLanguage } from "./LanguageGuess.ts"
import { Effect } from "effect"
import type { Ids } from "@lectern/core/identity/Ids"
import type { Hasher } from "@lectern/core/storage/Hasher"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { Content } from "@lectern/core/content/Content"
import * as Text from "@lectern/document/Text"
import type { FolderTooLarge, FolderUnreadable, ImportProblem } from "./Folder.ts"
import * as ImportedFiles from "./ImportedFiles.ts"
import * as ImportedPages from "./ImportedPages.ts"
import * as ImportRun from "./ImportRun.ts"
import type { ImportCounts } from "./ImportReports.ts"
import type { Markup, MissingSpec } from "@lectern/core/exchange/ImportReport"
import type { KeyedPage } from "./KeyedPages.ts"
import { relinkUnchanged } from "./RelinkPages.ts"

export interface ImportReport {
  /** Paths of added pages, files and reusable contents. */
  readonly added: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly unchanged: ReadonlyArray<string>
  readonly problems: ReadonlyArray<ImportProblem>
  readonly counts: ImportCounts
  readonly markup: ReadonlyArray<Markup>
  /** All specs that blocks reference, whether or not they are in the organization. */
  readonly specs: ReadonlyArray<MissingSpec>
  /** Guessed languages of the imported text; absent if no language was guessed. */
  readonly languages?: ReadonlyArray<GuessedLanguage>
}

export interface FolderImportResult {
  readonly content: Content
  readonly report: ImportReport
  /** Hash of the titles and positions in the imported tree (see `outlineOf`). */
  readonly outline: string
  /** Ids of the pages by the paths of their files. */
  readonly pageIds: ReadonlyMap<string, string>
}

/**
 * Returns a hash of the titles and positions in a tree. An equal hash at the next import means that the table of
 * contents did not change.
 */
export const outlineOf = (hasher: Pick<Hasher["Service"], "sha256">, pages: ReadonlyArray<KeyedPage>): string =>
  hasher.sha256(
    JSON.stringify(
      pages.map(({ page, key, parent }) => [
        key,
        parent?.key,
        "title" in page ? page.title : undefined,
        "linkTitle" in page ? page.linkTitle : undefined
      ])
    )
  )

/** Limits of the report on broken links: number of pages, links for each page, and characters of a link. */
const maxPages = 1_000
const maxLinks = 3
const maxLink = 200

/** Returns a problem for each page with broken links, or with a cache for each broken link. */
const brokenLinkProblems = ({ brokenLinks, cache }: ImportRun.ImportRun): ReadonlyArray<ImportProblem> =>
  Array.from(brokenLinks.entries().take(maxPages)).flatMap(([path, positions]) => {
    const urls = Array.from(positions.keys(), (url) => Text.truncate(url, maxLink))
    const one = "A link leads to nothing in the folder"
    if (cache !== undefined) {
      return Array.from(positions.values(), (position, i) => ({
        path,
        ...position,
        rule: "broken-link" as const,
        message: `${one}: ${urls[i]}`
      }))
    }
    const sentence = urls.length === 1 ? one : "Links lead to nothing in the folder"
    const ellipsis = urls.length > maxLinks ? " …" : ""
    return [{ path, message: `${sentence}: ${urls.slice(0, maxLinks).join(", ")}${ellipsis}` }]
  })

/** Adds the findings of pages that this import did not read to its report. */
const addCachedFindings = (run: ImportRun.ImportRun): void => {
  const { brokenLinks, cache, contentIds, findings, pageIds, problems, readPaths } = run
  for (const [path, page] of cache?.pages ?? []) {
    if (!pageIds.has(path) && !contentIds.has(path)) cache?.pages.delete(path)
    else if (!readPaths.has(path)) {
      problems.push(...page.problems)
      if (page.findings !== undefined) findings.add(path, page.findings)
      if (page.brokenLinks.size > 0) brokenLinks.set(path, page.brokenLinks)
    }
  }
}

export const apply = Effect.fnUntraced(function* (
  options: ImportRun.ImportOptions
): Effect.fn.Return<FolderImportResult, FolderTooLarge | FolderUnreadable | StorageError, Ids | Hasher> {
  const run = yield* ImportRun.make(options)
  const { editor, hasher, pages } = run
  const outline = outlineOf(hasher, pages)
  const isNewOutline = outline !== options.outline
  for (const page of pages) {
    yield* ImportedPages.importPage(run, page, isNewOutline)
    yield* run.progress(page.key)
  }
  if (isNewOutline) yield* ImportedPages.arrange(run)
  yield* ImportedPages.removeDeleted(run)
  yield* ImportedPages.assignPendingSlugs(run)
  yield* relinkUnchanged(run)
  // Reusable contents are imported before files, since they refer to files too.
  yield* ImportedFiles.importReusableContents(run)
  yield* ImportedFiles.importFiles(run)
  yield* ImportedFiles.importVariables(run)
  yield* ImportedFiles.importRedirects(run)
  yield* ImportedFiles.importPassthroughFiles(run)
  addCachedFindings(run)
  run.problems.push(...brokenLinkProblems(run))

  const language = yield* run.language.guess
  const sortPaths = (paths: ReadonlySet<string>) => [...paths].sort((a, b) => (a < b ? -1 : 1))
  return {
    content: yield* editor.finish,
    outline,
    pageIds: run.pageIds,
    report: {
      added: sortPaths(run.added),
      changed: sortPaths(run.changed),
      removed: sortPaths(run.removed),
      unchanged: sortPaths(run.unchanged),
      problems: run.problems,
      counts: countsOf(run),
      markup: run.findings.markup,
      specs: run.findings.specs,
      ...(language !== undefined && language !== "en" && { languages: [{ language, pages: run.language.pages }] })
    }
  } satisfies FolderImportResult
})

const countsOf = ({ added, changed, pages, plan, unchanged }: ImportRun.ImportRun): ImportCounts => {
  const documents = new Set(pages.flatMap(({ key, page }) => (page.type === "document" ? [key] : [])))
  const contentPaths = new Set(plan.reusableContents.map(({ path }) => path))
  const all = [added, changed, unchanged].flatMap((paths) => [...paths])
  return {
    pages: documents.size,
    files: all.filter((path) => !documents.has(path) && !contentPaths.has(path)).length,
    reusableContents: all.filter((path) => contentPaths.has(path)).length
  }
}
