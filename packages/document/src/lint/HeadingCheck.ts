/** Finds headings that are more than one level below the heading before them. */
import type { TextCheck } from "./CheckedText.ts"

/** Start of a text that another program may replace by headings. */
const generated = /^(?::::|\{\{|\{%|<[A-Z]|--8<--)/

export const check: TextCheck = ({ positionAt, root, text }, report) => {
  /** Depth of the heading before. Undefined if it is unknown. */
  let previous: number | undefined
  for (const block of root.children) {
    if (block.type === "heading") {
      if (previous !== undefined && block.depth > previous + 1)
        report({
          ...positionAt(block.from),
          rule: "skipped-heading-level",
          message: `A heading of level ${block.depth} follows a heading of level ${previous}`
        })
      previous = block.depth
    } else if (block.type === "html") {
      const depths = Array.from(block.value.matchAll(/<h([1-6])\b/gi), ([, depth]) => Number(depth))
      previous = depths.at(-1) ?? previous
    }
    if (block.type !== "heading" && generated.test(text.slice(block.from, block.from + 5))) previous = undefined
  }
}
