/**
 * Writes the content of spaces directly: a batch of changes becomes the main content of a space without a change
 * request. Hosts use it for generated content, such as pages that follow a database.
 *
 * A locked space rejects such edits. Concurrent writes run one after another (see `WriteLocks`), each on the result of
 * the previous one. If another process or an import writes to the space in the meantime, the write makes up to 5
 * attempts.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { RefusedByHost } from "../../hook/BeforeHooks.ts"
import type { InvalidInput } from "../../schema/Input.ts"
import type { SpaceId } from "../../space/Space.ts"
import { hasEqualContent } from "../Content.ts"
import type { ContentChange } from "../edits/ContentChange.ts"
import type { ChangeError } from "../edits/ContentChanges.ts"
import { type ContentOutdated, type LiveEditFailure, LiveEdits } from "../edits/LiveEdits.ts"
import { WriteLocks } from "../edits/WriteLocks.ts"
import { Objects } from "../store/Objects.ts"
import { makeContentBatches } from "./ContentBatches.ts"
import type { LiveUpdate } from "./ContentChangesResponse.ts"

export class LiveContents extends Context.Service<
  LiveContents,
  {
    /**
     * Applies a batch of changes to the main content of a space, without a change request: completely or not at all, as
     * one new revision. Creates no revision if the batch changes nothing.
     *
     * @param changes Changes in order, 1 to 50.
     * @returns The main revision after the write, and the outcome for each page.
     * @throws {ContentOutdated} If other writers changed the content during 5 attempts.
     * @throws {ContentPageNotFound}
     * @throws {Forbidden} If the actor may not edit the space.
     * @throws {InvalidChange}
     * @throws {InvalidInput} If the batch is invalid.
     * @throws {PageCycle}
     * @throws {RefusedByHost} If the hook `upload` of the host refuses a file.
     * @throws {SlugTaken}
     * @throws {SpaceLocked} If the space requires change requests.
     * @throws {SpaceNotFound}
     * @throws {TooCostly}
     * @example
     * ```ts
     * const { revision } = await lectern.content.live.write(space.id, [
     *   { operation: "insert_page", title: "Prices", document: { markdown: "# Prices\n\nFree for one." } }
     * ])
     * console.log(revision)
     * ```
     */
    readonly write: (
      space: SpaceId,
      changes: ReadonlyArray<ContentChange>
    ) => Effect.Effect<
      LiveUpdate,
      LiveEditFailure | ContentOutdated | ChangeError | InvalidInput | RefusedByHost,
      CurrentActor
    >
  }
>()("@lectern/core/content/live/LiveContents") {
  static readonly layer = Layer.effect(
    LiveContents,
    Effect.gen(function* () {
      const objects = yield* Objects
      const edits = yield* LiveEdits
      const batches = yield* makeContentBatches
      const locks = yield* WriteLocks

      return LiveContents.of({
        write: Effect.fn("LiveContents.write")(function* (space, changes) {
          const batch = yield* batches.prepare(space, changes, edits.begin(space))
          // Checks the permission before waiting, so that an unauthorized caller takes no place in the queue.
          yield* edits.begin(space)
          return yield* locks.withSpaceLock(space, () =>
            edits.retry(
              space,
              Effect.fnUntraced(function* (base) {
                const draft = objects.draft()
                const applied = yield* batch.apply(draft, base.content, base.id)
                const { id: revision } = hasEqualContent(base.content, applied.content)
                  ? base
                  : yield* edits.commit({ base, draft, content: applied.content })
                return { revision, ...(yield* batches.present(space, revision, "", applied)) }
              })
            )
          )
        })
      })
    })
  )
}
