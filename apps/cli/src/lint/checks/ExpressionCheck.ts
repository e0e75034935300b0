/** Finds expressions that can't be parsed, and variables that the folder does not define. */
import * as Condition from "@lectern/document/condition/Condition"
import type { ConditionTree } from "@lectern/document/condition/ConditionTree"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import { decodeReferences } from "@lectern/document/markdown/HtmlTree"
import { Result } from "effect"
import type { Check } from "../Check.ts"
import { visit } from "@lectern/document/lint/SyntaxVisit"
import type { MarkdownFile } from "../MarkdownFile.ts"

const opening = /^<code\s+class=["']expression["']\s*>$/

export const check: Check = (file, report) => {
  const { positionAt, root, text } = file
  if (!text.includes("expression")) return
  visit(root, {
    inlines: (inlines) => {
      for (const [i, inline] of inlines.entries()) {
        if (inline.type !== "html" || !opening.test(inline.value)) continue
        const end = inlines.slice(i + 1).find((one) => one.type === "html" && one.value === "</code>")
        if (end === undefined) continue
        const parsed = Condition.parseExpression(decodeReferences(text.slice(inline.to, end.from)).trim())
        const position = positionAt(inline.to)
        if (Result.isFailure(parsed)) {
          const message = `The expression stays text: ${parsed.failure.message}`
          report({ ...position, rule: "invalid-expression", message })
          continue
        }
        for (const { of, path } of variablesIn(parsed.success)) {
          const [name] = path
          if (name === undefined) continue
          const message = `The variable ${of}.vars.${name} is not defined`
          if (of === "page") {
            if (!hasPageVariable(file, name)) report({ ...position, rule: "unknown-variable", message })
          } else
            report({
              ...position,
              rule: "unknown-variable",
              message,
              // Without a file of variables, the space may define them.
              appliesTo: ({ variables }) => variables !== undefined && !Object.hasOwn(variables, name)
            })
        }
      }
    }
  })
}

const hasPageVariable = ({ frontMatter = "" }: MarkdownFile, name: string): boolean => {
  const fields = FrontMatter.read(frontMatter)
  const variables = Result.isSuccess(fields) ? fields.success["vars"] : undefined
  return typeof variables === "object" && variables !== null && Object.hasOwn(variables, name)
}

type Variable = Extract<ConditionTree, { readonly kind: "variable" }>

const variablesIn = (tree: ConditionTree): ReadonlyArray<Variable> => {
  switch (tree.kind) {
    case "variable":
      return [tree]
    case "list":
      return tree.items.flatMap(variablesIn)
    case "not":
      return variablesIn(tree.of)
    case "all":
    case "any":
      return tree.of.flatMap(variablesIn)
    case "comparison":
      return [tree.left, tree.right].flatMap(variablesIn)
    case "call":
      return [tree.of, tree.argument].flatMap(variablesIn)
    default:
      return []
  }
}
