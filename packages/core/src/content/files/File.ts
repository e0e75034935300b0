/**
 * A file of a space as a revision stores it. Its bytes are a blob.
 *
 * Limits: name 1 to 256 characters on one line, 20 MiB for each file.
 */
import { Schema } from "effect"
import { BlobHash } from "../../storage/BlobStore.ts"
import * as Text from "../../schema/Text.ts"
import { GitBlob } from "../pages/Page.ts"

/** Id of a file in the content of a space. */
export const FileId = Schema.String.pipe(Schema.brand("FileId"))
export type FileId = typeof FileId.Type

export const maxName = 256
export const FileName = Text.line(1, maxName)

export const FileEntry = Schema.Struct({
  id: FileId,
  name: FileName,
  contentType: Schema.String,
  /** Size in bytes. */
  size: Schema.Int,
  blob: BlobHash,
  /** Dimensions of an image (pixels). */
  dimensions: Schema.optionalKey(Schema.Struct({ width: Schema.Int, height: Schema.Int })),
  git: Schema.optionalKey(GitBlob)
})
export type FileEntry = typeof FileEntry.Type
