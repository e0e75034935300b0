/**
 * An import of a web site, or of files that were uploaded, into a space or into a change request of it, that runs in
 * the background in the name of who began it.
 *
 * Limits: those of imports (see `ContentImport`); 100 that have not ended and 1,000 that have in an organization.
 * One that ended more than 30 days ago is forgotten when the next begins.
 */
import { Schema } from "effect"
import { ImportReport } from "../content/import/ImportReport.ts"
import { OrganizationId } from "../organization/Organization.ts"
import * as Text from "../schema/Text.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { UploadKey } from "../upload/Upload.ts"
import { UserId } from "../user/User.ts"

export const maxWaiting = 100
export const maxEnded = 1_000
export const keptDays = 30

export const ImportRunStatus = Schema.Literals(["pending", "in-progress", "completed", "failed", "cancelled"])
export type ImportRunStatus = typeof ImportRunStatus.Type

export const unended = ["pending", "in-progress"] as const satisfies ReadonlyArray<ImportRunStatus>

const told = {
  id: Schema.String,
  status: ImportRunStatus,
  /** Why it failed, in a sentence. */
  reason: Schema.optionalKey(Schema.String),
  /** Absent where the host application began it. */
  createdBy: Schema.optionalKey(UserId),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  startedAt: Schema.optionalKey(Timestamp),
  completedAt: Schema.optionalKey(Timestamp),
  /** Report of a completed import; absent otherwise. */
  report: Schema.optionalKey(ImportReport)
}

/** `files`: the keys of uploads. */
export const ImportRunSource = Schema.Union([
  Schema.Struct({ type: Schema.Literal("website"), url: Text.HttpUrl }),
  Schema.Struct({
    type: Schema.Literal("file"),
    files: Schema.Array(UploadKey).check(Schema.isMinLength(1), Schema.isMaxLength(50))
  })
])
export type ImportRunSource = typeof ImportRunSource.Type

export const ImportRunRow = Schema.Struct({
  ...told,
  organization: OrganizationId,
  space: SpaceId,
  changeRequest: Schema.optionalKey(Schema.String),
  source: ImportRunSource
})
export type ImportRunRow = typeof ImportRunRow.Type

export const ImportRunTable = Table.make("importRun", ImportRunRow, {
  key: ["id"],
  indexes: [["organization", "status"], ["space"]]
})

export const ImportRunStart = Schema.Struct({
  source: ImportRunSource,
  target: Schema.Struct({
    space: SpaceId,
    changeRequest: Schema.optionalKey(Text.atMost(256)),
    page: Schema.optionalKey(Text.atMost(256))
  })
})
export type ImportRunStart = typeof ImportRunStart.Type

/** `active`: those that have not ended. */
export const ImportRunFilter = Schema.Struct({
  space: Schema.optionalKey(Schema.String).annotateKey({ description: "The id of a space: imports into it." }),
  changeRequest: Schema.optionalKey(Schema.String).annotateKey({
    description: "The id of a change request: imports into it."
  }),
  status: Schema.optionalKey(Schema.Union([ImportRunStatus, Schema.Literal("active")])).annotateKey({
    description: "Imports in this state; `active`: those that have not ended."
  })
})
export type ImportRunFilter = typeof ImportRunFilter.Type

/** The resource. */
export const ImportRun = Schema.Struct({
  object: Schema.Literal("import-run"),
  ...told,
  source: ImportRunSource,
  target: Schema.Struct({ space: SpaceId, changeRequest: Schema.optionalKey(Schema.String) }),
  urls: Schema.Struct({ location: Schema.String })
})
export type ImportRun = typeof ImportRun.Type

export class ImportRunNotFound extends Schema.TaggedError<ImportRunNotFound>()(
  "ImportRunNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** The run has ended, or there are too many that have not. */
export class ImportRunRefused extends Schema.TaggedError<ImportRunRefused>()(
  "ImportRunRefused",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
