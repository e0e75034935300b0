/** Stores new spaces with their initial content. */
import { Effect } from "effect"
import { makeSiblingPositions } from "../collection/SiblingPositions.ts"
import type { Content } from "../content/Content.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { Ids } from "../identity/Ids.ts"
import type { Timestamp } from "../schema/Text.ts"
import { SearchIndexing } from "../search/indexing/SearchIndexing.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "./Space.ts"

/** Fields of a new space that its creator chooses. The other fields have fixed initial values. */
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

export const makeNewSpaces = Effect.gen(function* () {
  const ids = yield* Ids
  const positions = yield* makeSiblingPositions
  const revisions = yield* Revisions
  const indexing = yield* SearchIndexing
  const spaces = (yield* Storage).repository(SpaceTable)

  return {
    /**
     * Inserts a space as the last item of its collection, or at the organization's top level. Runs in the caller's
     * transaction. The caller must check permissions.
     */
    insert: Effect.fnUntraced(function* (space: NewSpace, content: Content, now: Timestamp) {
      const id = SpaceId.make(yield* ids.next)
      const revision = yield* revisions.insert({ space: id, parents: [], type: "edits", content, createdAt: now })
      yield* indexing.createIndex(id, revision, space.language)
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
  }
})
