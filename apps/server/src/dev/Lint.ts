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
  /** In the order of files and lines. */
  readonly problems: ReadonlyArray<Problems.Problem>
}

/** Fails if the folder can't be read or exceeds the limits of an import. */
export const run = Effect.fnUntraced(
  function* (folder: string) {
    const site = yield* FolderSite.make({ folder })
    const { pages, problems: importProblems } = yield* site.update
    const brokenAnchors = yield* site.brokenAnchors
    const texts = new Map<string, string>()
    const textOf = (path: string): string => {
      const text = texts.get(path) ?? readFileSync(join(folder, path), "utf8")
      texts.set(path, text)
      return text
    }
    const anchorProblems = brokenAnchors
      .filter(({ target, anchor }) => !mayDefine(textOf(target), anchor))
      .map(({ path, url }): Problems.Problem => ({
        path,
        ...LinkPosition.find(textOf(path), url),
        rule: "broken-anchor",
        message: `The anchor of a link names no heading: ${url}`
      }))
    const problems = [...importProblems, ...anchorProblems]
      .filter(({ path, line, rule }) => {
        if (line === undefined) return true
        const [previous, current] = textOf(path).split("\n", line).slice(-2)
        return line === 1 || !(disables(previous!, rule) || (rule === "unsupported-jsx" && isGeneric(current!)))
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
const mayDefine = (text: string, anchor: string): boolean => {
  const name = anchor.toLowerCase()
  const lowerText = text.toLowerCase()
  const titles = Array.from(text.matchAll(/^(?:#|title:)[ \t]+(.+)$/gm), ([, title]) => title!)
  return (
    titles.some((title) => Anchors.anchorFinder([titleAnchor(title)])(anchor) !== undefined) ||
    lowerText.includes("--8<--") ||
    [`="${name}"`, `='${name}'`, `{#${name}`, `{ #${name}`, `/*#${name}`].some((form) => lowerText.includes(form))
  )
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
