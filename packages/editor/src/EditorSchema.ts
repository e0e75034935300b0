/**
 * The schema of the editor, generated from the types of blocks, inlines and marks of `@lectern/document`.
 *
 * - Each type of blocks is a type of nodes with the same name. Its attributes are the block's `key` and `data`.
 * - A fragment of a block is a node in it (`fragmentName`). A table has rows and cells (see `table/TableNodes`).
 * - An inline without text is a node (`inlineName`). An inline with text, such as a link, is a mark.
 * - Any other block or inline is an `opaque` node, which has the block or inline as its attribute. It is displayed,
 *   moved and deleted as a whole, and never changed.
 *
 * Where the schema requires content and the document has none, the editor has a paragraph or line with the attribute
 * `filler`, which is not part of the document until it contains something.
 */
import { type BlockType, blockTypes, flowTypes } from "@lectern/document/vocabulary/BlockTypes"
import type { BlockContent, BlockSpec } from "@lectern/document/vocabulary/BlockSpec"
import { type InlineType, inlineTypes } from "@lectern/document/vocabulary/InlineTypes"
import { type MarkType, markTypes } from "@lectern/document/vocabulary/MarkTypes"
import {
  type AttributeSpec,
  type DOMOutputSpec,
  type MarkSpec,
  type Node,
  type NodeSpec,
  Schema
} from "prosemirror-model"
import { elementOf } from "./BlockElements.ts"
import { tableSpecs } from "./table/TableSpecs.ts"

/** Name of the node of a fragment. */
export const fragmentName = (type: string, fragment: string): string => `${type}/${fragment}`

/** Name of the node or mark of an inline. */
export const inlineName = (type: string): string => `inline:${type}`

/** Name of the mark of a leaf. */
export const markName = (type: string): string => `mark:${type}`

/** Name of the group of a node, since names of nodes have characters that content expressions don't allow. */
const groupOf = (name: string): string => name.replaceAll(/\W/g, "_")

const absent: AttributeSpec = { default: null }

/** Attributes of a block. Null: the block lacks the field, or has the value that its type requires. */
const blockAttributes = { key: absent, data: absent, isVoid: absent }

const contentOf = ({ blocks }: BlockContent<string>): string =>
  blocks === "flow" ? "flow+" : `(${blocks.map(groupOf).join(" | ")})+`

const fragmentsOf = (type: string, { fragments = {} }: BlockSpec): ReadonlyArray<string> =>
  Object.keys(fragments).map((name) => fragmentName(type, name))

const contentExpression = (type: BlockType, spec: BlockSpec<BlockType>): string => {
  switch (spec.contentKind) {
    case "text":
      return "inline*"
    case "verbatim":
      return "text*"
    case "table":
      return "table_head table_row*"
    case "frame":
    case "container":
    case "void": {
      const own = spec.content === undefined ? [] : [contentOf(spec.content)]
      return [...own, ...fragmentsOf(type, spec).map((name) => `${groupOf(name)}?`)].join(" ")
    }
  }
}

const maxLabel = 200

/** Returns the first of the texts in the data of a block, such as the title of a tab, which its style displays. */
const labelOf = (type: BlockType, { attrs }: Node): string => {
  const { contentKind, fields }: BlockSpec = blockTypes[type]
  if (contentKind === "text" || contentKind === "verbatim") return ""
  const isText = (name: string) => fields[name]!.kind === "text" && name !== "icon" && name !== "align"
  const names = Object.keys(fields).filter(isText)
  const texts = names.map((name): unknown => attrs["data"]?.[name])
  return String(texts.find((text) => typeof text === "string" && text !== "") ?? "").slice(0, maxLabel)
}

const flow: ReadonlySet<string> = new Set(flowTypes)

const blockNode = (type: BlockType): NodeSpec => {
  const spec: BlockSpec<BlockType> = blockTypes[type]
  const { element, isIsolating = false, isDefining = false } = elementOf(type)
  const content = contentExpression(type, spec)
  const hasFiller = spec.contentKind === "text" || spec.contentKind === "verbatim"
  return {
    content,
    group: flow.has(type) ? `flow ${groupOf(type)}` : groupOf(type),
    attrs: { ...blockAttributes, ...(hasFiller && { filler: { default: false } }) },
    isolating: isIsolating,
    defining: isDefining,
    ...(content === "" && { atom: true, draggable: true }),
    ...(spec.contentKind === "verbatim" && { marks: "", code: true }),
    ...(spec.contentKind === "table" && { tableRole: "table" }),
    toDOM: (node): DOMOutputSpec => {
      const label = labelOf(type, node)
      const hidesHeader = spec.contentKind === "table" && node.attrs["data"]?.view?.hideHeader === true
      const attributes = {
        "data-block": type,
        ...(label !== "" && { "data-label": label }),
        ...(hidesHeader && { "data-no-header": "" })
      }
      return content === "" ? [element, attributes] : [element, attributes, 0]
    },
    parseDOM: [{ tag: `[data-block="${type}"]` }]
  }
}

const fragmentNodes = (type: BlockType): ReadonlyArray<readonly [string, NodeSpec]> =>
  Object.entries((blockTypes[type] as BlockSpec).fragments ?? {}).map(([fragment, content]) => {
    const name = fragmentName(type, fragment)
    return [
      name,
      {
        content: contentOf(content),
        group: groupOf(name),
        attrs: { key: absent, type: absent },
        isolating: true,
        toDOM: (): DOMOutputSpec => ["div", { "data-fragment": fragment }, 0],
        parseDOM: [{ tag: `[data-fragment="${fragment}"]`, context: `${type}/` }]
      }
    ]
  })

const inlineNode = (type: InlineType): NodeSpec => ({
  inline: true,
  group: "inline",
  attrs: { data: absent, isVoid: absent },
  atom: true,
  draggable: true,
  toDOM: (): DOMOutputSpec => ["span", { "data-inline": type }],
  parseDOM: [{ tag: `[data-inline="${type}"]` }]
})

/** Other targets of links are no URLs, or such as no page may open. */
const hrefOf = (ref: unknown): { readonly href?: string } => {
  const url: unknown = Object(ref)["url"]
  return typeof url === "string" && /^(?:https?:|mailto:|[#/])/i.test(url) ? { href: url } : {}
}

/**
 * A mark that holds the data of an inline with text. `run` differs between two equal inlines that follow each other, so
 * that they stay two.
 */
const inlineMark = (type: InlineType): MarkSpec => ({
  attrs: { data: absent, isVoid: absent, fragments: absent, run: { default: 0 } },
  inclusive: false,
  toDOM: ({ attrs }): DOMOutputSpec =>
    type === "link"
      ? ["a", { "data-inline": type, ...hrefOf(attrs["data"]?.ref) }, 0]
      : ["span", { "data-inline": type }, 0],
  parseDOM: [{ tag: `[data-inline="${type}"]` }]
})

const markSpec = (type: MarkType): MarkSpec => ({
  attrs: { data: absent },
  ...(type === "code" && { code: true }),
  toDOM: (): DOMOutputSpec => [
    (markTypes[type] as { readonly element?: string }).element ?? "span",
    { "data-mark": type },
    0
  ],
  parseDOM: [{ tag: `[data-mark="${type}"]` }]
})

const blockNames = Object.keys(blockTypes) as ReadonlyArray<BlockType>
const inlineNames = Object.keys(inlineTypes) as ReadonlyArray<InlineType>
const markNames = Object.keys(markTypes) as ReadonlyArray<MarkType>

const isMarkInline = (type: InlineType): boolean => inlineTypes[type].contentKind === "text"

export const schema: Schema = new Schema({
  nodes: {
    doc: { content: "flow+" },
    text: { group: "inline" },
    ...Object.fromEntries(blockNames.map((type) => [type, blockNode(type)])),
    ...Object.fromEntries(blockNames.flatMap(fragmentNodes)),
    ...tableSpecs,
    ...Object.fromEntries(
      inlineNames.filter((type) => !isMarkInline(type)).map((type) => [inlineName(type), inlineNode(type)])
    ),
    opaque: {
      group: "flow",
      attrs: { block: {} },
      atom: true,
      draggable: true,
      toDOM: (): DOMOutputSpec => ["figure", { "data-block": "opaque" }]
    },
    "opaque-inline": {
      inline: true,
      group: "inline",
      attrs: { inline: {} },
      atom: true,
      draggable: true,
      toDOM: (): DOMOutputSpec => ["span", { "data-inline": "opaque" }]
    }
  },
  marks: {
    // The first is the outermost: inlines, then marks in the order in which they nest.
    ...Object.fromEntries(
      inlineNames
        .filter(isMarkInline)
        .reverse()
        .map((type) => [inlineName(type), inlineMark(type)])
    ),
    ...Object.fromEntries(markNames.map((type) => [markName(type), markSpec(type)]))
  }
})

/** Returns a line of a block of code. */
export const codeLine = (text: string): Node =>
  schema.node("code-line", { data: {} }, text === "" ? [] : [schema.text(text)])
