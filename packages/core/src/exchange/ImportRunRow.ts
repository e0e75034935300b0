/** Rows of import runs: imports of a website or of uploaded files that run in the background. */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import * as Text from "../schema/Text.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { UploadKey } from "../upload/Upload.ts"
import { UserId } from "../user/User.ts"
import { ImportReport } from "./ImportReport.ts"

export const ImportRunStatus = Schema.Literals(["pending", "in-progress", "completed", "failed", "cancelled"])
export type ImportRunStatus = typeof ImportRunStatus.Type

export const unfinishedStatuses = ["pending", "in-progress"] as const satisfies ReadonlyArray<ImportRunStatus>

/** Fields of a run that its resource contains. */
export const importRunFields = {
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
  ...importRunFields,
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
