/**
 * Types of blocks, each described once. A new type needs an entry here and in each table of the code that outputs
 * blocks: `BlocksToMarkdown`, `CellParts`, `pdf/Blocks` of the package for Node. These do not compile without the
 * entry. Parsing of tags, plain text, translation, links, alignment and merging derive from the description.
 *
 * Documents are open: a block of an unlisted type stays unchanged and is treated as `fallbackSpec` describes.
 */
import type { BlockSpec } from "./BlockSpec.ts"
import { boolean, length, list, number, properties, ref, tags, text, values, displayText } from "./Field.ts"

const flow = { blocks: "flow" } as const
const contentOf = <Type extends string>(type: Type) => ({ blocks: [type] }) as const
const nonEmptyContentOf = <Type extends string>(type: Type) => ({ blocks: [type], minBlocks: 1 }) as const

const align = text({ examples: ["start", "center", "end"] })
const fullWidth = boolean()
const loose = boolean({ isOmittedOnWire: true })
const icon = text({ examples: ["star"] })
const target = ref({ isRequired: true })
/**
 * Pointer to a part of a specification. The hosted service requires this field, so its default in responses is an empty
 * string.
 */
const pointer = text({ wireDefault: "" })
const displayedRef = ref({ isRequired: true, isDependency: true })

/** Class of the image that represents a drawing in HTML. */
export const diagramClass = "gitbook-drawing"

/** `depth`: depth of the heading in Markdown, if it differs from the default of the level (see `HeadingDepth`). */
const headingSpec = <Level extends number>(level: Level) =>
  ({
    contentKind: "text",
    fields: { id: text(), align, depth: number({ isOmittedOnWire: true }) },
    level,
    family: "text"
  }) as const

/** A block that displays a part of an API. The body is the fallback for programs that can't display the API. */
const apiSpec = <Name extends string>(name: Name, ...anchor: ReadonlyArray<string>) =>
  ({
    contentKind: "void",
    anchor: { fields: anchor, fallback: name },
    fragments: { body: flow },
    omitsFragmentsOnWire: true,
    isUntranslated: true,
    tag: { name, ref: { attribute: "spec", use: "spec" } }
  }) as const

const specs = {
  paragraph: { contentKind: "text", fields: { align }, family: "text", isSplittable: true, isDataOptional: true },
  "heading-1": headingSpec(1),
  "heading-2": headingSpec(2),
  "heading-3": headingSpec(3),
  "list-ordered": {
    contentKind: "frame",
    fields: { start: number(), loose },
    content: nonEmptyContentOf("list-item"),
    family: "list"
  },
  "list-unordered": {
    contentKind: "frame",
    fields: { loose },
    content: nonEmptyContentOf("list-item"),
    family: "list",
    isDataOptional: true
  },
  "list-tasks": {
    contentKind: "frame",
    fields: { loose },
    content: nonEmptyContentOf("list-item"),
    family: "list",
    isDataOptional: true
  },
  "list-item": {
    contentKind: "frame",
    fields: { checked: boolean(), loose },
    content: flow,
    requiresContent: true,
    isDataOptional: true
  },
  blockquote: { contentKind: "frame", fields: {}, content: flow, isDataOptional: true },
  divider: { contentKind: "void", fields: {} },

  hint: {
    contentKind: "frame",
    fields: { style: text({ examples: ["info", "warning", "danger", "success"], wireDefault: "info" }), icon },
    content: flow,
    requiresContent: true,
    tag: { name: "hint", alwaysHasData: true }
  },
  tabs: {
    contentKind: "frame",
    fields: { fullWidth },
    content: contentOf("tabs-item"),
    isDataOptional: true,
    tag: { name: "tabs" }
  },
  "tabs-item": {
    contentKind: "container",
    fields: { title: displayText(), icon, slug: text() },
    content: flow,
    anchor: { fields: ["title"] },
    tag: { name: "tab", alwaysHasData: true }
  },
  stepper: {
    contentKind: "frame",
    fields: {},
    content: contentOf("stepper-step"),
    isDataOptional: true,
    tag: { name: "stepper" }
  },
  "stepper-step": { contentKind: "frame", fields: { icon }, content: flow, tag: { name: "step", alwaysHasData: true } },
  columns: {
    contentKind: "frame",
    fields: { fullWidth },
    content: contentOf("column"),
    isVoid: true,
    tag: { name: "columns", alwaysHasData: true }
  },
  column: {
    contentKind: "frame",
    fields: {
      width: length(),
      verticalAlignment: text({ attribute: "valign", examples: ["top", "middle", "bottom"] })
    },
    content: flow,
    tag: { name: "column", alwaysHasData: true }
  },
  updates: {
    contentKind: "frame",
    fields: { format: text({ examples: ["full", "short"], wireDefault: "full" }) },
    content: contentOf("update"),
    tag: { name: "updates", alwaysHasData: true }
  },
  update: {
    contentKind: "container",
    fields: { date: text({ examples: ["2026-04-09"] }), tags: tags() },
    content: flow,
    tag: { name: "update", alwaysHasData: true }
  },
  expandable: {
    contentKind: "void",
    fields: { defaultExpanded: boolean({ attribute: "open" }) },
    fragments: { "expandable-title": { blocks: ["paragraph"], minBlocks: 1 }, "expandable-body": flow },
    anchor: { fragment: "expandable-title" },
    tag: { name: "<details>", isElement: true, alwaysHasData: true }
  },
  prompt: {
    contentKind: "container",
    fields: {
      description: displayText({ wireDefault: "" }),
      icon,
      openInAIProviders: boolean(),
      defaultExpanded: text({ examples: ["hidden", "partial", "full"] })
    },
    content: flow,
    tag: { name: "prompt", alwaysHasData: true }
  },
  if: {
    contentKind: "frame",
    fields: { expression: text({ isRequired: true, examples: ["visitor.claims.a", "true"] }) },
    content: flow,
    fragments: { else: flow },
    omitsFragmentsOnWire: true,
    evaluation: "choice",
    tag: { name: "if", argument: { field: "expression" } }
  },
  "reusable-content": {
    contentKind: "void",
    fields: { ref: displayedRef },
    isUntranslated: true,
    evaluation: "include",
    tag: { name: "include", argument: { field: "ref", use: "include" } }
  },

  code: {
    contentKind: "container",
    fields: {
      syntax: text({ attribute: false, examples: ["ts"] }),
      meta: text({ attribute: false, isOmittedOnWire: true }),
      title: text({ plainTextForm: "text" }),
      overflow: text({ examples: ["wrap"] }),
      lineNumbers: boolean(),
      fullWidth,
      expandable: boolean(),
      collapsedLineCount: number()
    },
    content: contentOf("code-line"),
    isUntranslated: true,
    tag: { name: "code" }
  },
  "code-line": { contentKind: "verbatim", fields: { highlighted: boolean() }, isUntranslated: true },
  math: {
    contentKind: "void",
    fields: { formula: text({ isRequired: true, plainTextForm: "text", isUnescaped: true }) }
  },

  images: {
    contentKind: "frame",
    fields: { align: text({ examples: ["left", "center", "right"] }), fullWidth, withFrame: boolean() },
    content: nonEmptyContentOf("image"),
    isVoid: true
  },
  image: {
    contentKind: "void",
    fields: {
      ref: displayedRef,
      refDark: ref({ isDependency: true }),
      alt: displayText(),
      width: length(),
      height: length(),
      /** Style of the figure in the source. Stored, but not used. */
      style: text({ isOmittedOnWire: true, isMembersOnly: true })
    },
    fragments: { caption: { blocks: ["paragraph"] } }
  },
  drawing: {
    contentKind: "void",
    fields: { ref: ref({ isDependency: true }), alt: displayText({ isOmittedOnWire: true }) }
  },
  embed: {
    contentKind: "void",
    fields: {
      ref: ref({ isDependency: true, isOmittedOnWire: true }),
      url: text({ attribute: false, wireDefault: "" }),
      caption: displayText({ isOmittedOnWire: true }),
      fullWidth
    },
    fragments: { caption: flow },
    areFragmentsOptional: true,
    tag: { name: "embed", ref: { attribute: "url", use: "embed" } }
  },
  file: {
    contentKind: "void",
    fields: { ref: displayedRef, caption: displayText({ isOmittedOnWire: true }) },
    fragments: { caption: flow },
    areFragmentsOptional: true,
    tag: { name: "file", ref: { attribute: "src", use: "file" } }
  },
  "content-ref": {
    contentKind: "void",
    fields: { ref: target },
    fragments: { body: flow },
    omitsFragmentsOnWire: true,
    isUntranslated: true,
    tag: {
      name: "content-ref",
      aliases: [{ name: "page-ref", attribute: "page", isSelfClosing: true }],
      ref: { attribute: "url", use: "content-ref" }
    }
  },
  swagger: {
    ...apiSpec("openapi", "method", "path"),
    fields: { ref: displayedRef, path: pointer, method: pointer, expanded: boolean(), fullWidth },
    tag: { name: "openapi", aliases: [{ name: "swagger" }], ref: { attribute: "src", use: "file" } }
  },
  "openapi-operation": {
    ...apiSpec("openapi-operation", "method", "path"),
    fields: { ref: displayedRef, path: pointer, method: pointer, headless: boolean() }
  },
  "openapi-schemas": {
    ...apiSpec("openapi-schemas", "title", "schemas"),
    fields: { ref: displayedRef, schemas: list(), grouped: boolean(), title: displayText() }
  },
  "openapi-webhook": {
    ...apiSpec("openapi-webhook", "name"),
    fields: { ref: displayedRef, name: pointer, method: pointer, headless: boolean() }
  },
  integration: {
    contentKind: "void",
    fields: {
      integration: text({ isRequired: true, attribute: false }),
      block: text({ isRequired: true, attribute: false }),
      props: properties({ isRequired: true, plainTextForm: "props" }),
      url: text(),
      fullWidth: boolean({ attribute: false })
    },
    wireOnlyFields: ["action", "origin"],
    isUntranslated: true,
    tag: { name: "@", argument: { field: "url", isOptional: true } }
  },
  table: {
    contentKind: "table",
    fields: {
      view: properties({ isRequired: true }),
      definition: properties({ isRequired: true, plainTextForm: "columns" }),
      records: properties({ isRequired: true }),
      cellMerges: values(),
      fullWidth,
      search: boolean()
    }
  },

  /**
   * `refs`: targets of the URLs in the HTML (see `HtmlReferences`). Readers receive parsed blocks instead (see
   * `HtmlNodes`).
   */
  html: {
    contentKind: "void",
    fields: { html: text({ isRequired: true, plainTextForm: "html" }), refs: values() },
    wireType: "paragraph"
  },
  /** Markdown that can't be parsed otherwise: an unknown tag, or an unclosed tag. */
  verbatim: {
    contentKind: "void",
    fields: { markdown: text({ isRequired: true, plainTextForm: "markdown" }) },
    wireType: "code",
    visitorForm: "code"
  },
  definition: {
    contentKind: "void",
    // The title is displayed only with links that use the definition.
    fields: { label: text({ isRequired: true }), ref: target, title: text({ isTranslated: true }) },
    wireType: "paragraph",
    visitorForm: "nothing"
  },
  "footnote-definition": {
    contentKind: "container",
    fields: { label: text({ isRequired: true, isUnescaped: true }) },
    content: flow,
    isDataOptional: true,
    wireType: "blockquote"
  }
} as const satisfies { readonly [type: string]: BlockSpec }

export type BlockType = keyof typeof specs

export const blockTypes: { readonly [_ in BlockType]: BlockSpec<BlockType> } = specs

/** Description of blocks of unlisted types: reads fields with common names. */
const fallbackSpec: BlockSpec = {
  contentKind: "container",
  fields: {
    title: text({ plainTextForm: "text" }),
    markdown: text({ plainTextForm: "markdown" }),
    formula: text({ plainTextForm: "text" }),
    alt: text({ plainTextForm: "text" })
  },
  content: flow
}

const specByType: ReadonlyMap<string, BlockSpec> = new Map(Object.entries(blockTypes))

export const isBlockType = (type: string): type is BlockType => specByType.has(type)

export const blockSpec = (type: string): BlockSpec => specByType.get(type) ?? fallbackSpec

const partTypes = new Set<string>(
  Array.from(specByType.values()).flatMap(({ content }) =>
    content === undefined || content.blocks === "flow" ? [] : content.blocks
  )
)

/** Types of blocks that may be children of any block with flow content. The other types are parts of certain blocks. */
export const flowTypes: ReadonlyArray<BlockType> = (Object.keys(blockTypes) as Array<BlockType>).filter(
  (type) => !partTypes.has(type)
)
