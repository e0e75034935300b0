/**
 * Uploaded files that pushes into a space will need. A part contains the files of one request, and is removed when a
 * push used it, or after a day.
 */
import { Duration, Effect } from "effect"
import { type PushedPart, PushedPartTable } from "@lectern/core/exchange/PushRow"
import { Ids } from "@lectern/core/identity/Ids"
import { removeOlder, scheduled } from "@lectern/core/job/Schedule"
import { InvalidInput } from "@lectern/core/schema/Input"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { type BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { cannotConflict, Storage } from "@lectern/core/storage/Storage"
import * as ContentStaging from "../import/ContentStaging.ts"
import { maxFolderBytes } from "../import/Folder.ts"
import * as GitBlobId from "../import/GitBlobId.ts"
import { maxPartFiles, PushRefused } from "./Push.ts"
import * as Tar from "./Tar.ts"

/** An uploaded file, with the id of its part. */
export interface UploadedFile {
  readonly blob: BlobHash
  readonly size: number
  readonly part: string
}

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const hasher = yield* Hasher
  const blobStore = yield* BlobStore
  const staging = yield* ContentStaging.make
  const parts = storage.repository(PushedPartTable)

  return {
    /** Returns the uploaded files of a space by their Git object id. */
    list: Effect.fnUntraced(function* (space: SpaceId) {
      const rows = yield* parts.list({ where: { space } })
      return new Map(
        rows.flatMap(({ id, files }) =>
          files.map(({ oid, size, blob }): readonly [string, UploadedFile] => [oid, { blob, size, part: id }])
        )
      )
    }),

    read: (file: UploadedFile) => blobStore.get(file.blob),

    /** Stores the files of a tar archive. Their paths are ignored. */
    put: Effect.fnUntraced(function* (space: SpaceId, archive: Uint8Array) {
      const archived = yield* Tar.files(archive).pipe(
        Effect.mapError(({ message }) => new InvalidInput({ issues: [{ path: "body", message }] }))
      )
      if (archived.length > maxPartFiles) {
        const message = `Expected at most ${maxPartFiles.toLocaleString("en")} files`
        return yield* new InvalidInput({ issues: [{ path: "body", message }] })
      }
      const size = archived.reduce((sum, { bytes }) => sum + bytes.length, 0)
      const usedBytes = (yield* parts.list({ where: { space } })).reduce((sum, part) => sum + part.size, 0)
      if (usedBytes + size > maxFolderBytes) {
        return yield* new PushRefused({
          message: `The space has ${maxFolderBytes / 1024 ** 3} GiB of uploaded files that no push used: they are removed after a day`
        })
      }
      const blobs = staging.blobs()
      const files: Array<PushedPart["files"][number]> = []
      for (const { bytes } of archived) {
        const blob = hasher.sha256(bytes) as BlobHash
        yield* blobs.put(blob, bytes)
        files.push({ oid: GitBlobId.gitBlobId(hasher, bytes), size: bytes.length, blob })
        yield* Effect.yieldNow
      }
      yield* blobs.flush
      const row: PushedPart = { id: yield* ids.next, space, files, size, uploadedAt: yield* Timestamps.now }
      yield* storage.transaction(parts.insert(row).pipe(cannotConflict))
      return { object: "push-files" as const, files: files.length, size }
    }),

    remove: (partIds: ReadonlyArray<string>) =>
      partIds.length === 0 ? Effect.void : Effect.asVoid(storage.transaction(parts.remove({ id: { in: partIds } })))
  }
})

/** Removes parts that no push used, once a day. */
export const removeUnusedParts = scheduled(
  "remove-pushed-files",
  { days: 1 },
  removeOlder(PushedPartTable, Duration.days(1), (isOlder) => ({ uploadedAt: isOlder }))
)
