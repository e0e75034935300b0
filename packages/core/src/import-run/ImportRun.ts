/**
 * An import run: a website or uploaded files, imported into a space or a change request. It runs in the background with
 * the permissions of the member who started it.
 *
 * Limits: those of imports (see `ContentImport`). An organization has at most 100 unfinished and 1,000 finished runs.
 * Runs that finished more than 30 days ago are deleted when the next run starts.
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

export const maxUnfinished = 100
export const maxFinished = 1_000
export const retentionDays = 30

export const ImportRunStatus = Schema.Literals(["pending", "in-progress", "completed", "failed", "cancelled"])
export type ImportRunStatus = typeof ImportRunStatus.Type

export const unfinishedStatuses = ["pending", "in-progress"] as const satisfies ReadonlyArray<ImportRunStatus>

const publicFields = {
  id: Schema.String,
  status: ImportRunStatus,
  /** Reason of a failure, as a sentence. */
  reason: Schema.optionalKey(Schema.String),
  /** User who started the run. Absent if the host application started it. */
  createdBy: Schema.optionalKey(UserId),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  startedAt: Schema.optionalKey(Timestamp),
  completedAt: Schema.optionalKey(Timestamp),
  /** Report of a completed import; absent otherwise. */
  report: Schema.optionalKey(ImportReport)
}

/** Source of an import. `files`: keys of uploads. */
export const ImportRunSource = Schema.Union([
  Schema.Struct({ type: Schema.Literal("website"), url: Text.HttpUrl }),
  Schema.Struct({
    type: Schema.Literal("file"),
    files: Schema.Array(UploadKey).check(Schema.isMinLength(1), Schema.isMaxLength(50))
  })
])
export type ImportRunSource = typeof ImportRunSource.Type

export const ImportRunRow = Schema.Struct({
  ...publicFields,
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

/** Filter of a list of runs. `active`: unfinished runs (`pending` and `in-progress`). */
export const ImportRunFilter = Schema.Struct({
  space: Schema.optionalKey(Schema.String).annotateKey({
    description: "Id of a space. Returns imports into this space."
  }),
  changeRequest: Schema.optionalKey(Schema.String).annotateKey({
    description: "Id of a change request. Returns imports into this change request."
  }),
  status: Schema.optionalKey(Schema.Union([ImportRunStatus, Schema.Literal("active")])).annotateKey({
    description: "Returns imports in this state. `active`: imports that have not ended."
  })
})
export type ImportRunFilter = typeof ImportRunFilter.Type

/** API resource of an import run. */
export const ImportRun = Schema.Struct({
  object: Schema.Literal("import-run"),
  ...publicFields,
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

/** Raised if the run to cancel has finished, or if the organization has too many unfinished runs. */
export class ImportRunRefused extends Schema.TaggedError<ImportRunRefused>()(
  "ImportRunRefused",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
