/** URLs of the pages of rules in the manual. The package on npm has the manual of its version. */
import { version } from "../Version.ts"
import type { RuleName } from "./LintRules.ts"

/** Folder of the pages in the manual. */
export const ruleFolder = "reference/lint"

export const ruleUrl = (rule: RuleName): string =>
  `https://unpkg.com/@lectern/server@${version}/dist/manual/${ruleFolder}/${rule}.md`
