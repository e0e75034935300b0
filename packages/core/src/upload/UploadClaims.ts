/**
 * Starts the use of uploaded files, in the transaction that references them. Checks that the files belong to the
 * organization and have bytes, and updates their time of use, so that `UploadRetention` spares them.
 */
import { Effect } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import { InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { BlobHash } from "../storage/BlobStore.ts"
import { Storage } from "../storage/Storage.ts"
import { type UploadKind, type UploadRow, UploadTable } from "./Upload.ts"
import { namedIn } from "./UploadUrl.ts"

/** Upload with bytes. */
export interface UploadedFile extends UploadRow {
  readonly blob: BlobHash
}

const isUploaded = (row: UploadRow | undefined): row is UploadedFile => row?.blob !== undefined

export const uploadClaims = Effect.gen(function* () {
  const rows = (yield* Storage).repository(UploadTable)

  const updateUsedAt = Effect.fnUntraced(function* (files: ReadonlyArray<UploadRow>) {
    if (files.length > 0)
      yield* rows.update({ id: { in: files.map(({ id }) => id) } }, { usedAt: yield* Timestamps.now })
  })

  return {
    /**
     * Returns the files of the keys, in order. `path` returns the path of a key in the input, for the error of an
     * unknown key.
     */
    byKey: Effect.fnUntraced(function* (
      organization: OrganizationId,
      kind: UploadKind,
      keys: ReadonlyArray<string>,
      path: (i: number) => string
    ) {
      const uploadRows = yield* rows.getMany(keys.map((id) => ({ id })))
      const files = uploadRows.map((row) =>
        row?.organization === organization && row.kind === kind && isUploaded(row) ? row : undefined
      )
      const missingIndex = files.indexOf(undefined)
      if (missingIndex !== -1) {
        const message = "Expected the key of such a file, whose bytes have been put"
        return yield* new InvalidInput({ issues: [{ path: path(missingIndex), message }] })
      }
      const uploadedFiles = files as ReadonlyArray<UploadedFile>
      yield* updateUsedAt(uploadedFiles)
      return uploadedFiles
    }),

    /** Checks the files whose public URLs occur in settings of the organization. */
    named: Effect.fnUntraced(function* (organization: OrganizationId, settings: unknown, path: string) {
      const blobs = [
        ...new Set(
          namedIn(JSON.stringify(settings) ?? "").flatMap((one) =>
            one.organization === organization ? [one.blob] : []
          )
        )
      ]
      if (blobs.length === 0) return
      const uploadRows = yield* rows.list({ where: { organization, blob: { in: blobs } } })
      const knownBlobs = new Set(uploadRows.map(({ blob }) => blob))
      const missing = blobs.find((blob) => !knownBlobs.has(blob))
      if (missing !== undefined) {
        const message = `There is no uploaded file ${missing} any more: upload it again`
        return yield* new InvalidInput({ issues: [{ path, message }] })
      }
      yield* updateUsedAt(uploadRows)
    })
  }
})
