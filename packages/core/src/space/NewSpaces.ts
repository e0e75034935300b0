/** Puts a new space into the store, with the content that it begins with. */
import { Context, Effect } from "effect"
import { SiblingPositions } from "../collection/SiblingPositions.ts"
import type { CurrentActor } from "../access/Actor.ts"
import type { Content } from "../content/Content.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { Ids } from "../identity/Ids.ts"
import type { Timestamp } from "../schema/Text.ts"
import { SearchIndexing } from "../search/indexing/SearchIndexing.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "./Space.ts"
import { wired } from "../wiring/Wired.ts"

/** A space as whoever makes one describes it; all else is the same for each new one. */
export type NewSpace = Omit<
  SpaceRow,
  | "id"
  | "visibility"
  | "position"
  | "revision"
  | "comments"
  | "changeRequests"
  | "changeRequestsOpen"
  | "changeRequestsDraft"
  | "createdAt"
  | "updatedAt"
>

export class NewSpaces extends Context.Service<
  NewSpaces,
  {
    /** At the end of its collection, or of the organization's top. Part of the transaction around it; whether the actor may is the caller's to ask. */
    readonly insert: (
      space: NewSpace,
      content: Content,
      now: Timestamp
    ) => Effect.Effect<SpaceRow, StorageError, CurrentActor>
  }
>()("@lectern/core/space/NewSpaces") {
  static readonly layer = wired(
    NewSpaces,
    Effect.gen(function* () {
      const ids = yield* Ids
      const positions = yield* SiblingPositions
      const revisions = yield* Revisions
      const indexing = yield* SearchIndexing
      const spaces = (yield* Storage).repository(SpaceTable)

      return NewSpaces.of({
        insert: Effect.fnUntraced(function* (space, content, now) {
          const id = SpaceId.make(yield* ids.next)
          const revision = yield* revisions.insert({ space: id, parents: [], type: "edits", content, createdAt: now })
          yield* indexing.begin(id, revision, space.language)
          const row: SpaceRow = {
            ...space,
            id,
            visibility: space.parent === undefined ? "private" : "in-collection",
            position: yield* positions.last({ organization: space.organization, parent: space.parent ?? null }),
            revision: revision.id,
            comments: 0,
            changeRequests: 0,
            changeRequestsOpen: 0,
            changeRequestsDraft: 0,
            createdAt: now,
            updatedAt: now
          }
          yield* spaces.insert(row).pipe(cannotConflict)
          return row
        })
      })
    }),
    [SiblingPositions.layer, Revisions.layer, SearchIndexing.layer]
  )
}
