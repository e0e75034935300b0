/** All rules of `lectern lint`, by name. */
import type { LintRule } from "./LintRule.ts"
import { fileRules } from "./rules/FileRules.ts"
import { linkRules } from "./rules/LinkRules.ts"
import { markupRules } from "./rules/MarkupRules.ts"
import { navigationRules } from "./rules/NavigationRules.ts"

const rulesByTopic = { ...linkRules, ...navigationRules, ...fileRules, ...markupRules }

export type RuleName = keyof typeof rulesByTopic

export const ruleNames = (Object.keys(rulesByTopic) as Array<RuleName>).sort()

export const lintRules: Readonly<Record<RuleName, LintRule>> = rulesByTopic
