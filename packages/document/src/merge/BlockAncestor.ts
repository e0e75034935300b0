/** Schema of an ancestor of a block (see `BlockAncestors`). */
import { Schema } from "effect"

export const BlockAncestor = Schema.Struct({
  key: Schema.String,
  type: Schema.String,
  /** Title of the ancestor, such as the title of a tab. Absent if the ancestor has no title. */
  title: Schema.optionalKey(Schema.String),
  /** Id of the row that contains the block, if the ancestor is a table. `column`: id of the column. */
  row: Schema.optionalKey(Schema.String),
  column: Schema.optionalKey(Schema.String)
})
export type BlockAncestor = typeof BlockAncestor.Type
