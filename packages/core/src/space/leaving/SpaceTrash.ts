/**
 * The trash. A space can be restored from it for 7 days. A job then removes the space permanently (see `SpaceRemoval`).
 */
import { Duration, Effect, Schema } from "effect"
import { CurrentActor, userOf } from "../../access/Actor.ts"
import { Events } from "../../event/Events.ts"
import * as Job from "../../job/Job.ts"
import { Jobs } from "../../job/Jobs.ts"
import { Timestamp } from "../../schema/Text.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import { makeSiteMemberships } from "../../site/store/SiteMemberships.ts"
import { type Patch, Storage } from "../../storage/Storage.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../Space.ts"

/** Time that a space stays in the trash. */
export const retention = Duration.days(7)

/** Returns the latest time of deletion of a space whose time in the trash is over. */
export const expiredDeletion = (now: Timestamp): Timestamp => Timestamps.after(now, -Duration.toMillis(retention))

/** Returns the time at which a space in the trash is permanently removed. */
export const removalTime = (deletedAt: Timestamp): Timestamp =>
  Timestamps.after(deletedAt, Duration.toMillis(retention))

/**
 * `deletedAt`: time at which the space was moved to the trash, which identifies the stay in the trash. The job ignores
 * a space that was restored since, even if it is in the trash again.
 */
export const RemoveSpace = Job.kind("remove-space", Schema.Struct({ space: SpaceId, deletedAt: Timestamp }))

export const makeSpaceTrash = Effect.gen(function* () {
  const spaces = (yield* Storage).repository(SpaceTable)
  const jobs = yield* Jobs
  const events = yield* Events
  const memberships = yield* makeSiteMemberships

  return {
    /** Moves a space to the trash and applies a patch. Runs in the caller's transaction. */
    moveToTrash: Effect.fnUntraced(function* (
      { id, organization, title, deletedAt }: SpaceRow,
      now: Timestamp,
      patch: Patch<SpaceRow> = {}
    ) {
      if (deletedAt !== undefined) {
        yield* spaces.update({ id }, patch)
        return
      }
      yield* spaces.update({ id }, { ...patch, deletedAt: now, deletedBy: userOf(yield* CurrentActor) })
      yield* memberships.leave(id)
      yield* jobs.enqueue(RemoveSpace, { space: id, deletedAt: now }, { runAt: removalTime(now) })
      yield* events.emit({ type: "space_deleted", organization, space: id }, { label: title })
    })
  }
})
