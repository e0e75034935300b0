/**
 * The content of spaces, written directly: a batch of changes becomes what the space shows, without a change
 * request. Hosts write so what no person proposes, such as pages that follow a database.
 *
 * A space that is locked takes no such edits. Several at once take turns (see `WriteTurns`), each applied to what the
 * others have left; where another process, or an import, writes the same space meanwhile, up to 5 attempts.
 */
import { Context, Effect } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { InvalidInput } from "../../schema/Input.ts"
import type { SpaceId } from "../../space/Space.ts"
import { wired } from "../../wiring/Wired.ts"
import { sameContent } from "../Content.ts"
import type { ContentChange } from "../edits/ContentChange.ts"
import type { ChangeError } from "../edits/ContentChanges.ts"
import { type ContentOutdated, type LiveEditFailure, LiveEdits } from "../edits/LiveEdits.ts"
import { WriteTurns } from "../edits/WriteTurns.ts"
import { Objects } from "../store/Objects.ts"
import { ContentBatches } from "./ContentBatches.ts"
import type { LiveUpdate } from "./WrittenChanges.ts"

export class LiveContents extends Context.Service<
  LiveContents,
  {
    /**
     * Applies a batch of changes, the same as for a change request, to what a space shows: all or none, as one new
     * revision, none where nothing changes. Answers the revision that the space has then, and what became of each
     * page.
     *
     * Fails with `Forbidden` for whoever may not edit the space, `SpaceLocked` where it wants change requests,
     * `InvalidInput` and the errors of a change for a batch that can't be, and `ContentOutdated` where 5 attempts
     * were overtaken.
     */
    readonly write: (
      space: SpaceId,
      changes: ReadonlyArray<ContentChange>
    ) => Effect.Effect<LiveUpdate, LiveEditFailure | ContentOutdated | ChangeError | InvalidInput, CurrentActor>
  }
>()("@lectern/core/content/live/LiveContents") {
  static readonly layer = wired(
    LiveContents,
    Effect.gen(function* () {
      const objects = yield* Objects
      const edits = yield* LiveEdits
      const batches = yield* ContentBatches
      const turns = yield* WriteTurns

      return LiveContents.of({
        write: Effect.fn("LiveContents.write")(function* (space, changes) {
          const batch = yield* batches.prepare(space, changes, edits.begin(space))
          // Before it waits: who may not do it takes no place in the queue.
          yield* edits.begin(space)
          return yield* turns.ofSpace(space, () =>
            edits.retry(
              space,
              Effect.fnUntraced(function* (base) {
                const draft = objects.draft()
                const applied = yield* batch.apply(draft, base.content, base.id)
                const { id: revision } = sameContent(base.content, applied.content)
                  ? base
                  : yield* edits.commit({ base, draft, content: applied.content })
                return { revision, ...(yield* batches.present(space, revision, "", applied)) }
              })
            )
          )
        })
      })
    }),
    [ContentBatches.layer, LiveEdits.layer, Objects.layer, WriteTurns.layer]
  )
}
