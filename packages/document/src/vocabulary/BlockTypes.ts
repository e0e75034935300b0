/**
 * Types of blocks, each described once. A new type needs an entry here and in each table of the code that outputs
 * blocks: `BlocksToMarkdown`, `CellParts`, `pdf/Blocks` of the package for Node. These do not compile without the
 * entry. Parsing of tags, plain text, translation, links, alignment and merging derive from the description.
 *
 * Documents are open: a block of an unlisted type stays unchanged and is treated as `other` describes.
 */
import type { BlockSpec } from "./BlockSpec.ts"
import { boolean, length, list, number, properties, ref, tags, text, values, words } from "./Field.ts"

const flow = { blocks: "flow" } as const
const items = <Type extends string>(type: Type) => ({ blocks: [type] }) as const
const someItems = <Type extends string>(type: Type) => ({ blocks: [type], atLeast: 1 }) as const

const align = text({ examples: ["start", "center", "end"] })
const fullWidth = boolean()
const loose = boolean({ isBeside: true })
const icon = text({ examples: ["star"] })
const target = ref({ isRequired: true })
/** Part of a specification. Required by the hosted service, so its default in responses is an empty string. */
const pointer = text({ otherwise: "" })
const shown = ref({ isRequired: true, isDependency: true })

/** `depth`: depth of the heading in Markdown, if it differs from the default of the level (see `HeadingDepth`). */
const heading = <Level extends number>(level: Level) =>
  ({ is: "text", fields: { id: text(), align, depth: number({ isBeside: true }) }, level, family: "text" }) as const

/** A block that displays a part of an API. The body is the fallback for programs that can't display the API. */
const api = <Name extends string>(name: Name, ...anchor: ReadonlyArray<string>) =>
  ({
    is: "void",
    anchor: { fields: anchor, otherwise: name },
    fragments: { body: flow },
    hasFragmentsBeside: true,
    isUntranslated: true,
    tag: { name, ref: { attribute: "spec", use: "spec" } }
  }) as const

const specs = {
  paragraph: { is: "text", fields: { align }, family: "text", isCut: true, mayLackData: true },
  "heading-1": heading(1),
  "heading-2": heading(2),
  "heading-3": heading(3),
  "list-ordered": {
    is: "frame",
    fields: { start: number(), loose },
    contents: someItems("list-item"),
    family: "list"
  },
  "list-unordered": {
    is: "frame",
    fields: { loose },
    contents: someItems("list-item"),
    family: "list",
    mayLackData: true
  },
  "list-tasks": {
    is: "frame",
    fields: { loose },
    contents: someItems("list-item"),
    family: "list",
    mayLackData: true
  },
  "list-item": {
    is: "frame",
    fields: { checked: boolean(), loose },
    contents: flow,
    isFilled: true,
    mayLackData: true
  },
  blockquote: { is: "frame", fields: {}, contents: flow, mayLackData: true },
  divider: { is: "void", fields: {} },

  hint: {
    is: "frame",
    fields: { style: text({ examples: ["info", "warning", "danger", "success"], otherwise: "info" }), icon },
    contents: flow,
    isFilled: true,
    tag: { name: "hint", hasData: true }
  },
  tabs: { is: "frame", fields: { fullWidth }, contents: items("tabs-item"), mayLackData: true, tag: { name: "tabs" } },
  "tabs-item": {
    is: "container",
    fields: { title: words(), icon, slug: text() },
    contents: flow,
    anchor: { fields: ["title"] },
    tag: { name: "tab", hasData: true }
  },
  stepper: { is: "frame", fields: {}, contents: items("stepper-step"), mayLackData: true, tag: { name: "stepper" } },
  "stepper-step": { is: "frame", fields: { icon }, contents: flow, tag: { name: "step", hasData: true } },
  columns: {
    is: "frame",
    fields: { fullWidth },
    contents: items("column"),
    isVoid: true,
    tag: { name: "columns", hasData: true }
  },
  column: {
    is: "frame",
    fields: {
      width: length(),
      verticalAlignment: text({ attribute: "valign", examples: ["top", "middle", "bottom"] })
    },
    contents: flow,
    tag: { name: "column", hasData: true }
  },
  updates: {
    is: "frame",
    fields: { format: text({ examples: ["full", "short"], otherwise: "full" }) },
    contents: items("update"),
    tag: { name: "updates", hasData: true }
  },
  update: {
    is: "container",
    fields: { date: text({ examples: ["2026-04-09"] }), tags: tags() },
    contents: flow,
    tag: { name: "update", hasData: true }
  },
  expandable: {
    is: "void",
    fields: { defaultExpanded: boolean({ attribute: "open" }) },
    fragments: { "expandable-title": { blocks: ["paragraph"], atLeast: 1 }, "expandable-body": flow },
    anchor: { fragment: "expandable-title" },
    tag: { name: "<details>", isElement: true, hasData: true }
  },
  prompt: {
    is: "container",
    fields: {
      description: words({ otherwise: "" }),
      icon,
      openInAIProviders: boolean(),
      defaultExpanded: text({ examples: ["hidden", "partial", "full"] })
    },
    contents: flow,
    tag: { name: "prompt", hasData: true }
  },
  if: {
    is: "frame",
    fields: { expression: text({ isRequired: true, examples: ["visitor.claims.a", "true"] }) },
    contents: flow,
    fragments: { else: flow },
    hasFragmentsBeside: true,
    evaluates: "choice",
    tag: { name: "if", argument: { field: "expression" } }
  },
  "reusable-content": {
    is: "void",
    fields: { ref: shown },
    isUntranslated: true,
    evaluates: "include",
    tag: { name: "include", argument: { field: "ref", use: "include" } }
  },

  code: {
    is: "container",
    fields: {
      syntax: text({ attribute: false, examples: ["ts"] }),
      meta: text({ attribute: false, isBeside: true }),
      title: text({ shown: "text" }),
      overflow: text({ examples: ["wrap"] }),
      lineNumbers: boolean(),
      fullWidth,
      expandable: boolean(),
      collapsedLineCount: number()
    },
    contents: items("code-line"),
    isUntranslated: true,
    tag: { name: "code" }
  },
  "code-line": { is: "verbatim", fields: { highlighted: boolean() }, isUntranslated: true },
  math: { is: "void", fields: { formula: text({ isRequired: true, shown: "text", isWrittenAsIs: true }) } },

  images: {
    is: "frame",
    fields: { align: text({ examples: ["left", "center", "right"] }), fullWidth, withFrame: boolean() },
    contents: someItems("image"),
    isVoid: true
  },
  image: {
    is: "void",
    fields: {
      ref: shown,
      refDark: ref({ isDependency: true }),
      alt: words(),
      width: length(),
      height: length(),
      /** Style of the figure in the source. Stored, but not used. */
      style: text({ isBeside: true, isForMembers: true })
    },
    fragments: { caption: { blocks: ["paragraph"] } }
  },
  drawing: { is: "void", fields: { ref: ref({ isDependency: true }), alt: words({ isBeside: true }) } },
  embed: {
    is: "void",
    fields: {
      ref: ref({ isDependency: true, isBeside: true }),
      url: text({ attribute: false, otherwise: "" }),
      caption: words({ isBeside: true }),
      fullWidth
    },
    fragments: { caption: flow },
    mayLackFragments: true,
    tag: { name: "embed", ref: { attribute: "url", use: "embed" } }
  },
  file: {
    is: "void",
    fields: { ref: shown, caption: words({ isBeside: true }) },
    fragments: { caption: flow },
    mayLackFragments: true,
    tag: { name: "file", ref: { attribute: "src", use: "file" } }
  },
  "content-ref": {
    is: "void",
    fields: { ref: target },
    fragments: { body: flow },
    hasFragmentsBeside: true,
    isUntranslated: true,
    tag: {
      name: "content-ref",
      aliases: [{ name: "page-ref", attribute: "page", isAlone: true }],
      ref: { attribute: "url", use: "content-ref" }
    }
  },
  swagger: {
    ...api("openapi", "method", "path"),
    fields: { ref: shown, path: pointer, method: pointer, expanded: boolean(), fullWidth },
    tag: { name: "openapi", aliases: [{ name: "swagger" }], ref: { attribute: "src", use: "file" } }
  },
  "openapi-operation": {
    ...api("openapi-operation", "method", "path"),
    fields: { ref: shown, path: pointer, method: pointer, headless: boolean() }
  },
  "openapi-schemas": {
    ...api("openapi-schemas", "title", "schemas"),
    fields: { ref: shown, schemas: list(), grouped: boolean(), title: words() }
  },
  "openapi-webhook": {
    ...api("openapi-webhook", "name"),
    fields: { ref: shown, name: pointer, method: pointer, headless: boolean() }
  },
  integration: {
    is: "void",
    fields: {
      integration: text({ isRequired: true, attribute: false }),
      block: text({ isRequired: true, attribute: false }),
      props: properties({ isRequired: true, shown: "props" }),
      url: text(),
      fullWidth: boolean({ attribute: false })
    },
    answers: ["action", "origin"],
    isUntranslated: true,
    tag: { name: "@", argument: { field: "url", isOptional: true } }
  },
  table: {
    is: "table",
    fields: {
      view: properties({ isRequired: true }),
      definition: properties({ isRequired: true, shown: "columns" }),
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
    is: "void",
    fields: { html: text({ isRequired: true, shown: "html" }), refs: values() },
    nearest: "paragraph"
  },
  /** Markdown that can't be parsed otherwise: an unknown tag, or an unclosed tag. */
  verbatim: {
    is: "void",
    fields: { markdown: text({ isRequired: true, shown: "markdown" }) },
    nearest: "code",
    visitors: "code"
  },
  definition: {
    is: "void",
    // The title is displayed only with links that use the definition.
    fields: { label: text({ isRequired: true }), ref: target, title: text({ isTranslated: true }) },
    nearest: "paragraph",
    visitors: "nothing"
  },
  "footnote-definition": {
    is: "container",
    fields: { label: text({ isRequired: true, isWrittenAsIs: true }) },
    contents: flow,
    mayLackData: true,
    nearest: "blockquote"
  }
} as const satisfies { readonly [type: string]: BlockSpec }

export type BlockType = keyof typeof specs

export const blockTypes: { readonly [_ in BlockType]: BlockSpec<BlockType> } = specs

/** Description of blocks of unlisted types: reads fields with common names. */
const other: BlockSpec = {
  is: "container",
  fields: {
    title: text({ shown: "text" }),
    markdown: text({ shown: "markdown" }),
    formula: text({ shown: "text" }),
    alt: text({ shown: "text" })
  },
  contents: flow
}

const byType: ReadonlyMap<string, BlockSpec> = new Map(Object.entries(blockTypes))

export const isBlockType = (type: string): type is BlockType => byType.has(type)

export const blockSpec = (type: string): BlockSpec => byType.get(type) ?? other

const within = new Set<string>(
  Array.from(byType.values()).flatMap(({ contents }) =>
    contents === undefined || contents.blocks === "flow" ? [] : contents.blocks
  )
)

/** Types of blocks that may be children of any block with flow content. The other types are parts of certain blocks. */
export const flowTypes: ReadonlyArray<BlockType> = (Object.keys(blockTypes) as Array<BlockType>).filter(
  (type) => !within.has(type)
)
