/**
 * Changes of one page, block by block, as a reviewer would say them: added, removed, moved, edited; in an
 * edited block, word by word.
 *
 * Default: at most 500 changes are listed; `more` tells how many were left out.
 */
import { Schema } from "effect"
import { Around } from "@lectern/document/merge/Around"
import { PageId } from "./Page.ts"

/** A run of words of an edited block: those that stayed, and those that came or went. */
export const TextRun = Schema.Struct({
  kind: Schema.Literals(["equal", "inserted", "deleted"]),
  text: Schema.String
})

const about = {
  /** Of a table: the row, or the column, that changed. Its blocks are tables of that row or column alone. */
  row: Schema.optionalKey(Schema.String),
  column: Schema.optionalKey(Schema.String),
  /** Blocks that it stands in, outermost first: the tab, say, and the code of a line. Left out at the top. */
  inside: Schema.optionalKey(Schema.Array(Around))
}

/** Blocks are as in a document, with all that is in them. */
export const BlockChange = Schema.Union([
  Schema.Struct({
    type: Schema.Literals(["block_added", "block_removed", "block_moved"]),
    ...about,
    block: Schema.Unknown
  }),
  Schema.Struct({
    type: Schema.Literal("block_edited"),
    ...about,
    before: Schema.Unknown,
    after: Schema.Unknown,
    /** True where the block stands elsewhere as well. */
    moved: Schema.Boolean,
    /** Without runs that came or went, only its marks or its data changed. */
    text: Schema.Array(TextRun)
  })
])
export type BlockChange = typeof BlockChange.Type

export const PageChanges = Schema.Struct({
  object: Schema.Literal("page-changes"),
  id: PageId,
  /** Its title after; before, where it is gone. */
  title: Schema.String,
  changes: Schema.Array(BlockChange),
  /** How many more there are. */
  more: Schema.optionalKey(Schema.Int)
})
export type PageChanges = typeof PageChanges.Type
