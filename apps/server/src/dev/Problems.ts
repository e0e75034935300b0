/** Problems of a folder, for the terminal and for the list on pages. */
import { join } from "node:path"
import type { FolderReport } from "@lectern/exchange/import/FolderImports"
import { markupNames } from "@lectern/exchange/import/ImportReports"

export interface Problem {
  /** Path of the file. "": the problem concerns no file. */
  readonly path: string
  readonly line?: number
  readonly message: string
}

/** Returns the problems of an import, with the markup that stayed text, in the order of the files. */
export const inReport = ({ problems, markup, specs }: FolderReport): ReadonlyArray<Problem> => {
  const all: ReadonlyArray<Problem> = [
    ...problems.map(({ path, line, message }) => ({ path, message, ...(line !== undefined && { line }) })),
    ...markup.flatMap(({ kind, count, places }) => {
      const [name, names] = markupNames[kind]
      return places.map(({ path, line, text }, i) => {
        const others = i === places.length - 1 && count > places.length ? ` (${names}: ${count} in total)` : ""
        return { path, message: `The ${name} stays text: ${text}${others}`, ...(line !== undefined && { line }) }
      })
    }),
    ...specs.map(({ spec }) => ({
      path: "",
      message: `Pages name the OpenAPI spec "${spec}", which does not exist here`
    }))
  ]
  return all.toSorted((a, b) => (a.path === b.path ? (a.line ?? 0) - (b.line ?? 0) : a.path < b.path ? -1 : 1))
}

const locationOf = ({ path, line }: Problem): string => (line === undefined ? path : `${path}:${line}`)

export const lineOf = (problem: Problem): string =>
  problem.path === "" ? problem.message : `${locationOf(problem)}: ${problem.message}`

/** Default URL that opens a file in an editor: Visual Studio Code. */
export const vscode = "vscode://file{path}:{line}"

/** Returns the URL that opens the file of a problem. `template`: a URL with `{path}` and `{line}`. */
export const editorUrl = (template: string, folder: string, { path, line = 1 }: Problem): string => {
  const full = join(folder, path).replaceAll("\\", "/")
  const absolute = full.startsWith("/") ? full : `/${full}`
  return template
    .replaceAll("{path}", absolute.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":"))
    .replaceAll("{line}", String(line))
}
