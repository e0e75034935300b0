/**
 * The `{% … %}` tags that are blocks. Adding one is adding an entry: what it is called in Markdown
 * and in a document, its attributes, and what may stand in it. Attributes that an entry does not
 * name are kept in `data.attributes` and written back.
 */
import type { Data } from "../Document.ts"
import type { RefUse } from "./RefUrl.ts"
import * as TagValue from "./TagValue.ts"

export interface Tag {
  readonly name: string
  /** The type of the block. */
  readonly type: string
  /** Other names that are read for it. */
  readonly aliases?: ReadonlyArray<string>
  readonly attributes: { readonly [name: string]: TagValue.Kind }
  /** Fields of the data that are called otherwise than the attributes. */
  readonly fields?: { readonly [attribute: string]: string }
  /** What every block of the type has in its data. */
  readonly data?: Data
  /** The attribute that refers to content, and the use of that reference; `spec` names a specification. */
  readonly ref?: { readonly attribute: string; readonly use: RefUse | "spec" }
  /** The field that holds the argument of the tag: its condition, its target. */
  readonly argument?: { readonly field: string; readonly use?: RefUse; readonly isOptional?: true }
  /**
   * What stands between the tag and its end: `blocks` become its nodes, `items` are the tags of
   * that name and nothing else, `code` is one block of code that takes over the attributes, and a
   * `fragment` of that name holds what describes the block: the end may then be left out. `none`
   * has no end. `details` is that of an HTML element: a summary, then blocks.
   */
  readonly body:
    | { readonly kind: "blocks" }
    | { readonly kind: "items"; readonly of: string }
    | { readonly kind: "code" }
    | { readonly kind: "fragment"; readonly name: string }
    | { readonly kind: "none" }
    | { readonly kind: "details" }
  /** The only tag it may stand in. */
  readonly parent?: string
}

const blocks = { kind: "blocks" } as const
const body = { kind: "fragment", name: "body" } as const

const tags: ReadonlyArray<Tag> = [
  { name: "hint", type: "hint", attributes: { style: "text", icon: "text" }, data: {}, body: blocks },
  { name: "tabs", type: "tabs", attributes: { fullWidth: "boolean" }, body: { kind: "items", of: "tab" } },
  {
    name: "tab",
    type: "tabs-item",
    attributes: { title: "text", icon: "text", slug: "text" },
    data: {},
    body: blocks,
    parent: "tabs"
  },
  { name: "stepper", type: "stepper", attributes: {}, body: { kind: "items", of: "step" } },
  { name: "step", type: "stepper-step", attributes: { icon: "text" }, data: {}, body: blocks, parent: "stepper" },
  {
    name: "columns",
    type: "columns",
    attributes: { fullWidth: "boolean" },
    data: {},
    body: { kind: "items", of: "column" }
  },
  {
    name: "column",
    type: "column",
    attributes: { width: "length", valign: "text" },
    fields: { valign: "verticalAlignment" },
    data: {},
    body: blocks,
    parent: "columns"
  },
  { name: "updates", type: "updates", attributes: { format: "text" }, data: {}, body: { kind: "items", of: "update" } },
  {
    name: "update",
    type: "update",
    attributes: { date: "text", tags: "tags" },
    data: {},
    body: blocks,
    parent: "updates"
  },
  {
    name: "prompt",
    type: "prompt",
    attributes: { description: "text", icon: "text", openInAIProviders: "boolean", defaultExpanded: "text" },
    data: {},
    body: blocks
  },
  { name: "if", type: "if", attributes: {}, argument: { field: "expression" }, body: blocks },
  {
    name: "include",
    type: "reusable-content",
    attributes: {},
    argument: { field: "ref", use: "include" },
    body: { kind: "none" }
  },
  {
    name: "code",
    type: "code",
    attributes: {
      title: "text",
      overflow: "text",
      lineNumbers: "boolean",
      fullWidth: "boolean",
      expandable: "boolean",
      collapsedLineCount: "number"
    },
    body: { kind: "code" }
  },
  {
    name: "embed",
    type: "embed",
    attributes: { caption: "text", fullWidth: "boolean" },
    ref: { attribute: "url", use: "embed" },
    body: { kind: "fragment", name: "caption" }
  },
  {
    name: "file",
    type: "file",
    attributes: { caption: "text" },
    ref: { attribute: "src", use: "file" },
    body: { kind: "fragment", name: "caption" }
  },
  // Its former name, with the target in another attribute; it is written as the one below.
  {
    name: "page-ref",
    type: "content-ref",
    attributes: {},
    ref: { attribute: "page", use: "content-ref" },
    body: { kind: "none" }
  },
  { name: "content-ref", type: "content-ref", attributes: {}, ref: { attribute: "url", use: "content-ref" }, body },
  {
    name: "openapi",
    type: "swagger",
    aliases: ["swagger"],
    attributes: { path: "text", method: "text", expanded: "boolean", fullWidth: "boolean" },
    ref: { attribute: "src", use: "file" },
    body
  },
  {
    name: "openapi-operation",
    type: "openapi-operation",
    attributes: { path: "text", method: "text", headless: "boolean" },
    ref: { attribute: "spec", use: "spec" },
    body
  },
  {
    name: "openapi-schemas",
    type: "openapi-schemas",
    attributes: { schemas: "list", grouped: "boolean", title: "text" },
    ref: { attribute: "spec", use: "spec" },
    body
  },
  {
    name: "openapi-webhook",
    type: "openapi-webhook",
    attributes: { name: "text", method: "text", headless: "boolean" },
    ref: { attribute: "spec", use: "spec" },
    body
  }
]

/** By the name of the tag. */
const byName: ReadonlyMap<string, Tag> = new Map(
  tags.flatMap((tag) => [tag.name, ...(tag.aliases ?? [])].map((name) => [name, tag]))
)

/**
 * A block of an integration: `{% @name/block "url" … %}`, whose attributes are its properties (see
 * `TagData`). The URL that it stands for is left out where it is one of them.
 */
export const integration: Tag = {
  name: "@",
  type: "integration",
  attributes: {},
  argument: { field: "url", isOptional: true },
  body: { kind: "none" }
}

export const named = (name: string): Tag | undefined => (name.startsWith("@") ? integration : byName.get(name))

/** By the type of the block. */
export const byType: ReadonlyMap<string, Tag> = new Map(tags.map((tag) => [tag.type, tag]))

/** The tag between what is shown where a condition holds and what is shown where it does not. */
export const otherwise = "else"
