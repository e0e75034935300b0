/** Finds tags that stay text, and conditions that can't be parsed. */
import * as Condition from "../condition/Condition.ts"
import type { Block } from "../markdown/syntax/SyntaxTree.ts"
import * as TagLine from "../markdown/TagLine.ts"
import { buildTagTree, type Content } from "../markdown/TagTree.ts"
import { elseTag, type Tag, tagOfName } from "../markdown/Tags.ts"
import { Result } from "effect"
import type { TextCheck, TextFinding } from "./CheckedText.ts"
import { visit } from "./SyntaxVisit.ts"

/** Start of the name of an end tag. */
const end = "end"

interface UnpairedTag {
  readonly node: Block
  readonly line: TagLine.TagLine
  readonly tag: Tag | undefined
}

const isEnd = ({ line, tag }: UnpairedTag): boolean =>
  tag === undefined && line.name.startsWith(end) && TagLine.hasNoParameters(line)

export const check: TextCheck = ({ positionAt, root, text }, report) => {
  if (!text.includes("{%")) return

  const reportUnpaired = (tags: ReadonlyArray<UnpairedTag>) => {
    /** Indexes of end tags that belong to a tag before them. */
    const pairedEnds = new Set<number>()
    const endOf = (name: string, after: number): number | undefined => {
      const index = tags.findIndex(
        ({ line }, i) => i > after && !pairedEnds.has(i) && line.name === end + name && TagLine.hasNoParameters(line)
      )
      if (index === -1) return undefined
      pairedEnds.add(index)
      return index
    }
    /** Unpaired tags with their ends, from the inner to the outer tags, so that each gets its own end. */
    const ends = new Map<number, number | undefined>()
    for (let i = tags.length - 1; i >= 0; i--) if (!isEnd(tags[i]!)) ends.set(i, endOf(tags[i]!.line.name, i))

    const findings = new Map<number, Omit<TextFinding, "line" | "column">>()
    for (const [i, { line, tag }] of tags.entries()) {
      const { name } = line
      if (tag !== undefined) {
        const missing = missingPart(tag, line)
        const isInside = tags.some(
          (other, j) => j < i && other.tag?.name === tag.parent && (ends.get(j) ?? Infinity) > i
        )
        if (missing !== undefined)
          findings.set(i, { rule: "invalid-tag", message: `The tag "${name}" stays text: it has no ${missing}` })
        else if (ends.get(i) === undefined)
          findings.set(i, { rule: "unclosed-tag", message: `The tag "${name}" has no end: {% end${name} %}` })
        // The finding of the enclosing tag explains why the tag stays text.
        else if (tag.parent === undefined || !isInside) {
          const reason =
            tag.parent === undefined ? contentRules[tag.body.kind] : `it belongs directly into "${tag.parent}"`
          findings.set(i, {
            rule: "invalid-tag",
            message: `The tag "${name}" stays text: ${reason ?? "it overlaps another tag"}`
          })
        }
      } else if (isEnd(tags[i]!)) {
        if (!pairedEnds.has(i))
          findings.set(i, { rule: "unclosed-tag", message: `An end without its tag: {% ${name} %}` })
      } else if (name === elseTag)
        findings.set(i, { rule: "unclosed-tag", message: 'The tag "else" is outside of an "if"' })
      else findings.set(i, { rule: "unknown-tag", message: `The tag "${name}" is unknown and stays text` })
    }
    for (const [i, finding] of findings) {
      const last = ends.get(i)
      // A problem inside of the tag is the reason why it stays text.
      const hasInner = last !== undefined && Array.from(findings.keys()).some((j) => j > i && j < last)
      if (!(hasInner && finding.rule === "invalid-tag")) report({ ...positionAt(tags[i]!.node.from), ...finding })
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
