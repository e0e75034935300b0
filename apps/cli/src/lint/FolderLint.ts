/**
 * Finds the problems of a folder: those of its import, those of its Markdown files, and those of the folder as a whole.
 * `lectern lint` and `lectern dev` report the same problems, by the same settings.
 *
 * Only changed files are parsed again.
 */
import type { FolderFile } from "@lectern/exchange/import/Folder"
import type { FolderPlan } from "@lectern/exchange/import/FolderPlan"
import { Effect } from "effect"
import * as FolderSite from "../dev/FolderSite.ts"
import * as AnchorCheck from "./AnchorCheck.ts"
import type { Check, Finding } from "./Check.ts"
import * as BlockEndCheck from "./checks/BlockEndCheck.ts"
import * as ExpressionCheck from "./checks/ExpressionCheck.ts"
import * as FrontMatterCheck from "./checks/FrontMatterCheck.ts"
import * as HeadingCheck from "./checks/HeadingCheck.ts"
import * as PictureCheck from "./checks/PictureCheck.ts"
import * as SpacedLinkCheck from "./checks/SpacedLinkCheck.ts"
import * as TagCheck from "./checks/TagCheck.ts"
import * as DisableComments from "./DisableComments.ts"
import * as FolderChecks from "./FolderChecks.ts"
import * as ImportProblems from "./ImportProblems.ts"
import * as LintSettings from "./LintSettings.ts"
import * as MarkdownFile from "./MarkdownFile.ts"
import * as Problems from "./Problems.ts"
import * as SpecFiles from "./SpecFiles.ts"
import * as UnusedFiles from "./UnusedFiles.ts"

export interface LintResult {
  readonly pages: number
  /** Problems, sorted by file and line. */
  readonly problems: ReadonlyArray<Problems.LintProblem>
}

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
  for (const check of checks) check(file, (finding) => findings.push(finding))
  return { file, findings, comments: DisableComments.find(file) }
}

/** Returns a function for the problems of an update of the site. Fails if the settings can't be read. */
export const make = Effect.fnUntraced(function* (folder: string, { brokenAnchors, cache }: FolderSite.FolderSite) {
  const { isIgnored, levelOf } = yield* LintSettings.read(folder)
  const checkedFiles = new WeakMap<FolderFile, CheckedFile>()
  const names: UnusedFiles.NamesCache = new WeakMap()
  const specs: SpecFiles.SpecCache = new WeakMap()

  /** Returns the checked pages, reusable contents and table of contents. */
  const checkFiles = Effect.fnUntraced(function* ({ index, summary }: FolderPlan) {
    const files = new Map<string, CheckedFile>()
    for (const file of index.files) {
      if (!cache.pages.has(file.path) && file.path !== summary) continue
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

  return Effect.fnUntraced(function* ({ problems: importProblems }: Pick<FolderSite.Update, "problems">) {
    const { folder: imported, pages } = cache
    if (imported === undefined) return []
    const { plan } = imported
    const files = yield* checkFiles(plan)
    const fileAt = (path: string) => files.get(path)?.file
    const findings = Array.from(files).flatMap(([path, { findings }]) =>
      // The table of contents is no page.
      path === plan.summary
        ? []
        : findings.flatMap(({ appliesTo, ...finding }): ReadonlyArray<Problems.Problem> =>
            appliesTo === undefined || appliesTo(plan) ? [{ path, ...finding }] : []
          )
    )
    const problems = [
      ...(yield* ImportProblems.complete(importProblems, { findings, fileAt, plan })),
      ...findings,
      ...AnchorCheck.check(yield* brokenAnchors, fileAt),
      ...FolderChecks.unlistedPages(imported, fileAt),
      ...FolderChecks.duplicatePaths(imported, fileAt),
      ...(yield* UnusedFiles.find(imported, pages, names)),
      ...(yield* SpecFiles.check(plan, specs))
    ]
    const comments = new Map(Array.from(files, ([path, { comments }]) => [path, comments]))
    return DisableComments.apply(problems, comments, (rule) => levelOf(rule) !== "off")
      .flatMap((problem): ReadonlyArray<Problems.LintProblem> => {
        const level = levelOf(problem.rule)
        return level === "off" || isIgnored(problem.path) ? [] : [{ ...problem, level }]
      })
      .toSorted(Problems.byPosition)
  })
})

/** Fails if the folder or the settings can't be read, or if the folder exceeds the limits of an import. */
export const run = Effect.fnUntraced(
  function* (folder: string) {
    const site = yield* FolderSite.make({ folder })
    const problemsOf = yield* make(folder, site)
    const update = yield* site.update
    return { pages: update.pages, problems: yield* problemsOf(update) } satisfies LintResult
  },
  Effect.provide(FolderSite.layer),
  Effect.scoped
)
