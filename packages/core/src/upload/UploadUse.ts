/** Declares tables whose rows use uploaded files, so that the files are retained (see `UploadRetention`). */
import type { Table } from "../storage/Table.ts"
import type { BlobHash } from "../storage/BlobStore.ts"

export interface UsedFiles {
  /** Keys of the uploads that a row uses. Default: none. */
  readonly uploads?: ReadonlyArray<string>
  readonly blobs?: ReadonlyArray<BlobHash>
}

export interface UploadUse {
  readonly table: Table
  readonly used: (row: object) => UsedFiles
}

export const uploadUse = <T extends Table>(table: T, used: (row: Table.Row<T>) => UsedFiles): UploadUse => ({
  table,
  used: used as (row: object) => UsedFiles
})
