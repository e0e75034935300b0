/** Types of marks, each described once, in nesting order: the first is the outermost. */
import { type Fields, text } from "./Field.ts"

interface MarkSpec {
  /** HTML element of the mark. Absent for colors, which are styles, and for marks without an HTML form. */
  readonly element?: string
  /** Markdown syntax of the mark instead of the element. `run`: a run of `*`, `_` or `~`; `fence`: backticks. */
  readonly syntax?: "run" | "fence"
  readonly fields?: Fields
  /** True if the text is not natural language and therefore not translated. */
  readonly isUntranslated?: true
  /** True if the hosted service's vocabulary lacks the mark. In responses it is in `written` (see `WireDocument`). */
  readonly isOmittedOnWire?: true
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
  underline: { isOmittedOnWire: true }
} as const satisfies { readonly [type: string]: MarkSpec }

export type MarkType = keyof typeof specs

export const markTypes: { readonly [_ in MarkType]: MarkSpec } = specs

const unknownMarkSpec: MarkSpec = { isOmittedOnWire: true }

const specByType: ReadonlyMap<string, MarkSpec> = new Map(Object.entries(markTypes))

export const isMarkType = (type: string): type is MarkType => specByType.has(type)

export const markSpec = (type: string): MarkSpec => specByType.get(type) ?? unknownMarkSpec
