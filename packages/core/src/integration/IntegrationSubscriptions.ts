/**
 * Which integrations are told of what happens to a space: those at work on it whose scopes let them know.
 */
import { Effect } from "effect"
import { Events } from "../event/Events.ts"
import { GitSyncTable } from "../git/GitSync.ts"
import { type SpaceId, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"
import { wiredDiscard } from "../wiring/Wired.ts"

export const IntegrationSubscriptions = wiredDiscard(
  Effect.gen(function* () {
    const storage = yield* Storage
    const events = yield* Events
    const queue = yield* IntegrationQueue
    const spaces = storage.repository(SpaceTable)
    const syncs = storage.repository(GitSyncTable)
    const users = yield* Users

    const about = ({ organization, space }: { readonly organization: string; readonly space: SpaceId }) =>
      ({ organization: organization as never, kind: "space", id: space }) as const

    /** The user who did something, by name. No scope allows to know addresses of people. */
    const whoDid = Effect.fnUntraced(function* (actor: UserId | null) {
      const known = actor === null ? [] : (yield* users.present([actor])).values()
      return Array.from(known, ({ object, id, displayName, urls }) => ({ object, id, displayName, urls }))
    })

    /** The revision of a space, and the commit that it is in step with. */
    const inStep = Effect.fnUntraced(function* (space: SpaceId) {
      const revisionId: string = (yield* spaces.get({ id: space }))?.revision ?? ""
      const commitId = (yield* syncs.get({ space }))?.common?.commit ?? ""
      return { revisionId, commitId }
    })

    yield* events.follow(
      ["space_content_updated"],
      Effect.fnUntraced(function* (event) {
        const updatedBy = yield* whoDid(event.actor)
        yield* queue.tell(about(event), "space:content:read", {
          type: "space_content_updated",
          spaceId: event.space,
          revisionId: event.revision,
          updatedBy
        })
      })
    )

    yield* events.follow(["space_visibility_updated"], (event) =>
      queue.tell(about(event), "space:metadata:read", {
        type: "space_visibility_updated",
        spaceId: event.space,
        previousVisibility: event.previousVisibility,
        visibility: event.visibility
      })
    )

    yield* events.follow(
      ["space_gitsync_started"],
      Effect.fnUntraced(function* (event) {
        const where = yield* inStep(event.space)
        yield* queue.tell(about(event), "space:git:sync", {
          type: "space_gitsync_started",
          spaceId: event.space,
          ...where
        })
      })
    )

    yield* events.follow(
      ["space_gitsync_completed"],
      Effect.fnUntraced(function* (event) {
        const where = yield* inStep(event.space)
        yield* queue.tell(about(event), "space:git:sync", {
          type: "space_gitsync_completed",
          spaceId: event.space,
          state: event.state,
          revisionId: event.revision,
          commitId: event.commit ?? where.commitId
        })
      })
    )
  }),
  [Events.layer, IntegrationQueue.layer, Users.layer]
)
