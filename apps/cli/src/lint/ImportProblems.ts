/**
 * Completes the problems of an import for authors: a problem for each position of a broken link, positions in settings
 * files and in front matter, and fixes. Removes markup that is not a problem, or that a check describes better.
 */
import { decodePercent } from "@lectern/document/PercentEncoding"
import type { FolderPlan } from "@lectern/exchange/import/FolderPlan"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import { Effect } from "effect"
import type { Fix } from "./Fix.ts"
import * as LinkPositions from "./LinkPositions.ts"
import type { MarkdownFile } from "./MarkdownFile.ts"
import type { Problem } from "./Problems.ts"

interface Context {
  readonly plan: FolderPlan
  /** Folder of the documentation (see `DocsFolder`). */
  readonly prefix: string
  readonly fileAt: (path: string) => MarkdownFile | undefined
  /** Problems that checks found. */
  readonly findings: ReadonlyArray<Problem>
}

const decoder = new TextDecoder()

export const complete = Effect.fnUntraced(function* (
  problems: ReadonlyArray<Problem>,
  { fileAt, findings, plan, prefix }: Context
) {
  const filesWithTags = new Set(findings.flatMap(({ path, rule }) => (rule.endsWith("-tag") ? [path] : [])))
  const settings = new Map<string, ReadonlyArray<string>>()
  const result: Array<Problem> = []
  for (const problem of problems) {
    const { line, path, rule } = problem
    const file = fileAt(path)
    if (rule === "broken-link" && file !== undefined) result.push(...brokenLinks(problem, file, plan))
    else if (rule === "unsupported-template" && file !== undefined && filesWithTags.has(path) && isTag(problem, file))
      continue
    else if (rule === "unsupported-jsx" && file !== undefined && isGeneric(problem, file)) continue
    // A page may be in several sidebars.
    else if (rule === "duplicate-page" && /(?:^|\/)sidebars\.\w+$/.test(path)) continue
    else if (rule === "not-imported" && !path.startsWith(prefix)) continue
    else if (rule === "invalid-front-matter") result.push(withYamlPosition(problem))
    else if (line === undefined && /\.(?:ya?ml|json|toml)$/.test(path)) {
      let lines = settings.get(path)
      if (lines === undefined) {
        const settingsFile = plan.index.file(path)
        lines = settingsFile === undefined ? [] : decoder.decode(yield* settingsFile.bytes()).split(/\r\n?|\n/)
        settings.set(path, lines)
      }
      result.push(withSettingsLine(problem, lines))
    } else result.push(problem)
  }
  return result
})

const brokenLinks = (problem: Problem, file: MarkdownFile, plan: FolderPlan): ReadonlyArray<Problem> => {
  const url = problem.message.slice(problem.message.indexOf(": ") + 2)
  const message = isFolder(file.path, url, plan) ? `A link leads to a folder without a page: ${url}` : problem.message
  return LinkPositions.positionsOf(file, url).flatMap(({ column, line }) => {
    if (line !== undefined && isModule(file.lines[line - 1]!, url)) return []
    const fix = line === undefined || column === undefined ? undefined : slashFix(file, url, { line, column }, plan)
    return {
      ...problem,
      message,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      ...(fix !== undefined && { fix })
    }
  })
}

/** Returns true for a URL that a line of MDX imports as a program, which may lack its extension. */
const isModule = (line: string, url: string): boolean => /^(?:import|export)\b/.test(line) && !/\.mdx?$/i.test(url)

/** Returns true if a destination is a folder that contains files. */
const isFolder = (path: string, url: string, { index, root }: FolderPlan): boolean => {
  const target = FolderPath.join(FolderPath.directory(path), decodePercent(url.replace(/[?#].*$/s, "")), root)
  if (target === undefined) return false
  for (const file of index.files) if (file.path.startsWith(`${target}/`)) return true
  return false
}

/** Returns the fix of a destination with `\` between names, if the folder has the file. */
const slashFix = (
  { lines, path }: MarkdownFile,
  url: string,
  { column, line }: { readonly line: number; readonly column: number },
  { index, root }: FolderPlan
): Fix | undefined => {
  if (!url.includes("\\") || !lines[line - 1]!.startsWith(url, column - 1)) return undefined
  const text = url.replaceAll("\\", "/")
  const target = FolderPath.join(FolderPath.directory(path), text.replace(/#.*$/, ""), root)
  const exists = target !== undefined && index.file(target) !== undefined
  return exists ? { line, column, length: url.length, text } : undefined
}

/** Returns true for a tag on a line of its own, which `TagCheck` describes. */
const isTag = ({ message }: Problem, { lines }: MarkdownFile): boolean => {
  const start = message.indexOf(": {%")
  if (start === -1) return false
  const text = message
    .slice(start + 2)
    .replace(/ \([^()]+: \d+ in total\)$/, "")
    .replace(/…$/, "")
  return lines.some((line) => line.replace(/^[\s>*+\-\d.)]*/, "").startsWith(text))
}

/** Returns true for type parameters, such as `List<String>`. All lines are searched if the line is not known. */
const isGeneric = ({ line, message }: Problem, { lines }: MarkdownFile): boolean => {
  const [, element] = /: (<[A-Z][\w.]*)/.exec(message) ?? []
  const unescaped = element === undefined ? undefined : new RegExp(String.raw`(?<!\\)${element}(?![\w.])`)
  const candidates = line !== undefined ? [lines[line - 1]!] : lines.filter((one) => unescaped?.test(one))
  return candidates.length > 0 && candidates.every((one) => /\w<[A-Z]/.test(one) && !/(?:^|[^\w\\])<[A-Z]/.test(one))
}

const yamlPosition = / at line (\d+), column (\d+)(?=\))/

/** Moves the position of an error in front matter, which starts on line 2, from the message to the problem. */
const withYamlPosition = (problem: Problem): Problem => {
  const match = yamlPosition.exec(problem.message)
  return match === null
    ? problem
    : {
        ...problem,
        line: Number(match[1]) + 1,
        column: Number(match[2]),
        message: problem.message.replace(yamlPosition, "")
      }
}

/** Adds the line of a settings file that contains the names in a message. Of several lines, the last one repeats others. */
const withSettingsLine = (problem: Problem, lines: ReadonlyArray<string>): Problem => {
  const [, target] = /(?:there is no|another lists) (\S+?)(?: already)?$/.exec(problem.message) ?? []
  const names = [
    ...(target === undefined ? [] : pathEnds(target)),
    ...(/"([^"]+)"/.exec(problem.message)?.slice(1) ?? [])
  ]
  for (const name of names) {
    const index = lines.findLastIndex((line) => containsName(line, name))
    if (index !== -1) return { ...problem, line: index + 1 }
  }
  return problem
}

/** Returns a path, and the path without its first folders, as settings may name it. */
const pathEnds = (path: string): ReadonlyArray<string> => {
  const parts = path.split("/")
  return parts.map((_, i) => parts.slice(i).join("/"))
}

const containsName = (line: string, name: string): boolean => {
  const at = line.indexOf(name)
  return at !== -1 && !/[\w/-]/.test(line[at - 1] ?? "") && !/[\w-]/.test(line[at + name.length] ?? "")
}
