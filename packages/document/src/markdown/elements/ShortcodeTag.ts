/**
 * Parses a shortcode: `{{< name "value" key="value" >}}`, or with `%` instead of the angle brackets.
 *
 * Limit: shortcodes of 8 KiB.
 */
import type { ScanBudget } from "./Braces.ts"
import type { ElementTag } from "./ElementTag.ts"

const maxLength = 8192
const start = /\{\{([<%])[ \t\n]*(\/?)[ \t\n]*([A-Za-z_][\w./-]*)/y
const value = String.raw`"(?:[^"\\]|\\[^])*"|\x60[^\x60]*\x60|'[^'\n]*'|[^\s"'\x60=>%{}]+`
const attribute = new RegExp(String.raw`[ \t\n]+(?:([A-Za-z_][\w-]*)=)?(${value})`, "y")
const ends = { "<": /[ \t\n]*(\/?)>\}\}/y, "%": /[ \t\n]*(\/?)%\}\}/y }

/** Returns undefined if no complete shortcode is at the offset. */
export const read = (text: string, from: number, budget: ScanBudget): ElementTag | undefined => {
  start.lastIndex = from
  const opening = budget.isExhausted ? null : start.exec(text)
  if (opening === null) return undefined
  const end = ends[opening[1] as "<" | "%"]
  const attributes = new Map<string, unknown>()
  for (let at = start.lastIndex; at < from + maxLength;) {
    end.lastIndex = at
    const ending = end.exec(text)
    if (ending !== null) {
      return {
        syntax: "shortcode",
        name: opening[3]!,
        kind: opening[2] === "/" ? "close" : ending[1] === "/" ? "selfClosing" : "open",
        attributes,
        source: text.slice(from, end.lastIndex),
        end: end.lastIndex
      }
    }
    attribute.lastIndex = at
    const match = attribute.exec(text)
    if (match === null) return budget.fail(at - from)
    attributes.set(match[1] ?? String(attributes.size), unquote(match[2]!))
    at = attribute.lastIndex
  }
  return budget.fail(maxLength)
}

const unquote = (text: string): unknown => {
  const quote = text[0]
  if (quote === '"') return text.slice(1, -1).replace(/\\([^])/g, "$1")
  if (quote === "`" || quote === "'") return text.slice(1, -1)
  return text === "true" ? true : text === "false" ? false : text
}
