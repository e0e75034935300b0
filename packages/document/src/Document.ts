/**
 * A document is a tree of blocks. Its vocabulary (block types, names of data) is that of the hosted service, so clients
 * of that service can read the documents. The tree is open: unknown types stay unchanged. `vocabulary/BlockTypes`
 * describes the known types.
 *
 * Each block has a `key` that is unique in its document and survives edits. Merges, comments and diffs refer to blocks
 * by key.
 *
 * Limits: 100 levels, 100,000 nodes, 8 MiB as JSON.
 */
import type { ContentRef } from "./ContentRef.ts"

export type { ContentRef }

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
  /** Anchor of the block (see `DocumentAnchors`). Only in responses. */
  readonly meta?: { readonly id: string }
  readonly isVoid?: boolean
  readonly nodes?: ReadonlyArray<Node>
  readonly fragments?: ReadonlyArray<Fragment>
}
/**
 * A named part of a block in addition to its nodes, such as the caption of an image or the title of an expandable
 * block.
 */
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

export const emptyDocument: Document = { object: "document", data: { schemaVersion }, nodes: [] }
