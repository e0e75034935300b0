/**
 * The manual's pages about the rules of `lectern lint`, generated from their descriptions by `pnpm generate`: one page
 * for each rule, and a list of all rules.
 */
import type { ExampleFolder, Level } from "../apps/cli/src/lint/LintRule.ts"
import { lintRules, type RuleName, ruleNames } from "../apps/cli/src/lint/LintRules.ts"
import { ruleFolder } from "../apps/cli/src/lint/RulePage.ts"

/** Folder of the pages, from the root of the repository. */
export const lintFolder = `docs/${ruleFolder}`

const levelNames: Readonly<Record<Level, string>> = { error: "Error", warning: "Warning", off: "Off" }

/** Returns a text for a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|")

/** Languages of code by the end of a file's name. */
const languages: ReadonlyArray<readonly [ending: string, language: string]> = [
  [".md", "markdown"],
  [".yaml", "yaml"],
  [".svg", "xml"]
]

/** Returns the blocks of an example. Control characters show as their symbols. */
const exampleBlocks = (folder: ExampleFolder): string =>
  Object.entries(folder)
    .map(([path, text]) => {
      const language = languages.find(([ending]) => path.endsWith(ending))?.[1] ?? ""
      const fence = text.includes("```") ? "````" : "```"
      const shown = text.trimEnd().replaceAll("\0", "␀")
      return `{% code title="${path}" %}\n${fence}${language}\n${shown}\n${fence}\n{% endcode %}`
    })
    .join("\n\n")

const makeRulePage = (name: RuleName): string => {
  const { details, fix, level, levelReason, right, summary, wrong } = lintRules[name]
  const levelText = levelReason === undefined ? "" : ` ${levelReason}.`
  const changedLevel = level === "off" ? "error" : "off"
  return `---
description: "${summary.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}."
---

# ${name}

${summary}. ${details}

**Level:** ${levelNames[level]}.${levelText}

**\`--fix\`:** ${fix ?? "There is no change that is certainly right, so you have to decide."}

## Wrong

${exampleBlocks(wrong)}

## Right

${exampleBlocks(right)}

## ${level === "off" ? "Turn it on" : "Turn it off"}

{% code title="lectern.toml" %}
\`\`\`toml
[lint.rules]
${name} = "${changedLevel}"
\`\`\`
{% endcode %}

See [Settings](README.md#settings), and [Hide problems](README.md#hide-problems) for single problems.
`
}

const makeList = (): string => `---
description: The rules of lectern lint, their settings, and comments that hide problems.
---

# Lint rules

[\`lectern lint\`](../../guides/docs-as-code.md#check-a-folder) and [\`lectern dev\`](../../guides/docs-as-code.md) report problems of a folder. Each problem has a rule. The levels here are the defaults: errors let the command fail, warnings don't, and rules that are off report nothing.

| Rule | Problem | Level | \`--fix\` |
| --- | --- | --- | --- |
${ruleNames
  .map((name) => {
    const { fix, level, summary } = lintRules[name]
    return `| [\`${name}\`](${name}.md) | ${cell(summary)} | ${levelNames[level]} | ${fix === undefined ? "" : "Yes"} |`
  })
  .join("\n")}

Rules whose violation keeps readers from what the author wrote are errors. Rules about a page that works, but could be better, are warnings.

## Settings

The section \`lint\` of \`lectern.toml\` sets levels, and files whose problems are not reported:

{% code title="lectern.toml" %}
\`\`\`toml
[lint]
ignore = ["drafts/", "*.generated.md"]

[lint.rules]
missing-alt-text = "error"
skipped-heading-level = "off"
\`\`\`
{% endcode %}

| Setting | Value |
| --- | --- |
| \`ignore\` | Patterns as in \`.gitignore\`, relative to the folder of \`lectern.toml\`. Links to ignored files are still checked |
| \`rules\` | For each rule \`"error"\`, \`"warning"\` or \`"off"\` |

The file is in the checked folder or in a folder above it, up to the folder of the repository (\`.git\`). The nearest file with a section \`lint\` counts. An unknown setting, rule or level is an error. [Settings of a server](../../self-hosting/settings-file.md) can be in the same file.

## Hide problems

A comment hides the problems of the next line. Another hides those of the whole file:

\`\`\`markdown
<!-- lectern-disable-next-line broken-link -->
See [the draft](draft.md).

<!-- lectern-disable-file unlisted-page missing-alt-text -->
\`\`\`

Several rules are separated by spaces or commas. Without a rule, the comment hides all problems. Comments in code hide nothing. A comment that hides no problem is a problem itself: [\`unused-disable\`](unused-disable.md). Problems of settings files can be hidden only in \`lectern.toml\`.
`

/** Returns the sources of the pages by their paths from the root of the repository. */
export const makeLintPages = (): ReadonlyArray<readonly [path: string, source: string]> => [
  [`${lintFolder}/README.md`, makeList()],
  ...ruleNames.map((name) => [`${lintFolder}/${name}.md`, makeRulePage(name)] as const)
]
