/**
 * A change request proposes edits to a space. It has its own sequence of revisions, which starts at the space's
 * revision at its creation. A merge makes its content the main content.
 *
 * Limits: subject 100 characters on one line, agent task id 256 characters. Numbers count up from 1 within the space.
 */
import { Schema } from "effect"
import { RevisionId } from "../content/revisions/Revision.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import { Mergeable } from "../merge-rules/MergeRules.ts"
import { ObjectHash } from "../storage/ObjectStore.ts"
import * as Table from "../storage/Table.ts"
import { TemplateApplication } from "../template/Template.ts"
import { User, UserId } from "../user/User.ts"
import { ChangeRequestStatus, SettableStatus } from "./ChangeRequestState.ts"

/** Id of a change request. */
export const ChangeRequestId = Schema.String.pipe(Schema.brand("ChangeRequestId"))
export type ChangeRequestId = typeof ChangeRequestId.Type

export const Subject = Text.line(0, 100)

export const ChangeRequestRow = Schema.Struct({
  id: ChangeRequestId,
  space: SpaceId,
  organization: OrganizationId,
  number: Schema.Int,
  status: ChangeRequestStatus,
  subject: Subject,
  /** Hash of the description, a document in the object store. */
  description: Schema.optionalKey(ObjectHash),
  agentTask: Schema.optionalKey(Schema.String),
  createdBy: Schema.NullOr(UserId),
  revision: RevisionId,
  revisionInitial: RevisionId,
  revisionMergedAncestor: Schema.optionalKey(RevisionId),
  revisionMerged: Schema.optionalKey(RevisionId),
  mergedBy: Schema.optionalKey(Schema.NullOr(UserId)),
  mergedAt: Schema.optionalKey(Timestamp),
  /** Number of open comments. */
  comments: Schema.Int,
  /** Users who created the change request, edited its content or commented on it. */
  contributors: Schema.Array(UserId),
  /** Users whose reviews are requested and not submitted since. Absent without a request (see `AwaitedReviewers`). */
  awaitedReviewers: Schema.optionalKey(Schema.Array(UserId)),
  /** Number of edits of each user, and the time of the last one. */
  edits: Schema.Record(UserId, Schema.Struct({ count: Schema.Int, at: Timestamp })),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type ChangeRequestRow = typeof ChangeRequestRow.Type

export const ChangeRequestTable = Table.make("changeRequest", ChangeRequestRow, {
  key: ["id"],
  lists: {
    contributors: (row: ChangeRequestRow) => row.contributors,
    awaitedReviewers: (row: ChangeRequestRow) => row.awaitedReviewers ?? []
  },
  indexes: [
    ["space", "status", "number"],
    ["organization", "status", "createdAt"]
  ],
  unique: [["space", "number"]]
})

export const ChangeRequestCreate = Schema.Struct({
  /** Subject in one line. Default: empty. */
  subject: Schema.optionalKey(Subject),
  /** Id of an agent task of your own that the change request implements. */
  agentTaskId: Schema.optionalKey(Text.atMost(256)),
  /** Description: Markdown in `{ markdown }`, or a document. */
  description: Schema.optionalKey(Schema.Unknown),
  /** `draft`: not ready for review. `open`: ready. Default: `draft`. */
  status: Schema.optionalKey(Schema.Literals(["draft", "open"])),
  /** Template whose pages are added after the pages of the space. */
  template: Schema.optionalKey(TemplateApplication)
})
export type ChangeRequestCreate = typeof ChangeRequestCreate.Type

export const ChangeRequestPatch = Schema.Struct({
  /** Subject in one line. */
  subject: Schema.optionalKey(Subject),
  /** Description: Markdown in `{ markdown }`, or a document. An empty one removes it. */
  description: Schema.optionalKey(Schema.Unknown),
  /** `draft`: not ready for review. `open`: ready, or opened again. `archived`: closed without a merge. */
  status: Schema.optionalKey(SettableStatus)
})
export type ChangeRequestPatch = typeof ChangeRequestPatch.Type

/** Part of a space that returns to an earlier revision. */
export const RevisionRevert = Schema.Struct({
  /** Ids of the pages to revert, without the pages below them. Default: all content of the space. */
  pages: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(50))),
  /** Subject of the change request in one line. Default: names the revision. */
  subject: Schema.optionalKey(Subject)
})
export type RevisionRevert = typeof RevisionRevert.Type

/** Filter of a list: one status, or all. */
export const StatusFilter = Schema.Union([ChangeRequestStatus, Schema.Literal("all")])
export type StatusFilter = typeof StatusFilter.Type

/** A change request as an API resource. */
export const ChangeRequest = Schema.Struct({
  object: Schema.Literal("change-request"),
  id: ChangeRequestId,
  /** Number in the space, starting with 1. */
  number: Schema.Int,
  /** `draft`, `open`, `archived` or `merged`. */
  status: ChangeRequestStatus,
  /** Subject. */
  subject: Schema.String,
  /** Description as a document. Absent without one, and in lists if it is large. */
  description: Schema.optionalKey(Schema.Unknown),
  /** Id of the agent task that the change request implements. */
  agentTaskId: Schema.optionalKey(Schema.String),
  /** User who created the change request. */
  createdBy: User,
  /** User who merged the change request. */
  mergedBy: Schema.optionalKey(User),
  /** Time of the merge. */
  mergedAt: Schema.optionalKey(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Id of the space. */
  space: SpaceId,
  /** Id of the current revision of the change request. */
  revision: RevisionId,
  /** Id of the main revision from which the change request was created. */
  revisionInitial: RevisionId,
  /** Id of the main revision from which the change request was last updated. */
  revisionMergedAncestor: Schema.optionalKey(RevisionId),
  /** Id of the revision that the merge created. */
  revisionMerged: Schema.optionalKey(RevisionId),
  /** Number of open comments. */
  comments: Schema.Int,
  /** True if the main content has changed since the change request was created or updated. */
  outdated: Schema.Boolean,
  /** Result of the rules for merges. Only in responses of `get`, `create` and `update`, for drafts and open change requests. */
  mergeable: Schema.optionalKey(Mergeable),
  urls: Schema.Struct({ app: Schema.String, location: Schema.String })
})
export interface ChangeRequest extends Schema.Schema.Type<typeof ChangeRequest> {}

/** Returns the main revision that a change request is based on. */
export const baseRevision = (row: ChangeRequestRow): RevisionId => row.revisionMergedAncestor ?? row.revisionInitial

/** Returns the contributors of a change request, including the user. */
export const withContributor = ({ contributors }: ChangeRequestRow, user: UserId): ReadonlyArray<UserId> =>
  contributors.includes(user) ? contributors : [...contributors, user]

/** Returns true if main has changed since the base revision. False for merged and archived change requests. */
export const isOutdated = (row: ChangeRequestRow, spaceRevision: RevisionId): boolean =>
  (row.status === "draft" || row.status === "open") && baseRevision(row) !== spaceRevision

/** Raised if the space has no change request with the id or number. */
export class ChangeRequestNotFound extends Schema.TaggedError<ChangeRequestNotFound>()(
  "ChangeRequestNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised before any write if the change request is not at a revision that the caller expects. Reload and retry. */
export class ChangeRequestStale extends Schema.TaggedError<ChangeRequestStale>()(
  "ChangeRequestStale",
  { message: Schema.String },
  { httpApiStatus: 412 }
) {}

/** Raised if the status of the change request does not allow the operation, or if concurrent changes prevent it. */
export class ChangeRequestConflict extends Schema.TaggedError<ChangeRequestConflict>()(
  "ChangeRequestConflict",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
