/** Exports the content of spaces as tar archives, which are written while they are read (see `FolderExport`). */
import { Context, Effect, Layer, Queue, Stream } from "effect"
import { CurrentActor } from "@lectern/core/access/Actor"
import type { Forbidden } from "@lectern/core/access/Forbidden"
import { type RevisionNotFound, Revisions } from "@lectern/core/content/revisions/Revisions"
import type { SpaceId, SpaceNotFound } from "@lectern/core/space/Space"
import { SpacePolicy } from "@lectern/core/space/SpacePolicy"
import type { StorageError } from "@lectern/core/storage/Storage"
import * as Tar from "../push/Tar.ts"
import { FolderExports } from "./FolderExports.ts"

/** Number of files that wait for the reader. */
const maxWaitingFiles = 4

type Failure = SpaceNotFound | RevisionNotFound | Forbidden | StorageError

export class FolderArchives extends Context.Service<
  FolderArchives,
  {
    /**
     * Returns the folder of a revision, by default of the main revision. Fails before the first byte if the actor may
     * not read it. Paths may differ only in case.
     */
    readonly stream: (
      space: SpaceId,
      revision?: string
    ) => Effect.Effect<Stream.Stream<Uint8Array, Failure>, Failure, CurrentActor>
  }
>()("@lectern/exchange/export/FolderArchives") {
  static readonly layer = Layer.effect(
    FolderArchives,
    Effect.gen(function* () {
      const policy = yield* SpacePolicy
      const revisions = yield* Revisions
      const exports = yield* FolderExports
      return FolderArchives.of({
        stream: Effect.fn("FolderArchives.stream")(function* (id, revision) {
          const actor = yield* CurrentActor
          const { space } = yield* policy.require(id, "see the work on this space")
          const found = yield* revisions.find(id, revision ?? space.revision)
          return Stream.callback<Uint8Array, Failure>(
            (queue) =>
              exports
                .exportFolder(id, {
                  revision: found.id,
                  isCaseSensitive: true,
                  write: (path, bytes) => Effect.flatMap(Tar.entry(path, bytes), (entry) => Queue.offer(queue, entry))
                })
                .pipe(
                  Effect.andThen(Queue.offer(queue, Tar.end)),
                  Effect.andThen(Queue.end(queue)),
                  Effect.catch((error) => Queue.fail(queue, error)),
                  Effect.provideService(CurrentActor, actor)
                ),
            { bufferSize: maxWaitingFiles, strategy: "suspend" }
          )
        })
      })
    })
  )
}
