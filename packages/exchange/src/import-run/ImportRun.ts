/**
 * An import run: a website or uploaded files, imported into a space or a change request. It runs in the background with
 * the permissions of the member who started it.
 *
 * Limits: those of imports (see `ContentImport`). An organization has at most 100 unfinished and 1,000 finished runs.
 * Runs that finished more than 30 days ago are deleted when the next run starts.
 */
import { Schema } from "effect"
import { importRunFields, ImportRunSource, ImportRunStatus } from "@lectern/core/exchange/ImportRunRow"
import * as Text from "@lectern/core/schema/Text"
import { SpaceId } from "@lectern/core/space/Space"

export const maxUnfinished = 100
export const maxFinished = 1_000
export const retentionDays = 30

export const ImportRunStart = Schema.Struct({
  /** Website or uploaded file to import. */
  source: ImportRunSource,
  /** Space, and optionally the change request and the page, after whose pages the content is added. */
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
  ...importRunFields,
  source: ImportRunSource,
  target: Schema.Struct({ space: SpaceId, changeRequest: Schema.optionalKey(Schema.String) }),
  urls: Schema.Struct({ location: Schema.String })
})
export interface ImportRun extends Schema.Schema.Type<typeof ImportRun> {}

/** Raised if the organization has no run with the id, or the actor may not read its space. */
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
