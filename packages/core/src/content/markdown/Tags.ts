/**
 * The `{% … %}` tags that are blocks. Adding one is adding an entry: what it is called in Markdown
 * and in a document, its attributes, and what may stand in it. Attributes that an entry does not
 * name are kept in `data.attributes` and written back.
 */
import type { RefUse } from "./RefUrl.ts"

export interface Tag {
  readonly name: string
  /** The type of the block. */
  readonly type: string
  readonly attributes: { readonly [name: string]: "text" | "boolean" }
  /** The attribute that refers to content, and the use of that reference. */
  readonly ref?: { readonly attribute: string; readonly use: RefUse }
  /**
   * What stands between the tag and its end: `blocks` become its nodes, `items` are the tags of
   * that name and nothing else, `code` is one block of code that takes over the attributes, and a
   * `fragment` of that name holds what describes the block: the end may then be left out.
   */
  readonly body:
    | { readonly kind: "blocks" }
    | { readonly kind: "items"; readonly of: string }
    | { readonly kind: "code" }
    | { readonly kind: "fragment"; readonly name: string }
  /** The only tag it may stand in. */
  readonly parent?: string
}

const tags: ReadonlyArray<Tag> = [
  { name: "hint", type: "hint", attributes: { style: "text", icon: "text" }, body: { kind: "blocks" } },
  { name: "tabs", type: "tabs", attributes: { fullWidth: "boolean" }, body: { kind: "items", of: "tab" } },
  {
    name: "tab",
    type: "tabs-item",
    attributes: { title: "text", icon: "text", slug: "text" },
    body: { kind: "blocks" },
    parent: "tabs"
  },
  {
    name: "code",
    type: "code",
    attributes: {
      title: "text",
      overflow: "text",
      lineNumbers: "boolean",
      fullWidth: "boolean",
      expandable: "boolean"
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
  {
    name: "content-ref",
    type: "content-ref",
    attributes: {},
    ref: { attribute: "url", use: "content-ref" },
    body: { kind: "fragment", name: "body" }
  }
]

/** By the name of the tag. */
export const byName: ReadonlyMap<string, Tag> = new Map(tags.map((tag) => [tag.name, tag]))

/** By the type of the block. */
export const byType: ReadonlyMap<string, Tag> = new Map(tags.map((tag) => [tag.type, tag]))
