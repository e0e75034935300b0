/** Writes problems as SARIF 2.1.0, a format that code hosts and editors show. */
import { version } from "../Version.ts"
import { lintRules, ruleNames } from "./LintRules.ts"
import type { LintProblem } from "./Problems.ts"
import { relativePath } from "./RelativePath.ts"
import { rulePage } from "./RulePage.ts"

const schema = "https://json.schemastore.org/sarif-2.1.0.json"

/** SARIF names the level of rules that are off by default `none`. */
const levelNames = { error: "error", warning: "warning", off: "none" } as const

export const serialize = (problems: ReadonlyArray<LintProblem>, folder: string): string =>
  JSON.stringify({
    $schema: schema,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Lectern",
            version,
            rules: ruleNames.map((name) => ({
              id: name,
              shortDescription: { text: lintRules[name].summary },
              help: { text: `See ${rulePage(name)} in the manual of Lectern.` },
              defaultConfiguration: { level: levelNames[lintRules[name].level] }
            }))
          }
        },
        columnKind: "utf16CodeUnits",
        results: problems.map(({ path, line, column, rule, level, message }) => ({
          ruleId: rule,
          ruleIndex: ruleNames.indexOf(rule),
          level,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: relativePath(folder, path).split("/").map(encodeURIComponent).join("/") },
                ...(line !== undefined && {
                  region: { startLine: line, ...(column !== undefined && { startColumn: column }) }
                })
              }
            }
          ]
        }))
      }
    ]
  })
