/**
 * Edits of a space's main content that go through no change request: imports and templates. They
 * are computed from a revision and take effect only while it is still the space's own: of two at
 * once, one wins and the other is told so.
 */
import { Context, Effect, Schema } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import { type SpaceId, SpaceLocked, type SpaceNotFound, SpaceTable } from "../../space/Space.ts"
import { SpacePolicy } from "../../space/SpacePolicy.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import type { Content } from "../Content.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import { asMain, MainRevisions } from "./MainRevisions.ts"
import type { RevisionRow } from "../revisions/Revision.ts"
import { Revisions } from "../revisions/Revisions.ts"
import { wired } from "../../wiring/Wired.ts"

/** The content was changed by someone else in the meantime. */
export class ContentOutdated extends Schema.TaggedError<ContentOutdated>()(
  "ContentOutdated",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** How often an edit is attempted that others overtake. */
const attempts = 5

export type LiveEditFailure = SpaceNotFound | SpaceLocked | Forbidden | StorageError

export class LiveEdits extends Context.Service<
  LiveEdits,
  {
    /** The space's revision to start from, where the actor may edit it directly. */
    readonly begin: (space: SpaceId) => Effect.Effect<RevisionRow, LiveEditFailure, CurrentActor>
    /** Makes the content the space's own, with the objects of the draft it was made with. */
    readonly commit: (edit: {
      readonly base: RevisionRow
      readonly draft: ObjectDraft
      readonly content: Content
      readonly git?: NonNullable<RevisionRow["git"]>
    }) => Effect.Effect<RevisionRow, LiveEditFailure | ContentOutdated, CurrentActor>
    /** Begins, computes and commits; all of it again where the content was changed meanwhile, 5 times at most. */
    readonly retry: <A, E, R>(
      space: SpaceId,
      attempt: (base: RevisionRow) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | LiveEditFailure, R | CurrentActor>
  }
>()("@lectern/core/content/LiveEdits") {
  static readonly layer = wired(
    LiveEdits,
    Effect.gen(function* () {
      const storage = yield* Storage
      const policy = yield* SpacePolicy
      const revisions = yield* Revisions
      const mains = yield* MainRevisions
      const spaces = storage.repository(SpaceTable)

      const require = Effect.fnUntraced(function* (id: SpaceId) {
        const { space } = yield* policy.require(id, "edit this space")
        if (space.editMode === "locked") {
          return yield* new SpaceLocked({ message: "The space is locked: open a change request to edit it" })
        }
        return space
      })

      const begin = Effect.fnUntraced(function* (id: SpaceId) {
        return yield* revisions.get((yield* require(id)).revision)
      })

      return LiveEdits.of({
        begin,

        commit: Effect.fnUntraced(function* ({ base, draft, content, git }) {
          const createdAt = yield* Timestamps.now
          return yield* mains.advance({ main: base, draft, content }, (commit) =>
            storage.transaction(
              Effect.gen(function* () {
                const space = yield* require(base.space as SpaceId)
                if (space.revision !== base.id) {
                  return yield* new ContentOutdated({
                    message: "The content of the space was changed at the same time"
                  })
                }
                const made = { parents: [base.id], type: "edits", createdAt, ...(git && { git }) } as const
                const revision = yield* commit(space, made)
                yield* spaces.update({ id: space.id }, asMain(revision))
                return revision
              })
            )
          )
        }),

        retry: (space, attempt) =>
          Effect.flatMap(begin(space), attempt).pipe(
            Effect.retry({ times: attempts - 1, while: (failure) => failure instanceof ContentOutdated })
          )
      })
    }),
    [MainRevisions.layer, Revisions.layer, SpacePolicy.layer]
  )
}
