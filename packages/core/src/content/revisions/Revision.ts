/**
 * An immutable snapshot of a space's content, and its origin. Revisions of a space and of its change requests share one
 * table and one history.
 */
import { Schema } from "effect"
import { ObjectHash } from "../../storage/ObjectStore.ts"
import * as Table from "../../storage/Table.ts"
import { Timestamp } from "../../schema/Text.ts"
import { Content } from "../Content.ts"

/** Id of a revision. */
export const RevisionId = Schema.String.pipe(Schema.brand("RevisionId"))
export type RevisionId = typeof RevisionId.Type

/**
 * `edits`: edits of content; `merge`: a change request was merged into main; `update`: a change request was updated
 * from main.
 */
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
  /** Hash of the object with an array of the unresolved conflicts. Only for a revision of a change request. */
  conflicts: Schema.optionalKey(ObjectHash),
  /** Id of the merged change request, for a revision of type `merge`. */
  mergedFrom: Schema.optionalKey(Schema.String),
  git: Schema.optionalKey(RevisionGit)
})
export type RevisionRow = typeof RevisionRow.Type

export const RevisionTable = Table.make("revision", RevisionRow, {
  key: ["id"],
  indexes: [["space", "createdAt"], ["replaces"]]
})
