/**
 * A push: the folder of an author becomes the content of a change request. The client first sends the list of its
 * files. The response names the files whose bytes the space lacks. The client uploads these in parts and sends the list
 * again. Nothing changes before all bytes are uploaded.
 *
 * Limits: those of a folder (see `Folder`), 200,000 files, 20 MiB for a list, 21 MiB and 10,000 files for a part,
 * 2 GiB of uploaded files for a space. Uploaded files are kept for a day.
 */
import { Schema } from "effect"
import { ChangeRequest, Subject } from "@lectern/core/change-request/ChangeRequest"
import { SemanticChange } from "@lectern/core/content/ContentResources"
import { ImportReport } from "@lectern/core/exchange/ImportReport"
import * as Text from "@lectern/core/schema/Text"

export const maxFiles = 200_000
/** Maximum size of a part: a file of the maximum size, with its entry in the archive. */
export const maxPartBytes = 21 * 1024 * 1024
export const maxPartFiles = 10_000
export const maxListBytes = 20 * 1024 * 1024

/** Maximum number of changes, and of conflicts, in a result. */
export const maxListed = 1_000

export const PushRequest = Schema.Struct({
  /** Name of the change request, for example of the Git branch. */
  name: Subject.check(Schema.isMinLength(1)),
  /** Files of the folder, one a line: Git object id, size in bytes, and path, separated by single spaces. */
  files: Schema.String.check(Schema.isMaxLength(maxListBytes)),
  /** Id of the revision that the folder was pulled at. Default: the last push is the base. */
  base: Schema.optionalKey(Text.between(1, 256)),
  /** True if the result is only computed. Default: false. */
  dryRun: Schema.optionalKey(Schema.Boolean)
})
export type PushRequest = typeof PushRequest.Type

const PushConflict = Schema.Struct({
  id: Schema.String,
  /** Path of the file, or name of the variable. */
  path: Schema.String,
  /** Conflicting field of the page or file. Absent if a block of the text conflicts. */
  field: Schema.optionalKey(Schema.String)
})
export type PushConflict = typeof PushConflict.Type

/** Result of a push without the bytes of all files. Nothing changed. */
export const IncompletePush = Schema.Struct({
  object: Schema.Literal("incomplete-push"),
  /** Git object ids of the files to upload. */
  missing: Schema.Array(Schema.String)
})
export type IncompletePush = typeof IncompletePush.Type

export const CompletePush = Schema.Struct({
  object: Schema.Literal("push"),
  /**
   * `pushed`: the change request has the folder. `unchanged`: the space has the folder, and there is no change request
   * to update. `planned`: result of a dry run.
   */
  status: Schema.Literals(["pushed", "unchanged", "planned"]),
  /** Absent if the push created none. */
  changeRequest: Schema.optionalKey(ChangeRequest),
  /** Number of changes of the change request, compared with its base. */
  changeCount: Schema.Int,
  /** The first 1,000 changes. */
  changes: Schema.Array(SemanticChange),
  /** Number of open conflicts. */
  conflictCount: Schema.Int,
  /** The first 1,000 conflicts. */
  conflicts: Schema.Array(PushConflict),
  /** Report of the import. */
  report: ImportReport
})
export type CompletePush = typeof CompletePush.Type

export const PushResult = Schema.Union([IncompletePush, CompletePush])
export type PushResult = typeof PushResult.Type

/** Result of the upload of a part. */
export const UploadedPart = Schema.Struct({
  object: Schema.Literal("push-files"),
  /** Number of stored files. */
  files: Schema.Int,
  /** Total size in bytes. */
  size: Schema.Int
})
export interface UploadedPart extends Schema.Schema.Type<typeof UploadedPart> {}

/** Raised if the space has too many uploaded files that no push used yet. */
export class PushRefused extends Schema.TaggedError<PushRefused>()(
  "PushRefused",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
