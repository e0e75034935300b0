/** Types of inlines, each described once, as `BlockTypes` does for blocks. */
import { type Fields, properties, ref, text, values, displayText } from "./Field.ts"

interface InlineSpec {
  /** Kind of content. `text`: words, which are part of the enclosing text. `void`: only data. */
  readonly contentKind: "text" | "void"
  readonly fields: Fields
  /** Form of the inline in plain text, unless a field or its child text provides it. */
  readonly plainTextForm?: "break" | "emoji"
  /** True if the inline may lack `data`. All other inlines have it, even if it is empty. */
  readonly isDataOptional?: true
  /** Names of the fragments of the inline. */
  readonly fragments?: ReadonlyArray<string>
  /** Evaluation of the inline: replaced by a value. */
  readonly evaluation?: "value"
  /**
   * Text of the inline in responses, if the hosted service's vocabulary lacks the type (see `WireDocument`). `break`: a
   * line feed; `label`: the label in superscript; `nothing`: an empty text.
   */
  readonly wireText?: "break" | "label" | "nothing"
}

const target = ref({ isRequired: true })
const color = text({ examples: ["blue"] })

const specs = {
  link: {
    contentKind: "text",
    // `title`: displayed when the pointer is over the link. `reference`: the label of a link definition.
    fields: {
      ref: target,
      title: text({ isTranslated: true, isOmittedOnWire: true }),
      reference: text({ isOmittedOnWire: true })
    }
  },
  mention: {
    contentKind: "void",
    fields: { ref: target, text: text({ plainTextForm: "text", isOmittedOnWire: true }) }
  },
  annotation: {
    contentKind: "text",
    fields: { label: text({ isOmittedOnWire: true }) },
    fragments: ["annotation-body"],
    isDataOptional: true
  },
  emoji: {
    contentKind: "void",
    fields: { code: text({ isRequired: true, examples: ["1f600"] }) },
    plainTextForm: "emoji"
  },
  icon: { contentKind: "void", fields: { icon: text({ isRequired: true, examples: ["star"] }), color } },
  "inline-image": {
    contentKind: "void",
    fields: {
      ref: ref({ isRequired: true, isDependency: true }),
      refDark: ref({ isDependency: true }),
      alt: displayText(),
      caption: text({ isTranslated: true }),
      size: text({ examples: ["line", "original"] }),
      title: text({ isTranslated: true, isOmittedOnWire: true }),
      reference: text({ isOmittedOnWire: true })
    }
  },
  "inline-math": {
    contentKind: "void",
    fields: { formula: text({ isRequired: true, plainTextForm: "text", isUnescaped: true }) }
  },
  expression: {
    contentKind: "void",
    fields: { expression: text({ isRequired: true, examples: ["space.vars.a"] }) },
    evaluation: "value"
  },
  button: {
    contentKind: "void",
    fields: {
      label: displayText({ isRequired: true }),
      kind: text({ isRequired: true, examples: ["primary", "secondary"] }),
      size: text({ examples: ["small", "medium", "large"] }),
      icon: text({ examples: ["star"] }),
      ref: ref(),
      action: properties()
    }
  },
  // `html`: the tag, if the source has the break as HTML. In a cell, each break is HTML.
  "hard-break": {
    contentKind: "void",
    fields: { html: text({ isOmittedOnWire: true }) },
    plainTextForm: "break",
    wireText: "break",
    isDataOptional: true
  },
  "footnote-reference": {
    contentKind: "void",
    fields: { label: text({ isRequired: true, isUnescaped: true }) },
    wireText: "label"
  },
  html: { contentKind: "void", fields: { html: text({ isRequired: true }), refs: values() }, wireText: "nothing" }
} as const satisfies { readonly [type: string]: InlineSpec }

export type InlineType = keyof typeof specs

export const inlineTypes: { readonly [_ in InlineType]: InlineSpec } = specs

/** Description of inlines of unlisted types. */
const fallbackSpec: InlineSpec = { contentKind: "text", fields: {} }

const specByType: ReadonlyMap<string, InlineSpec> = new Map(Object.entries(inlineTypes))

export const isInlineType = (type: string): type is InlineType => specByType.has(type)

export const inlineSpec = (type: string): InlineSpec => specByType.get(type) ?? fallbackSpec
