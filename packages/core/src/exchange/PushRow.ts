/**
 * Rows of pushes: the last folder that was pushed under a name, and the bytes of files that a push will need.
 */
import { Schema } from "effect"
import { ChangeRequestId, Subject } from "../change-request/ChangeRequest.ts"
import { Content } from "../content/Content.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"

/** The last push of a name into a space. The next push is merged with its content as the common base. */
export const PushRow = Schema.Struct({
  space: SpaceId,
  /** Name of the push, for example of a Git branch. */
  name: Subject,
  changeRequest: ChangeRequestId,
  /** The content of the pushed folder. Every page and file has its path. */
  content: Content,
  /** Hash of the tree with its titles (see `FolderImport`). */
  outline: Schema.String,
  pushedAt: Timestamp
})
export type PushRow = typeof PushRow.Type

export const PushTable = Table.make("push", PushRow, { key: ["space", "name"] })

/** Files that one request uploaded for pushes into a space. Removed when a push used them, or after a day. */
export const PushedPart = Schema.Struct({
  id: Schema.String,
  space: SpaceId,
  files: Schema.Array(
    Schema.Struct({
      /** Git object id. */
      oid: Schema.String,
      /** Size in bytes. */
      size: Schema.Int,
      blob: BlobHash
    })
  ),
  /** Total size in bytes. */
  size: Schema.Int,
  uploadedAt: Timestamp
})
export type PushedPart = typeof PushedPart.Type

export const PushedPartTable = Table.make("pushedPart", PushedPart, {
  key: ["id"],
  indexes: [["space"], ["uploadedAt"]]
})
