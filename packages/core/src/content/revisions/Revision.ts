/**
 * A revision is an immutable snapshot of a space's content, with where it came from. Revisions of
 * a space and of its change requests share one table and one line of descent.
 */
import { Schema } from "effect"
import { ObjectHash } from "../../storage/ObjectStore.ts"
import * as Table from "../../storage/Table.ts"
import { Timestamp } from "../../schema/Text.ts"
import { Content } from "../Content.ts"

export const RevisionId = Schema.String.pipe(Schema.brand("RevisionId"))
export type RevisionId = typeof RevisionId.Type

/** `edits` of content, `merge` of a change request into main, `update` of one from main. */
export const RevisionType = Schema.Literals(["edits", "merge", "update", "rollback", "computed"])
export type RevisionType = typeof RevisionType.Type

export const RevisionGit = Schema.Struct({
  oid: Schema.String,
  message: Schema.String,
  createdByService: Schema.Boolean,
  url: Schema.optionalKey(Schema.String),
  ref: Schema.optionalKey(Schema.String)
})

export const RevisionRow = Schema.Struct({
  id: RevisionId,
  space: Schema.String,
  parents: Schema.Array(RevisionId),
  type: RevisionType,
  author: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  content: Content,
  /**
   * The main revision that this one replaced; absent for revisions of change requests and for the first revision of a
   * space.
   */
  replaces: Schema.optionalKey(RevisionId),
  /** The unresolved conflicts of a change request's revision: an object with an array of them. */
  conflicts: Schema.optionalKey(ObjectHash),
  /** The change request that was merged, of a revision of type `merge`. */
  mergedFrom: Schema.optionalKey(Schema.String),
  git: Schema.optionalKey(RevisionGit)
})
export type RevisionRow = typeof RevisionRow.Type

export const RevisionTable = Table.make("revision", RevisionRow, {
  key: ["id"],
  indexes: [["space", "createdAt"], ["replaces"]]
})
