import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"

/** Changes the main content of a space. */
export const edit = Effect.fnUntraced(function* (space: SpaceId, changes: ReadonlyArray<ContentChange>) {
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  yield* (yield* ChangeRequestContents).write(space, id, changes)
  yield* (yield* ChangeRequestContents).merge(space, id)
})
