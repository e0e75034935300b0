/** A check of one Markdown file, which reports findings. The findings of an unchanged file are cached. */
import type { FolderPlan } from "@lectern/exchange/import/FolderPlan"
import type { MarkdownFile } from "./MarkdownFile.ts"
import type { Problem } from "./Problems.ts"

/** The folder of a file, whose changes do not invalidate cached findings. */
export type LintFolder = Pick<FolderPlan, "index" | "root" | "variables">

export interface Finding extends Omit<Problem, "path"> {
  /** Returns true if the finding is a problem in this folder. Default: it is a problem in every folder. */
  readonly appliesTo?: (folder: LintFolder) => boolean
}

export type Check = (file: MarkdownFile, report: (finding: Finding) => void) => void
