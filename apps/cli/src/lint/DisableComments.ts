/**
 * Comments that hide problems: `<!-- lectern-disable-next-line rule -->` those of the next line, and
 * `<!-- lectern-disable-file rule -->` those of the file. Several rules are separated by spaces or commas. Without a
 * rule, the comment hides all problems. Comments in code hide nothing.
 */
import { suggestionOf } from "@lectern/core/schema/NearestName"
import type { Fix } from "./Fix.ts"
import { type RuleName, ruleNames } from "./LintRules.ts"
import type { Position } from "@lectern/document/lint/CheckedText"
import { visit } from "@lectern/document/lint/SyntaxVisit"
import type { MarkdownFile } from "./MarkdownFile.ts"
import type { Problem } from "./Problems.ts"

export interface DisableComment extends Position {
  readonly scope: "next-line" | "file"
  /** Names as written. Empty for all rules. */
  readonly rules: ReadonlyArray<string>
  readonly text: string
  /** True if the removal of its line changes no other content of the page. */
  readonly isRemovable: boolean
}

const pattern = /<!--\s*lectern-disable-(next-line|file)(?![\w-])([^>]*?)-->/g

export const find = ({ lines, positionAt, root, text }: MarkdownFile): ReadonlyArray<DisableComment> => {
  if (!text.includes("lectern-disable-")) return []
  const comments: Array<DisableComment> = []
  const addFrom = ({ from, to }: { readonly from: number; readonly to: number }) => {
    for (const match of text.slice(from, to).matchAll(pattern)) {
      const [comment, scope, names = ""] = match
      const { column, line } = positionAt(from + match.index)
      const isBlank = (index: number) => (lines[index] ?? "").trim() === ""
      comments.push({
        line: line + comment.split("\n").length - 1,
        column,
        scope: scope as DisableComment["scope"],
        rules: names.split(/[\s,]+/).filter((name) => name !== ""),
        text: comment,
        // Without a blank line, the paragraphs around the comment would become one.
        isRemovable: lines[line - 1]!.trim() === comment && (isBlank(line - 2) || isBlank(line))
      })
    }
  }
  visit(root, {
    block: (block) => {
      if (block.type === "html") addFrom(block)
    },
    inlines: (inlines) => {
      for (const inline of inlines) if (inline.type === "html") addFrom(inline)
    }
  })
  return comments
}

const covers = (comment: DisableComment, { line, rule }: Problem): boolean =>
  (comment.scope === "file" || (line !== undefined && line === comment.line + 1)) &&
  (comment.rules.length === 0 || comment.rules.includes(rule))

/**
 * Returns the problems that no comment of their file hides, and a problem for each comment that hides nothing.
 * `isReported`: true for rules whose problems are reported.
 */
export const apply = (
  problems: ReadonlyArray<Problem>,
  comments: ReadonlyMap<string, ReadonlyArray<DisableComment>>,
  isReported: (rule: RuleName) => boolean
): ReadonlyArray<Problem> => {
  const hiddenRules = new Map<DisableComment, Set<string>>()
  const visible = problems.filter((problem) => {
    const covering = (comments.get(problem.path) ?? []).filter((comment) => covers(comment, problem))
    for (const comment of covering) {
      const rules = hiddenRules.get(comment)
      if (rules === undefined) hiddenRules.set(comment, new Set([problem.rule]))
      else rules.add(problem.rule)
    }
    return covering.length === 0
  })
  for (const [path, fileComments] of comments) {
    for (const comment of fileComments) {
      const unused = unusedProblem(comment, hiddenRules.get(comment) ?? new Set(), isReported)
      if (unused !== undefined) visible.push({ path, line: comment.line, column: comment.column, ...unused })
    }
  }
  return visible
}

const isRule = (name: string): name is RuleName => (ruleNames as ReadonlyArray<string>).includes(name)

const unusedProblem = (
  comment: DisableComment,
  hiddenRules: ReadonlySet<string>,
  isReported: (rule: RuleName) => boolean
): Pick<Problem, "rule" | "message" | "fix"> | undefined => {
  const { rules } = comment
  const rule = "unused-disable"
  if (rules.length === 0) {
    return hiddenRules.size > 0 ? undefined : { rule, message: "The comment hides no problem", ...fixOf(comment, []) }
  }
  const unknown = rules.find((name) => !isRule(name))
  if (unknown !== undefined)
    return { rule, message: `The comment names no rule: ${unknown}${suggestionOf(unknown, ruleNames)}` }
  // A rule that is off may find problems when it is turned on.
  const unusedRules = rules.filter((name) => !hiddenRules.has(name) && isRule(name) && isReported(name))
  if (unusedRules.length === 0) return undefined
  const remaining = rules.filter((name) => !unusedRules.includes(name))
  return { rule, message: `The comment hides no problem of ${unusedRules.join(", ")}`, ...fixOf(comment, remaining) }
}

const fixOf = (comment: DisableComment, remaining: ReadonlyArray<string>): { readonly fix?: Fix } => {
  const { column, isRemovable, line, scope, text } = comment
  if (text.includes("\n")) return {}
  if (remaining.length > 0) {
    const replacement = `<!-- lectern-disable-${scope} ${remaining.join(" ")} -->`
    return { fix: { line, column, length: text.length, text: replacement } }
  }
  return isRemovable ? { fix: { line, isRemoval: true } } : {}
}
