/**
 * Edits of a space's main content without a change request, such as imports and templates. An edit is computed from a
 * revision and takes effect only while that revision is the main revision of the space. Of two concurrent edits one
 * succeeds, and the other fails with `ContentOutdated`. A space with rules for merges has no such edits, except its first
 * content and edits of those who may bypass the rules.
 */
import { Context, Effect, Schema, Layer } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import { type SpaceId, SpaceLocked, type SpaceNotFound, SpaceTable } from "../../space/Space.ts"
import { SpacePolicy } from "../../space/SpacePolicy.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import { type Content, empty, hasEqualContent } from "../Content.ts"
import { makeMergeReadiness } from "../../merge-rules/MergeReadiness.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import { mainFields, makeMainRevisions } from "./MainRevisions.ts"
import type { RevisionId, RevisionRow } from "../revisions/Revision.ts"
import { Revisions } from "../revisions/Revisions.ts"

/** Raised if the content changed after the edit started. Start again with the current revision. */
export class ContentOutdated extends Schema.TaggedError<ContentOutdated>()(
  "ContentOutdated",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Maximum number of attempts of an edit that fails with `ContentOutdated`. */
const maxAttempts = 5

export type LiveEditFailure = SpaceNotFound | SpaceLocked | Forbidden | StorageError

export class LiveEdits extends Context.Service<
  LiveEdits,
  {
    /** Returns the main revision of a space, if the actor may edit the space directly. */
    readonly begin: (space: SpaceId) => Effect.Effect<RevisionRow, LiveEditFailure, CurrentActor>
    /** Makes the content the main content of the space, and stores the objects of its draft. */
    readonly commit: (edit: {
      readonly base: RevisionRow
      readonly draft: ObjectDraft
      readonly content: Content
      readonly git?: NonNullable<RevisionRow["git"]>
    }) => Effect.Effect<RevisionRow, LiveEditFailure | ContentOutdated, CurrentActor>
    /**
     * Starts an edit and runs `attempt`, which computes and commits it. Repeats if the content changed in the meantime,
     * for up to 5 attempts.
     */
    readonly retry: <A, E, R>(
      space: SpaceId,
      attempt: (base: RevisionRow) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | LiveEditFailure, R | CurrentActor>
  }
>()("@lectern/core/content/edits/LiveEdits") {
  static readonly layer = Layer.effect(
    LiveEdits,
    Effect.gen(function* () {
      const storage = yield* Storage
      const policy = yield* SpacePolicy
      const revisions = yield* Revisions
      const readiness = yield* makeMergeReadiness
      const mainRevisions = yield* makeMainRevisions
      const spaces = storage.repository(SpaceTable)

      /** True if a space has content. The first content of a space needs no review. */
      const hasContent = (revision: RevisionId) =>
        Effect.map(revisions.get(revision), ({ content }) => !hasEqualContent(content, empty))

      const require = Effect.fnUntraced(function* (id: SpaceId) {
        const { space } = yield* policy.require(id, "edit this space")
        if (space.editMode === "locked") {
          return yield* new SpaceLocked({ message: "The space is locked: open a change request to edit it" })
        }
        if ((yield* readiness.forbidsEdits(space)) && (yield* hasContent(space.revision)))
          return yield* new SpaceLocked({
            message: "The space has rules for merges: open a change request to edit it"
          })
        return space
      })

      const begin = Effect.fnUntraced(function* (id: SpaceId) {
        return yield* revisions.get((yield* require(id)).revision)
      })

      return LiveEdits.of({
        begin,

        commit: Effect.fnUntraced(function* ({ base, draft, content, git }) {
          const createdAt = yield* Timestamps.now
          return yield* mainRevisions.advance({ main: base, draft, content }, (commit) =>
            storage.transaction(
              Effect.gen(function* () {
                const space = yield* require(base.space as SpaceId)
                if (space.revision !== base.id) {
                  return yield* new ContentOutdated({
                    message: "The content of the space was changed at the same time"
                  })
                }
                const fields = { parents: [base.id], type: "edits", createdAt, ...(git && { git }) } as const
                const revision = yield* commit(space, fields)
                yield* spaces.update({ id: space.id }, mainFields(revision))
                return revision
              })
            )
          )
        }),

        retry: (space, attempt) =>
          Effect.flatMap(begin(space), attempt).pipe(
            Effect.retry({ times: maxAttempts - 1, while: (failure) => failure instanceof ContentOutdated })
          )
      })
    })
  )
}
