/**
 * Changes of one page, block by block, as a reviewer would describe them: added, removed, moved, edited. The text of an
 * edited block is compared word by word.
 *
 * Default: at most 500 changes are listed; `more` is the number of omitted changes.
 */
import { Schema } from "effect"
import { BlockAncestor } from "@lectern/document/merge/BlockAncestor"
import { PageId } from "./Page.ts"

/** A run of words of an edited block: unchanged, inserted or deleted. */
export const TextRun = Schema.Struct({
  kind: Schema.Literals(["equal", "inserted", "deleted"]),
  text: Schema.String
})

const about = {
  /** The row or column of a table that changed. The blocks are then tables with only that row or column. */
  row: Schema.optionalKey(Schema.String),
  column: Schema.optionalKey(Schema.String),
  /** Enclosing blocks, outermost first, such as the tab and the code block of a line. Absent at the top. */
  inside: Schema.optionalKey(Schema.Array(BlockAncestor))
}

/** A change of one block. Blocks have the form that they have in a document, with all their content. */
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
    /** True if the block was also moved. */
    moved: Schema.Boolean,
    /** Without inserted or deleted runs, only the marks or the data of the block changed. */
    text: Schema.Array(TextRun)
  })
])
export type BlockChange = typeof BlockChange.Type

export const PageChanges = Schema.Struct({
  object: Schema.Literal("page-changes"),
  id: PageId,
  /** Title after the change. Title before the change if the page was deleted. */
  title: Schema.String,
  changes: Schema.Array(BlockChange),
  /** Number of omitted changes. */
  more: Schema.optionalKey(Schema.Int)
})
export type PageChanges = typeof PageChanges.Type
