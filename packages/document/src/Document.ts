/**
 * A document is a tree of blocks. The vocabulary (block types, names of data) is the hosted
 * service's, so that readers of its documents understand ours; the tree is open: a type that is
 * not known here is kept as it came. What is known of each type stands in `vocabulary/BlockTypes`.
 *
 * Every block carries a `key` that is unique in its document and survives edits: merges, comments
 * and diffs speak of blocks by it.
 *
 * Limits: nesting of 100, 100,000 nodes, 8 MiB as JSON.
 */
import { Schema } from "effect"
import { atMost } from "./Text.ts"

const Name = atMost(1024)

/** A reference to content; `kind` says which other fields it has. Limits: URL 8,192 characters, names 1,024. */
export const ContentRef = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("url"), url: atMost(8192) }),
  Schema.Struct({ kind: Schema.Literal("file"), file: Name, space: Schema.optionalKey(Name) }),
  Schema.Struct({ kind: Schema.Literal("page"), page: Name, space: Schema.optionalKey(Name) }),
  Schema.Struct({
    kind: Schema.Literal("anchor"),
    anchor: Name,
    page: Schema.optionalKey(Name),
    space: Schema.optionalKey(Name)
  }),
  Schema.Struct({ kind: Schema.Literal("user"), user: Name }),
  Schema.Struct({ kind: Schema.Literal("collection"), collection: Name }),
  Schema.Struct({ kind: Schema.Literal("space"), space: Name }),
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    reusableContent: Name,
    space: Schema.optionalKey(Name)
  }),
  Schema.Struct({ kind: Schema.Literal("openapi"), spec: Name })
])
export type ContentRef = typeof ContentRef.Type

export type Data = { readonly [name: string]: unknown }

export interface Mark {
  readonly object: "mark"
  readonly type: string
  readonly data?: Data
}
export interface Leaf {
  readonly object: "leaf"
  readonly text: string
  readonly marks: ReadonlyArray<Mark>
}
export interface Text {
  readonly object: "text"
  readonly key?: string
  readonly leaves: ReadonlyArray<Leaf>
}
export interface Inline {
  readonly object: "inline"
  readonly type: string
  readonly key?: string
  readonly data?: Data
  readonly isVoid?: boolean
  readonly nodes?: ReadonlyArray<Inline | Text>
  readonly fragments?: ReadonlyArray<Fragment>
}
export interface Block {
  readonly object: "block"
  readonly type: string
  readonly key: string
  readonly data?: Data
  /** In answers alone: the anchor (see `DocumentAnchors`). */
  readonly meta?: { readonly id: string }
  readonly isVoid?: boolean
  readonly nodes?: ReadonlyArray<Node>
  readonly fragments?: ReadonlyArray<Fragment>
}
/** A part of a block beside its nodes: a caption, the title and body of an expandable. */
export interface Fragment {
  readonly object: "fragment"
  readonly key?: string
  readonly fragment?: string
  readonly type?: string
  readonly nodes: ReadonlyArray<Block>
}
export type Node = Block | Inline | Text

export interface Document {
  readonly object: "document"
  readonly data: { readonly schemaVersion?: number; readonly [name: string]: unknown }
  readonly nodes: ReadonlyArray<Block>
}

export const schemaVersion = 1

export const empty: Document = { object: "document", data: { schemaVersion }, nodes: [] }
