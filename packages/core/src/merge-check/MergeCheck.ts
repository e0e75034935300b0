/**
 * Checks of a change request: results of other programs, such as a job of CI, for one revision of its content. A merge
 * requires checks only if a rule names them (see `merge-rules/MergeRules`). A check counts for the newest revision of the
 * change request and is outdated after the next edit.
 *
 * A change request has one check of each name. A result for an earlier revision does not replace one for the newest.
 *
 * Limits: 50 checks of a change request; name 1 to 100 characters in one line, text 1,000 characters, URL 2,048.
 */
import { Schema } from "effect"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { User, UserId } from "../user/User.ts"
import { CheckName } from "./CheckName.ts"

/** `pending`: the result is not known yet. */
export const CheckState = Schema.Literals(["pending", "passed", "failed"])
export type CheckState = typeof CheckState.Type

export const MergeCheckRow = Schema.Struct({
  space: SpaceId,
  changeRequest: ChangeRequestId,
  name: CheckName,
  /** Checked revision. */
  revision: RevisionId,
  state: CheckState,
  url: Schema.optionalKey(Text.HttpUrl),
  text: Schema.optionalKey(Text.between(1, 1000)),
  /** User who set the check. Null for the host application. */
  updatedBy: Schema.NullOr(UserId),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type MergeCheckRow = typeof MergeCheckRow.Type

export const MergeCheckTable = Table.make("mergeCheck", MergeCheckRow, {
  key: ["changeRequest", "name"],
  indexes: [["space"]]
})

export const MergeCheckSet = Schema.Struct({
  /** Result of the check. */
  state: CheckState,
  /** URL of the details, such as the log of the job. Default: none. */
  url: MergeCheckRow.fields.url,
  /** Explanation for people. Default: none. */
  text: MergeCheckRow.fields.text,
  /** Id of the checked revision of the change request. Default: the newest. */
  revision: Schema.optionalKey(RevisionId)
})
export type MergeCheckSet = typeof MergeCheckSet.Type

/** A check as an API resource. */
export const MergeCheck = Schema.Struct({
  object: Schema.Literal("change-request-check"),
  /** Name, unique within the change request. */
  name: Schema.String,
  /** Result of the check. */
  state: CheckState,
  /** URL of the details. */
  url: Schema.optionalKey(Schema.String),
  /** Explanation for people. */
  text: Schema.optionalKey(Schema.String),
  /** Id of the checked revision. */
  revision: RevisionId,
  /** True if the change request has a newer revision. An outdated check counts for no rule. */
  outdated: Schema.Boolean,
  /** User who set the check. */
  updatedBy: User,
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export interface MergeCheck extends Schema.Schema.Type<typeof MergeCheck> {}

/** Raised if the change request has 50 checks. */
export class TooManyChecks extends Schema.TaggedError<TooManyChecks>()(
  "TooManyChecks",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
