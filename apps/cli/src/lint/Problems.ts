/** Problems of a folder, for the terminal, for the list on pages, and for `lectern lint`. */
import { join } from "node:path"
import type { FolderReport } from "@lectern/exchange/import/FolderImports"
import type { ImportCache } from "@lectern/exchange/import/ImportCache"
import { markupMessage, markupNames } from "@lectern/exchange/import/ImportReports"
import type { Fix } from "./Fix.ts"
import type { Level } from "./LintRule.ts"
import type { RuleName } from "./LintRules.ts"

export interface Problem {
  readonly path: string
  readonly line?: number
  /** Column of the line, from 1. */
  readonly column?: number
  readonly rule: RuleName
  readonly message: string
  /** Change that mends the problem. Default: only an author can mend it. */
  readonly fix?: Fix
}

/** A problem that is reported. */
export interface LintProblem extends Problem {
  readonly level: Exclude<Level, "off">
}

/** Returns the problems of an import, with the markup that is not converted in each page, in the order of the files. */
export const inReport = (
  { problems, specs }: Pick<FolderReport, "problems" | "specs">,
  pages: ImportCache["pages"]
): ReadonlyArray<Problem> => {
  const missingSpecs = new Set(specs.map(({ spec }) => spec))
  const all = problems.map(({ path, line, column, rule = "not-imported", message }): Problem => ({
    path,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    rule,
    message
  }))
  for (const [path, { findings }] of pages) {
    for (const { kind, count, locations } of findings?.markup ?? []) {
      for (const [i, { line, text }] of locations.entries()) {
        const others =
          i === locations.length - 1 && count > locations.length ? ` (${markupNames[kind][1]}: ${count} in total)` : ""
        const message = markupMessage(kind, text) + others
        all.push({ path, ...(line !== undefined && { line }), rule: `unsupported-${kind}`, message })
      }
    }
    for (const { spec } of findings?.specs ?? []) {
      const message = `The OpenAPI spec "${spec}" does not exist here`
      if (missingSpecs.has(spec)) all.push({ path, rule: "missing-spec", message })
    }
  }
  return all.toSorted(byPosition)
}

/** Returns the problems without duplicates. Parts of a site that share a file report its problems once for each part. */
export const withoutRepeated = <P extends Omit<Problem, "rule">>(problems: ReadonlyArray<P>): ReadonlyArray<P> => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()
]

export const byPosition = (a: Problem, b: Problem): number =>
  a.path === b.path ? (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) : a.path < b.path ? -1 : 1

export const lineOf = ({ path, line, column, message }: Omit<Problem, "rule" | "fix">): string =>
  `${[path, line, column].filter((part) => part !== undefined).join(":")}: ${message}`

/** Default URL that opens a file in an editor: Visual Studio Code. */
export const vscode = "vscode://file{path}:{line}"

/** Returns the URL that opens the file of a problem. `template`: a URL with `{path}` and `{line}`. */
export const editorUrl = (
  template: string,
  folder: string,
  { path, line = 1 }: Pick<Problem, "path" | "line">
): string => {
  const full = join(folder, path).replaceAll("\\", "/")
  const absolute = full.startsWith("/") ? full : `/${full}`
  return template
    .replaceAll("{path}", absolute.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":"))
    .replaceAll("{line}", String(line))
}
