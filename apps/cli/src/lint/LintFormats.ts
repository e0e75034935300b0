/** Output formats of `lectern lint`. Paths for other programs are relative to the working directory. */
import { styleText } from "node:util"
import type { LintResult } from "./FolderLint.ts"
import * as JUnit from "./JUnit.ts"
import * as Problems from "./Problems.ts"
import { relativePath } from "./RelativePath.ts"
import { rulePage } from "./RulePage.ts"
import * as Sarif from "./Sarif.ts"

/** Returns the text of the result. `folder`: absolute path of the folder. */
type Format = (result: LintResult, folder: string) => string

const countText = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`

const pretty: Format = ({ fixed, pages, problems, unchecked = 0 }) => {
  const warningCount = problems.filter(({ level }) => level === "warning").length
  const counts = [
    countText(problems.length - warningCount, "error"),
    ...(warningCount > 0 ? [countText(warningCount, "warning")] : [])
  ]
  return [
    ...problems.map((problem) => {
      const level = problem.level === "warning" ? "warning, " : ""
      return `${Problems.lineOf(problem)} ${styleText("dim", `(${level}${problem.rule})`)}`
    }),
    ...(unchecked > 0 ? [`${countText(unchecked, "URL")} of other websites not checked`] : []),
    `${counts.join(" and ")} in ${countText(pages, "page")}${fixed > 0 ? `, ${fixed} mended` : ""}`
  ].join("\n")
}

const json: Format = ({ problems, ...result }) =>
  JSON.stringify({
    ...result,
    problems: problems.map(({ fix, ...problem }) => ({
      ...problem,
      isFixable: fix !== undefined,
      rulePage: rulePage(problem.rule)
    }))
  })

const github: Format = ({ problems }, folder) =>
  problems
    .map(({ path, line, column, rule, level, message }) => {
      const properties = { file: relativePath(folder, path), line, col: column, title: rule }
      const list = Object.entries(properties).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${escape(`${value}`).replaceAll(":", "%3A").replaceAll(",", "%2C")}`]
      )
      return `::${level} ${list.join(",")}::${escape(message)}`
    })
    .join("\n")

const escape = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

export const lintFormats = {
  pretty,
  json,
  github,
  sarif: ({ problems }, folder) => Sarif.serialize(problems, folder),
  junit: ({ problems }, folder) => JUnit.serialize(problems, folder)
} satisfies Record<string, Format>

export type FormatName = keyof typeof lintFormats

export const formatNames = Object.keys(lintFormats) as Array<FormatName>
