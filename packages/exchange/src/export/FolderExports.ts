/** Exports the content of spaces as folders for imports (see `FolderExport`). */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "@lectern/core/access/Actor"
import type { OtherAction } from "@lectern/core/audit/AuditActions"
import { makeAuditTrail } from "@lectern/core/audit/AuditTrail"
import type { Forbidden } from "@lectern/core/access/Forbidden"
import type { SpaceId, SpaceNotFound } from "@lectern/core/space/Space"
import { SpacePolicy } from "@lectern/core/space/SpacePolicy"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import { Threads } from "@lectern/core/thread/Threads"
import * as ContentReader from "@lectern/core/content/ContentReader"
import { Objects } from "@lectern/core/content/store/Objects"
import type { RevisionId } from "@lectern/core/content/revisions/Revision"
import { type RevisionNotFound, Revisions } from "@lectern/core/content/revisions/Revisions"
import * as FolderExport from "./FolderExport.ts"

export interface FolderExportOptions<E> extends Pick<
  FolderExport.ExportOptions<E>,
  "write" | "onProgress" | "isCaseSensitive"
> {
  /** Id of the revision. Default: the main revision of the space. */
  readonly revision?: string | undefined
}

export interface FolderExportResult extends FolderExport.ExportReport {
  readonly revision: RevisionId
}

export class FolderExports extends Context.Service<
  FolderExports,
  {
    /**
     * Writes a revision of a space as a folder, file by file. Records the export in the audit log.
     *
     * @throws {Forbidden}
     * @throws {RevisionNotFound}
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const files = new Map<string, Uint8Array>()
     * await lectern.content.folderExports.exportFolder(space.id, {
     *   write: async (path, bytes) => void files.set(path, bytes)
     * })
     * console.log([...files.keys()])
     * ```
     */
    readonly exportFolder: <E>(
      space: SpaceId,
      options: FolderExportOptions<E>
    ) => Effect.Effect<
      FolderExportResult,
      SpaceNotFound | RevisionNotFound | Forbidden | StorageError | E,
      CurrentActor
    >
  }
>()("@lectern/exchange/export/FolderExports") {
  static readonly layer = Layer.effect(
    FolderExports,
    Effect.gen(function* () {
      const policy = yield* SpacePolicy
      const revisions = yield* Revisions
      const objects = yield* Objects
      const blobs = yield* BlobStore
      const threads = yield* Threads
      const storage = yield* Storage
      const trail = yield* makeAuditTrail
      return FolderExports.of({
        exportFolder: Effect.fn("FolderExports.exportFolder")(function* (id, options) {
          const { onProgress, revision: revisionId, isCaseSensitive, write } = options
          const { space } = yield* policy.require(id, "see the work on this space")
          const revision =
            revisionId === undefined ? yield* revisions.get(space.revision) : yield* revisions.find(id, revisionId)
          yield* storage.transaction(
            trail.record({
              organization: space.organization,
              action: "space_exported" satisfies OtherAction,
              target: { type: "space", id, label: space.title },
              payload: { revision: revision.id }
            })
          )
          const report = yield* FolderExport.run({
            content: ContentReader.make(objects, revision.content),
            space: id,
            blob: blobs.get,
            write,
            threads,
            isCaseSensitive,
            onProgress
          })
          return { ...report, revision: revision.id }
        })
      })
    })
  )
}
