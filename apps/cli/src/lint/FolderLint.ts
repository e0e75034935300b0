/**
 * Finds the problems of a folder: those of its import, those of its Markdown files, and those of the folder as a whole.
 * `lectern lint` and `lectern dev` call this module, so their problems and settings are equal.
 *
 * Only changed files are parsed again.
 */
import type { FolderFile } from "@lectern/exchange/import/Folder"
import type { ImportCache } from "@lectern/exchange/import/ImportCache"
import type { FolderPlan } from "@lectern/exchange/import/FolderPlan"
import type { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { Effect, type Layer } from "effect"
import * as FolderSite from "../dev/FolderSite.ts"
import * as AnchorCheck from "./AnchorCheck.ts"
import type { Check, Finding } from "./Check.ts"
import * as BlockEndCheck from "@lectern/document/lint/BlockEndCheck"
import * as ExpressionCheck from "./checks/ExpressionCheck.ts"
import * as FrontMatterCheck from "./checks/FrontMatterCheck.ts"
import * as HeadingCheck from "@lectern/document/lint/HeadingCheck"
import * as PictureCheck from "./checks/PictureCheck.ts"
import * as SpacedLinkCheck from "./checks/SpacedLinkCheck.ts"
import * as TagCheck from "@lectern/document/lint/TagCheck"
import * as DisableComments from "./DisableComments.ts"
import * as DocsFolder from "./DocsFolder.ts"
import * as ExternalLinks from "./ExternalLinks.ts"
import * as FileFixes from "./FileFixes.ts"
import * as FolderChecks from "./FolderChecks.ts"
import * as ImportProblems from "./ImportProblems.ts"
import type { RuleName } from "./LintRules.ts"
import * as LintSettings from "./LintSettings.ts"
import * as MarkdownFile from "./MarkdownFile.ts"
import * as Problems from "./Problems.ts"
import * as SpecFiles from "./SpecFiles.ts"
import * as UnusedFiles from "./UnusedFiles.ts"

export interface LintResult {
  readonly pages: number
  /** Problems, sorted by file and line. */
  readonly problems: ReadonlyArray<Problems.LintProblem>
  /** Number of mended problems. */
  readonly fixed: number
  /** Number of URLs of other websites that were not checked because of limits. Absent without `external`. */
  readonly unchecked?: number
}

export interface LintOptions {
  /** True to mend the problems that have a fix. Default: false. */
  readonly fixes?: boolean
  /** Fetches URLs of other websites. Default: they are not checked. */
  readonly external?: Layer.Layer<GuardedFetch> | undefined
}

type FileAt = (path: string) => MarkdownFile.MarkdownFile | undefined

const checks: ReadonlyArray<Check> = [
  BlockEndCheck.check,
  ExpressionCheck.check,
  FrontMatterCheck.check,
  HeadingCheck.check,
  PictureCheck.check,
  SpacedLinkCheck.check,
  TagCheck.check
]

interface CheckedFile {
  readonly file: MarkdownFile.MarkdownFile
  readonly findings: ReadonlyArray<Finding>
  readonly comments: ReadonlyArray<DisableComments.DisableComment>
}

const checkFile = (path: string, bytes: Uint8Array): CheckedFile => {
  const file = MarkdownFile.parse(path, bytes)
  const findings: Array<Finding> = []
  for (const check of checks) check(file, (finding) => findings.push(withValidFix(finding, file)))
  return { file, findings, comments: DisableComments.find(file) }
}

/** Removes the fix of a finding in a line that the conversion of components changed. */
const withValidFix = ({ fix, ...finding }: Finding, { isFixable }: MarkdownFile.MarkdownFile): Finding =>
  fix === undefined || !isFixable(fix.line) ? finding : { ...finding, fix }

/** Returns a function for the problems of an update of the site. */
export const make = (
  folder: string,
  { brokenAnchors, parts }: Pick<FolderSite.FolderSite, "brokenAnchors" | "parts">
) => {
  const checkedFiles = new WeakMap<FolderFile, CheckedFile>()
  const names: UnusedFiles.NamesCache = new WeakMap()
  const specs: SpecFiles.SpecCache = new WeakMap()

  /** Returns the checked pages, reusable contents and table of contents. */
  const checkFiles = Effect.fnUntraced(function* ({ index, summary }: FolderPlan, pages: ImportCache["pages"]) {
    const files = new Map<string, CheckedFile>()
    for (const file of index.files) {
      if (!pages.has(file.path) && file.path !== summary) continue
      let checked = checkedFiles.get(file)
      if (checked === undefined) {
        checked = checkFile(file.path, yield* file.bytes())
        checkedFiles.set(file, checked)
        yield* Effect.yieldNow
      }
      files.set(file.path, checked)
    }
    return files
  })

  /**
   * Fails if the settings can't be read. `findMore`: finds problems that the update does not know, such as those of links
   * to other websites.
   */
  return Effect.fnUntraced(function* <E = never, R = never>(
    { problems: importProblems }: Pick<FolderSite.Update, "problems">,
    findMore?: (fileAt: FileAt) => Effect.Effect<ReadonlyArray<Problems.Problem>, E, R>
  ) {
    const { isIgnored, levelOf } = yield* LintSettings.read(folder)
    const importedParts = parts().flatMap(({ cache: { folder: imported, pages } }) =>
      imported === undefined ? [] : [{ imported, pages, prefix: DocsFolder.prefixOf(imported) }]
    )
    const used = new Set(importedParts.flatMap(({ imported, pages }) => [...UnusedFiles.usedPaths(imported, pages)]))
    const files = new Map<string, CheckedFile>()
    const fileAt: FileAt = (path) => files.get(path)?.file
    const problems: Array<Problems.Problem> = []
    for (const { imported, pages } of importedParts)
      for (const [path, file] of yield* checkFiles(imported.plan, pages)) files.set(path, file)
    for (const { imported, pages, prefix } of importedParts) {
      const { plan } = imported
      const findings = Array.from(files).flatMap(([path, { findings }]) =>
        // The table of contents is no page.
        path === plan.summary || !pages.has(path)
          ? []
          : findings.flatMap(({ appliesTo, ...finding }): ReadonlyArray<Problems.Problem> =>
              appliesTo === undefined || appliesTo(plan) ? [{ path, ...finding }] : []
            )
      )
      // A problem of a page is completed with the plan of its part. Other problems have the first plan.
      const isOfPart = ({ path }: Problems.Problem) =>
        pages.has(path) ||
        (imported === importedParts[0]?.imported && !importedParts.some((one) => one.pages.has(path)))
      problems.push(
        ...(yield* ImportProblems.complete(importProblems.filter(isOfPart), { findings, fileAt, plan, prefix })),
        ...findings,
        ...(yield* FolderChecks.unlistedPages(imported, prefix, fileAt)),
        ...FolderChecks.duplicatePaths(imported, fileAt),
        ...(yield* UnusedFiles.find(imported, { folder, prefix, used, cache: names })),
        ...(yield* SpecFiles.check(plan, prefix, specs))
      )
    }
    problems.push(
      ...AnchorCheck.check(yield* brokenAnchors, fileAt),
      ...(findMore === undefined ? [] : yield* findMore(fileAt))
    )
    const comments = new Map(Array.from(files, ([path, { comments }]) => [path, comments]))
    const isReported = (rule: RuleName) =>
      levelOf(rule) !== "off" && (rule !== "broken-external-link" || findMore !== undefined)
    return DisableComments.apply(Problems.withoutRepeated(problems), comments, isReported)
      .flatMap((problem): ReadonlyArray<Problems.LintProblem> => {
        const level = levelOf(problem.rule)
        return level === "off" || isIgnored(problem.path) ? [] : [{ ...problem, level }]
      })
      .toSorted(Problems.byPosition)
  })
}

/** Maximum number of times that files are read again after their problems were mended. */
const maxFixRuns = 10

/** Fails if the folder or the settings can't be read, or if the folder exceeds the limits of an import. */
export const run = Effect.fnUntraced(
  function* (folder: string, { external, fixes = false }: LintOptions = {}) {
    const site = yield* FolderSite.make({ folder })
    const problemsOf = make(folder, site)
    let update = yield* site.update
    let problems = yield* problemsOf(update)
    let fixed = 0
    for (let remainingRuns = fixes ? maxFixRuns : 0; remainingRuns > 0; remainingRuns--) {
      const count = yield* FileFixes.write(folder, problems)
      if (count === 0) break
      fixed += count
      update = yield* site.update
      problems = yield* problemsOf(update)
    }
    const { pages } = update
    if (external === undefined) return { pages, problems, fixed } satisfies LintResult
    let unchecked = 0
    const findExternal = Effect.fnUntraced(function* (fileAt: FileAt) {
      const links = yield* ExternalLinks.check(new Map(site.parts().flatMap(({ cache }) => [...cache.pages])), fileAt)
      unchecked = links.unchecked
      return links.problems
    }, Effect.provide(external))
    return { pages, problems: yield* problemsOf(update, findExternal), fixed, unchecked } satisfies LintResult
  },
  Effect.provide(FolderSite.layer),
  Effect.scoped
)
