/** Describes a rule of `lectern lint`. The manual has a page for each rule, generated from its description. */

/** Level of problems: `error`: the command exits with 1; `warning`: it does not; `off`: they are not reported. */
export type Level = "error" | "warning" | "off"

export const levels: ReadonlyArray<Level> = ["error", "warning", "off"]

/** Texts of files by their paths. */
export type ExampleFolder = Readonly<Record<string, string>>

export interface LintRule {
  /** Sentence about the problem, without a full stop. */
  readonly summary: string
  /** Default level. */
  readonly level: Level
  /** Reason for a level other than `error`. */
  readonly levelReason?: string
  /** Explanation in Markdown. */
  readonly details: string
  /** Folder with one problem of this rule. */
  readonly wrong: ExampleFolder
  /** Folder like `wrong` without a problem. */
  readonly right: ExampleFolder
  /** Change that `--fix` makes. Default: the rule has no fix. */
  readonly fix?: string
}
