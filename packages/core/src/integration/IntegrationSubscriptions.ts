/**
 * Notifies integrations of changes to a space: the active integrations with a scope that allows knowing of the change.
 */
import { Effect, Layer } from "effect"
import { Events } from "../event/Events.ts"
import type { SpaceId } from "../space/Space.ts"
import type { UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"

export const IntegrationSubscriptions = Layer.effectDiscard(
  Effect.gen(function* () {
    const events = yield* Events
    const queue = yield* IntegrationQueue
    const users = yield* Users

    const contentOf = ({ organization, space }: { readonly organization: string; readonly space: SpaceId }) =>
      ({ organization: organization as never, kind: "space", id: space }) as const

    /** Returns the user who made a change, by name. No scope allows reading e-mail addresses. */
    const authorsOf = Effect.fnUntraced(function* (actor: UserId | null) {
      const members = actor === null ? [] : (yield* users.present([actor])).values()
      return Array.from(members, ({ object, id, displayName, urls }) => ({ object, id, displayName, urls }))
    })

    yield* events.listen(
      ["space_content_updated"],
      Effect.fnUntraced(function* (event) {
        const updatedBy = yield* authorsOf(event.actor)
        yield* queue.notify(contentOf(event), "space:content:read", {
          type: "space_content_updated",
          spaceId: event.space,
          revisionId: event.revision,
          updatedBy
        })
      })
    )

    yield* events.listen(["space_visibility_updated"], (event) =>
      queue.notify(contentOf(event), "space:metadata:read", {
        type: "space_visibility_updated",
        spaceId: event.space,
        previousVisibility: event.previousVisibility,
        visibility: event.visibility
      })
    )

    // A program sets the status "running" on the commit, so the event is sent after the commit is known.
    yield* events.listen(["space_gitsync_commit_known"], (event) =>
      queue.notify(contentOf(event), "space:git:sync", {
        type: "space_gitsync_started",
        spaceId: event.space,
        revisionId: event.revision,
        commitId: event.commit
      })
    )

    // The schema of the hosted service requires a commit, even if the repository could not be opened.
    yield* events.listen(["space_gitsync_completed"], (event) =>
      queue.notify(contentOf(event), "space:git:sync", {
        type: "space_gitsync_completed",
        spaceId: event.space,
        state: event.state,
        revisionId: event.revision,
        commitId: event.commit ?? ""
      })
    )
  })
)
