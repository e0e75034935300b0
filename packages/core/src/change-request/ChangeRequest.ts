/**
 * A change request proposes edits to a space. It has a line of revisions of its own, which starts
 * at the space's revision of the moment and ends, if all goes well, in a merge.
 *
 * Limits: subject 100 characters in one line, agent task id 256. The number counts up from 1 within the space.
 */
import { Schema } from "effect"
import { RevisionId } from "../content/revisions/Revision.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import { ObjectHash } from "../storage/ObjectStore.ts"
import * as Table from "../storage/Table.ts"
import { TemplateApplication } from "../template/Template.ts"
import { User, UserId } from "../user/User.ts"
import { ChangeRequestStatus, SettableStatus } from "./ChangeRequestState.ts"

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
  /** A document, kept as an object. */
  description: Schema.optionalKey(ObjectHash),
  agentTask: Schema.optionalKey(Schema.String),
  createdBy: Schema.NullOr(UserId),
  revision: RevisionId,
  revisionInitial: RevisionId,
  revisionMergedAncestor: Schema.optionalKey(RevisionId),
  revisionMerged: Schema.optionalKey(RevisionId),
  mergedBy: Schema.optionalKey(Schema.NullOr(UserId)),
  mergedAt: Schema.optionalKey(Timestamp),
  /** Open comments. */
  comments: Schema.Int,
  /** Users who made it, wrote content in it or commented on it. */
  contributors: Schema.Array(UserId),
  /** How often each user wrote content in it, and when last. */
  edits: Schema.Record(UserId, Schema.Struct({ count: Schema.Int, at: Timestamp })),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type ChangeRequestRow = typeof ChangeRequestRow.Type

export const ChangeRequestTable = Table.make("changeRequest", ChangeRequestRow, {
  key: ["id"],
  lists: { contributors: (row: ChangeRequestRow) => row.contributors },
  indexes: [
    ["space", "status", "number"],
    ["organization", "status", "createdAt"]
  ],
  unique: [["space", "number"]]
})

export const ChangeRequestCreate = Schema.Struct({
  subject: Schema.optionalKey(Subject),
  agentTaskId: Schema.optionalKey(Text.atMost(256)),
  /** A document; validated when it is stored. */
  description: Schema.optionalKey(Schema.Unknown),
  /** Default: `draft`. */
  status: Schema.optionalKey(Schema.Literals(["draft", "open"])),
  /** Its pages stand behind those that the space has. */
  template: Schema.optionalKey(TemplateApplication)
})
export type ChangeRequestCreate = typeof ChangeRequestCreate.Type

export const ChangeRequestPatch = Schema.Struct({
  subject: Schema.optionalKey(Subject),
  /** A document; checked when it is stored. */
  description: Schema.optionalKey(Schema.Unknown),
  status: Schema.optionalKey(SettableStatus)
})
export type ChangeRequestPatch = typeof ChangeRequestPatch.Type

/** The statuses of a list: one or several, or all. */
export const StatusFilter = Schema.Union([ChangeRequestStatus, Schema.Literal("all")])
export type StatusFilter = typeof StatusFilter.Type

/** The resource. */
export const ChangeRequest = Schema.Struct({
  object: Schema.Literal("change-request"),
  id: ChangeRequestId,
  number: Schema.Int,
  status: ChangeRequestStatus,
  subject: Schema.String,
  description: Schema.optionalKey(Schema.Unknown),
  agentTaskId: Schema.optionalKey(Schema.String),
  createdBy: User,
  mergedBy: Schema.optionalKey(User),
  mergedAt: Schema.optionalKey(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  space: SpaceId,
  revision: RevisionId,
  revisionInitial: RevisionId,
  revisionMergedAncestor: Schema.optionalKey(RevisionId),
  revisionMerged: Schema.optionalKey(RevisionId),
  comments: Schema.Int,
  outdated: Schema.Boolean,
  urls: Schema.Struct({ app: Schema.String, location: Schema.String })
})
export type ChangeRequest = typeof ChangeRequest.Type

/** The revision of main that a change request is based on. */
export const baseRevision = (row: ChangeRequestRow): RevisionId => row.revisionMergedAncestor ?? row.revisionInitial

/** Contributors of a change request with one more user. */
export const withContributor = ({ contributors }: ChangeRequestRow, user: UserId): ReadonlyArray<UserId> =>
  contributors.includes(user) ? contributors : [...contributors, user]

/** Tells whether main has moved on since; a merged or archived one has nothing to catch up with. */
export const isOutdated = (row: ChangeRequestRow, spaceRevision: RevisionId): boolean =>
  (row.status === "draft" || row.status === "open") && baseRevision(row) !== spaceRevision

export class ChangeRequestNotFound extends Schema.TaggedError<ChangeRequestNotFound>()(
  "ChangeRequestNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Its content is another revision than the caller has seen. */
export class ChangeRequestMoved extends Schema.TaggedError<ChangeRequestMoved>()(
  "ChangeRequestMoved",
  { message: Schema.String },
  { httpApiStatus: 412 }
) {}

/** The state of the change request does not allow it. */
export class ChangeRequestConflict extends Schema.TaggedError<ChangeRequestConflict>()(
  "ChangeRequestConflict",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
