/** Finds blocks of code and comments without an end, which hide or change the rest of a page. */
import type { Code } from "../markdown/syntax/SyntaxTree.ts"
import type { TextCheck } from "./CheckedText.ts"
import { visit } from "./SyntaxVisit.ts"

export const check: TextCheck = ({ positionAt, root, text }, report) => {
  visit(root, {
    block: (block) => {
      if (block.type === "code" && isUnclosed(block, text))
        report({
          ...positionAt(block.from),
          rule: "unclosed-block",
          message: "The block of code has no end, so all that follows is code"
        })
      else if (block.type === "html" && block.isOpen === true && block.value.startsWith("<!--"))
        report({
          ...positionAt(block.from),
          rule: "unclosed-block",
          message: "The comment has no end, so all that follows is hidden"
        })
    }
  })
}

const isUnclosed = ({ from, to, value }: Code, text: string): boolean => {
  const lines = text.slice(from, to).trimEnd().split("\n")
  const fence = /^[ \t>]*(`{3,}|~{3,})/.exec(lines[0]!)?.[1]
  // The first line of indented code is content.
  if (fence === undefined || value.split("\n", 1)[0]!.trim() === lines[0]!.trim()) return false
  const [last = ""] = /[`~]*$/.exec(lines.at(-1)!.trimEnd())!
  return lines.length === 1 || !(last.startsWith(fence[0]!) && last.length >= fence.length)
}
