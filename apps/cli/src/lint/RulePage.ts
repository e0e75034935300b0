/** Paths of the pages of rules in the manual. */
import type { RuleName } from "./LintRules.ts"

/** Folder of the pages in the manual. */
export const ruleFolder = "reference/lint"

export const rulePage = (rule: RuleName): string => `${ruleFolder}/${rule}.md`
