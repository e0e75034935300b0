/** The types of marks, each described once, in the order in which they nest: the first outermost. */
import { type Fields, text } from "./Field.ts"

interface MarkSpec {
  /** The element that says it in HTML; none for a colour, whose element has a style, and for what nothing says. */
  readonly element?: string
  /** Markdown says it by a run of `*`, `_` or `~`, or by a fence of backticks, and not by the element. */
  readonly syntax?: "run" | "fence"
  readonly fields?: Fields
  /** The text is nobody's language. */
  readonly isUntranslated?: true
  /** True of a mark that the hosted service's vocabulary lacks: it is answered beside the others (see `Answered`). */
  readonly isBeside?: true
}

const color = text({ isRequired: true, examples: ["default", "blue", "$primary"] })

const specs = {
  bold: { element: "strong", syntax: "run" },
  italic: { element: "em", syntax: "run" },
  strikethrough: { element: "del", syntax: "run" },
  keyboard: { element: "kbd", isUntranslated: true },
  superscript: { element: "sup" },
  subscript: { element: "sub" },
  code: { element: "code", syntax: "fence", isUntranslated: true },
  color: { fields: { text: color, background: color } },
  underline: { isBeside: true }
} as const satisfies { readonly [type: string]: MarkSpec }

export type MarkType = keyof typeof specs

export const markTypes: { readonly [_ in MarkType]: MarkSpec } = specs

const none: MarkSpec = { isBeside: true }

const byType: ReadonlyMap<string, MarkSpec> = new Map(Object.entries(markTypes))

export const isMarkType = (type: string): type is MarkType => byType.has(type)

export const markSpec = (type: string): MarkSpec => byType.get(type) ?? none
