/** Types of inlines, each described once, as `BlockTypes` does for blocks. */
import { type Fields, properties, ref, text, values, words } from "./Field.ts"

interface InlineSpec {
  /** Kind of content. `text`: words, which are part of the enclosing text. `void`: only data. */
  readonly is: "text" | "void"
  readonly fields: Fields
  /** Form of the inline in plain text, unless a field or its child text provides it. */
  readonly shown?: "break" | "emoji"
  /** True if the inline may lack `data`. All other inlines have it, even if it is empty. */
  readonly mayLackData?: true
  /** Names of the fragments of the inline. */
  readonly fragments?: ReadonlyArray<string>
  /** Evaluation of the inline: replaced by a value. */
  readonly evaluates?: "value"
  /**
   * Text of the inline in responses, if the hosted service's vocabulary lacks the type (see `WireDocument`). `break`: a
   * line feed; `label`: the label in superscript; `nothing`: an empty text.
   */
  readonly nearest?: "break" | "label" | "nothing"
}

const target = ref({ isRequired: true })
const color = text({ examples: ["blue"] })

const specs = {
  link: {
    is: "text",
    // `title`: displayed when the pointer is over the link. `reference`: the label of a link definition.
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
  // `html`: the tag, if the source has the break as HTML. In a cell, each break is HTML.
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

/** Description of inlines of unlisted types. */
const other: InlineSpec = { is: "text", fields: {} }

const byType: ReadonlyMap<string, InlineSpec> = new Map(Object.entries(inlineTypes))

export const isInlineType = (type: string): type is InlineType => byType.has(type)

export const inlineSpec = (type: string): InlineSpec => byType.get(type) ?? other
