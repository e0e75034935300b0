/**
 * Finds the problems of a folder: those of `lectern dev`, and links whose anchor names no heading.
 *
 * `<!-- lectern-disable-next-line rule -->` hides problems of a rule in the next line. Several rules are separated by
 * spaces. Without a rule, the comment hides all problems of the line.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Anchors from "@lectern/document/Anchors"
import * as LinkPosition from "@lectern/exchange/import/LinkPosition"
import { Effect } from "effect"
import * as FolderSite from "./FolderSite.ts"
import * as Problems from "./Problems.ts"

export interface LintResult {
  readonly pages: number
  /** Problems, sorted by file and line. */
  readonly problems: ReadonlyArray<Problems.Problem>
}

/** Fails if the folder can't be read or exceeds the limits of an import. */
export const run = Effect.fnUntraced(
  function* (folder: string) {
    const site = yield* FolderSite.make({ folder })
    const { pages, problems: importProblems } = yield* site.update
    const brokenAnchors = yield* site.brokenAnchors
    const files = new Map<string, FileText>()
    const fileAt = (path: string): FileText => {
      const file = files.get(path) ?? readText(join(folder, path))
      files.set(path, file)
      return file
    }
    const anchorProblems = brokenAnchors
      .filter(({ target, anchor }) => !mayDefine(fileAt(target), anchor))
      .map(({ path, url }): Problems.Problem => ({
        path,
        ...LinkPosition.find(fileAt(path).text, url),
        rule: "broken-anchor",
        message: `The anchor of a link names no heading: ${url}`
      }))
    const problems = [...importProblems, ...anchorProblems]
      .filter(({ path, line, rule }) => {
        if (line === undefined) return true
        const { lines } = fileAt(path)
        const isDisabled = line > 1 && disables(lines[line - 2]!, rule)
        return !isDisabled && !(rule === "unsupported-jsx" && isGeneric(lines[line - 1]!))
      })
      .toSorted(Problems.byPosition)
    return { pages, problems } satisfies LintResult
  },
  Effect.provide(FolderSite.layer),
  Effect.scoped
)

/**
 * Returns true if the anchor names the title of the page, which is at its top, or if the text may define the anchor in a
 * way of other programs: an attribute (`{ #id }`, `id="id"`), or a file that another program includes.
 */
const mayDefine = ({ lowerText, hasTitle }: FileText, anchor: string): boolean => {
  const name = anchor.toLowerCase()
  return (
    hasTitle(anchor) ||
    lowerText.includes("--8<--") ||
    [`="${name}"`, `='${name}'`, `{#${name}`, `{ #${name}`, `/*#${name}`].some((form) => lowerText.includes(form))
  )
}

interface FileText {
  readonly text: string
  readonly lines: ReadonlyArray<string>
  readonly lowerText: string
  /** True if the anchor names a title of the page. */
  readonly hasTitle: (anchor: string) => boolean
}

const readText = (path: string): FileText => {
  const text = readFileSync(path, "utf8")
  const titles = Array.from(text.matchAll(/^(?:#|title:)[ \t]+(.+)$/gm), ([, title]) => titleAnchor(title!))
  const finders = titles.map((title) => Anchors.anchorFinder([title]))
  return {
    text,
    lines: text.split("\n"),
    lowerText: text.toLowerCase(),
    hasTitle: (anchor) => finders.some((find) => find(anchor) !== undefined)
  }
}

const titleAnchor = (title: string): string =>
  Anchors.serializeAnchor(
    Anchors.anchorAssigner()({ object: "block", type: "heading-1", key: "title", nodes: [] }, title)
  )

/** Returns true for a line with type parameters, such as `List<String>`, and without an element. */
const isGeneric = (line: string): boolean => /\w<[A-Z]/.test(line) && !/(?:^|[^\w\\])<[A-Z]/.test(line)

const disables = (line: string, rule: string): boolean => {
  const comment = /<!--\s*lectern-disable-next-line\b([^>]*)-->/.exec(line)
  if (comment === null) return false
  const rules = comment[1]!.trim()
  return rules === "" || rules.split(/[\s,]+/).includes(rule)
}
