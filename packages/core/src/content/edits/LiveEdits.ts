/**
 * Edits of a space's main content that go through no change request: imports and templates. They
 * are computed from a revision and take effect only while it is still the space's own: of two at
 * once, one wins and the other is told so.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import { Events } from "../../event/Events.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import { SearchIndexing } from "../../search/SearchIndexing.ts"
import { type SpaceId, SpaceLocked, type SpaceNotFound, SpaceTable } from "../../space/Space.ts"
import { SpacePolicy } from "../../space/SpacePolicy.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import type { Content } from "../Content.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import { PageAliases } from "../pages/PageAliases.ts"
import type { RevisionRow } from "../revisions/Revision.ts"
import { Revisions } from "../revisions/Revisions.ts"

/** The content was changed by someone else in the meantime. */
export class ContentOutdated extends Schema.TaggedError<ContentOutdated>()(
  "ContentOutdated",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

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
  }
>()("@lectern/core/content/LiveEdits") {
  static readonly layer = Layer.effect(
    LiveEdits,
    Effect.gen(function* () {
      const storage = yield* Storage
      const policy = yield* SpacePolicy
      const revisions = yield* Revisions
      const events = yield* Events
      const indexing = yield* SearchIndexing
      const aliases = yield* PageAliases
      const spaces = storage.repository(SpaceTable)

      const require = Effect.fnUntraced(function* (id: SpaceId) {
        const { space } = yield* policy.require(id, "edit this space")
        if (space.editMode === "locked") {
          return yield* new SpaceLocked({ message: "The space is locked: open a change request to edit it" })
        }
        return space
      })

      return LiveEdits.of({
        begin: Effect.fnUntraced(function* (id) {
          return yield* revisions.get((yield* require(id)).revision)
        }),

        commit: Effect.fnUntraced(function* ({ base, draft, content, git }) {
          const now = yield* Timestamps.now
          const indexed = yield* indexing.prepare(draft, base.content, content)
          const aliased = yield* aliases.prepare(draft, base.space as SpaceId, base.content, content)
          yield* draft.flushAhead
          const done = yield* storage.transaction(
            Effect.gen(function* () {
              const space = yield* require(base.space as SpaceId)
              if (space.revision !== base.id) {
                return yield* new ContentOutdated({ message: "The content of the space was changed at the same time" })
              }
              yield* draft.flush
              const revision = yield* revisions.insert({
                space: space.id,
                parents: [base.id],
                type: "edits",
                content,
                createdAt: now,
                ...(git && { git })
              })
              yield* events.emit({
                type: "space_content_updated",
                organization: space.organization,
                space: space.id,
                revision: revision.id
              })
              yield* spaces.update({ id: space.id }, { revision: revision.id, updatedAt: now })

              const succession = { space: space.id, before: base.id, revision: revision.id }
              yield* indexed.commit(succession)
              yield* aliased.commit(succession)
              return revision
            })
          )
          yield* indexing.settle(base.space as SpaceId)
          return done
        })
      })
    })
  )
}
