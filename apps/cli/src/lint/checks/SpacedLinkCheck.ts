/** Finds links that stay text because of spaces in their destination. The destination must be a file of the folder. */
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import type { Check } from "../Check.ts"
import { visit } from "@lectern/document/lint/SyntaxVisit"

const part = String.raw`(?:[^()<>\s]|\([^()<>\n]*\))+`
/** Matches the end of the text of a link, and a destination with spaces. */
const spacedDestination = new RegExp(String.raw`(?<!\\)\]\(((?:${part}[ ])+${part})\)`, "g")

export const check: Check = ({ path, positionAt, root, text }, report) => {
  visit(root, {
    inlines: (inlines) => {
      const [first] = inlines
      if (first === undefined || !inlines.some((one) => one.type === "text" && one.value.includes("]("))) return
      let source = ""
      for (const inline of inlines) {
        source = source.padEnd(inline.from - first.from)
        const length = inline.to - inline.from
        source += inline.type === "text" ? text.slice(inline.from, inline.to) : "\0".repeat(length)
      }
      for (const { 1: destination = "", index } of source.matchAll(spacedDestination)) {
        const offset = first.from + index + "](".length
        if (text.slice(offset, offset + destination.length) !== destination) continue
        const position = positionAt(offset)
        const [target = ""] = destination.split("#")
        report({
          ...position,
          rule: "spaced-link",
          message: `The link stays text, since its destination contains spaces: ${destination}`,
          fix: { ...position, length: destination.length, text: destination.replaceAll(" ", "%20") },
          appliesTo: ({ index, root }) => {
            const file = FolderPath.join(FolderPath.directory(path), target, root)
            return file !== undefined && index.file(file) !== undefined
          }
        })
      }
    }
  })
}
