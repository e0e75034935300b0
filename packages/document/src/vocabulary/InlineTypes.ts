/** The types of inlines, each described once, as `BlockTypes` does blocks. */
import { type Fields, properties, ref, text, values, words } from "./Field.ts"

interface InlineSpec {
  /** Kind of content. `text`: words, which stay words of the text around. `void`: its data says all. */
  readonly is: "text" | "void"
  readonly fields: Fields
  /** Form of the inline in plain text, where that is neither a field of it nor the words that it is around. */
  readonly shown?: "break" | "emoji"
  /** True of inlines that may lack data. All others have it, though it may be empty. */
  readonly mayLackData?: true
  /** The fragments that it has. */
  readonly fragments?: ReadonlyArray<string>
  /** Evaluation of the inline: it gives way to a value. */
  readonly evaluates?: "value"
  /** Text that an inline is answered as, where the hosted service's vocabulary lacks its type (see `Answered`). */
  readonly nearest?: "break" | "label" | "nothing"
}

const target = ref({ isRequired: true })
const color = text({ examples: ["blue"] })

const specs = {
  link: {
    is: "text",
    // The title shows where somebody points at it; `reference` is the label of a definition.
    fields: { ref: target, title: text({ isTranslated: true, isBeside: true }), reference: text({ isBeside: true }) }
  },
  mention: { is: "void", fields: { ref: target, text: text({ shown: "text", isBeside: true }) } },
  annotation: {
    is: "text",
    fields: { label: text({ isBeside: true }) },
    fragments: ["annotation-body"],
    mayLackData: true
  },
  emoji: {
    is: "void",
    fields: { code: text({ isRequired: true, examples: ["1f600"] }) },
    shown: "emoji"
  },
  icon: { is: "void", fields: { icon: text({ isRequired: true, examples: ["star"] }), color } },
  "inline-image": {
    is: "void",
    fields: {
      ref: ref({ isRequired: true, isDependency: true }),
      refDark: ref({ isDependency: true }),
      alt: words(),
      caption: text({ isTranslated: true }),
      size: text({ examples: ["line", "original"] }),
      title: text({ isTranslated: true, isBeside: true }),
      reference: text({ isBeside: true })
    }
  },
  "inline-math": {
    is: "void",
    fields: { formula: text({ isRequired: true, shown: "text", isWrittenAsIs: true }) }
  },
  expression: {
    is: "void",
    fields: { expression: text({ isRequired: true, examples: ["space.vars.a"] }) },
    evaluates: "value"
  },
  button: {
    is: "void",
    fields: {
      label: words({ isRequired: true }),
      kind: text({ isRequired: true, examples: ["primary", "secondary"] }),
      size: text({ examples: ["small", "medium", "large"] }),
      icon: text({ examples: ["star"] }),
      ref: ref(),
      action: properties()
    }
  },
  // A break that was written as HTML stays that; in a cell every one is.
  "hard-break": {
    is: "void",
    fields: { html: text({ isBeside: true }) },
    shown: "break",
    nearest: "break",
    mayLackData: true
  },
  "footnote-reference": {
    is: "void",
    fields: { label: text({ isRequired: true, isWrittenAsIs: true }) },
    nearest: "label"
  },
  html: { is: "void", fields: { html: text({ isRequired: true }), refs: values() }, nearest: "nothing" }
} as const satisfies { readonly [type: string]: InlineSpec }

export type InlineType = keyof typeof specs

export const inlineTypes: { readonly [_ in InlineType]: InlineSpec } = specs

/** An inline of a type that is not listed. */
const other: InlineSpec = { is: "text", fields: {} }

const byType: ReadonlyMap<string, InlineSpec> = new Map(Object.entries(inlineTypes))

export const isInlineType = (type: string): type is InlineType => byType.has(type)

export const inlineSpec = (type: string): InlineSpec => byType.get(type) ?? other
