/** Finds tags that stay text, and conditions that can't be parsed. */
import * as Condition from "@lectern/document/condition/Condition"
import type { Block } from "@lectern/document/markdown/syntax/SyntaxTree"
import * as TagLine from "@lectern/document/markdown/TagLine"
import { buildTagTree, type Content } from "@lectern/document/markdown/TagTree"
import { elseTag, type Tag, tagOfName } from "@lectern/document/markdown/Tags"
import { Result } from "effect"
import type { Check } from "../Check.ts"
import { visit } from "../MarkdownFile.ts"

/** Start of the name of an end tag. */
const end = "end"

interface UnpairedTag {
  readonly node: Block
  readonly line: TagLine.TagLine
  readonly tag: Tag | undefined
}

export const check: Check = ({ positionAt, root, text }, report) => {
  if (!text.includes("{%")) return

  const reportUnpaired = (tags: ReadonlyArray<UnpairedTag>) => {
    const ends = new Map<string, number>()
    for (const { line } of tags) ends.set(line.name, (ends.get(line.name) ?? 0) + 1)
    const takeEnd = (name: string): boolean => {
      const count = ends.get(end + name) ?? 0
      ends.set(end + name, count - 1)
      return count > 0
    }
    /** Number of end tags that belong to a reported tag, by name. */
    const reportedEnds = new Map<string, number>()
    for (const { line, node, tag } of tags) {
      const { name } = line
      const position = positionAt(node.from)
      if (tag !== undefined) {
        const hasEnd = takeEnd(name)
        if (hasEnd) reportedEnds.set(name, (reportedEnds.get(name) ?? 0) + 1)
        const missing = missingPart(tag, line)
        if (missing !== undefined)
          report({ ...position, rule: "invalid-tag", message: `The tag "${name}" stays text: it has no ${missing}` })
        else if (hasEnd) {
          const reason =
            tag.parent === undefined ? contentRules[tag.body.kind] : `it belongs directly into "${tag.parent}"`
          report({
            ...position,
            rule: "invalid-tag",
            message: `The tag "${name}" stays text: ${reason ?? "its tags overlap"}`
          })
        } else report({ ...position, rule: "unclosed-tag", message: `The tag "${name}" has no end: {% end${name} %}` })
      } else if (name.startsWith(end) && TagLine.hasNoParameters(line)) {
        const count = reportedEnds.get(name.slice(end.length)) ?? 0
        if (count > 0) reportedEnds.set(name.slice(end.length), count - 1)
        else report({ ...position, rule: "unclosed-tag", message: `An end without its tag: {% ${name} %}` })
      } else if (name === elseTag) {
        report({ ...position, rule: "unclosed-tag", message: 'The tag "else" is outside of an "if"' })
      } else {
        if (takeEnd(name)) reportedEnds.set(name, (reportedEnds.get(name) ?? 0) + 1)
        report({ ...position, rule: "unknown-tag", message: `The tag "${name}" is unknown and stays text` })
      }
    }
  }

  const unpairedIn = (contents: ReadonlyArray<Content>, parent: string | undefined): ReadonlyArray<UnpairedTag> =>
    contents.flatMap((content): ReadonlyArray<UnpairedTag> => {
      if (content.type === "pairedTag") {
        const { line, children = [] } = content
        if (line.name === "if" && line.argument !== undefined) {
          const parsed = Condition.parseExpression(line.argument)
          if (Result.isFailure(parsed))
            report({
              ...positionAt(content.from),
              rule: "invalid-condition",
              message: conditionMessage(parsed.failure)
            })
        }
        reportUnpaired(unpairedIn(children, line.name))
        return []
      }
      const line = content.type === "tag" ? TagLine.parse(content.value) : undefined
      if (line === undefined || (parent === "if" && line.name === elseTag && TagLine.hasNoParameters(line))) return []
      return [{ node: content as Block, line, tag: tagOfName(line.name) }]
    })

  visit(root, { blocks: (blocks) => reportUnpaired(unpairedIn(buildTagTree(blocks, 0), undefined)) })
}

/** Returns the name of a required part that a tag lacks. */
const missingPart = ({ argument, ref }: Tag, line: TagLine.TagLine): string | undefined => {
  if (argument !== undefined && argument.isOptional !== true && line.argument === undefined)
    return argument.field === "expression" ? "condition" : "text after its name"
  return ref !== undefined && !line.attributes.some(([name]) => name === ref.attribute)
    ? `attribute "${ref.attribute}"`
    : undefined
}

/** Sentences about the content of tags, by kind of their body. */
const contentRules: Readonly<Partial<Record<Tag["body"]["kind"], string>>> = {
  code: "it must enclose one block of code and nothing else",
  items: "it must enclose only its own kind of tags"
}

export const conditionMessage = ({ message }: { readonly message: string }): string =>
  `The condition never holds: ${message}`
