/**
 * The trash. A space can be restored from it for 7 days. A job then removes the space permanently (see `SpaceRemoval`).
 */
import { Context, Duration, Effect, Schema, Layer } from "effect"
import { Events } from "../../event/Events.ts"
import * as Job from "../../job/Job.ts"
import { Jobs } from "../../job/Jobs.ts"
import { Timestamp } from "../../schema/Text.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import { SiteMemberships } from "../../site/store/SiteMemberships.ts"
import { type Patch, Storage, type StorageError } from "../../storage/Storage.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../Space.ts"

/** Time that a space stays in the trash. */
export const retention = Duration.days(7)

/** Returns the time at which a space in the trash is permanently removed. */
export const removalTime = (deletedAt: Timestamp): Timestamp =>
  Timestamps.after(deletedAt, Duration.toMillis(retention))

/**
 * `deletedAt`: time at which the space was moved to the trash, which identifies the stay in the trash. The job ignores
 * a space that was restored since, even if it is in the trash again.
 */
export const RemoveSpace = Job.kind("remove-space", Schema.Struct({ space: SpaceId, deletedAt: Timestamp }))

export class SpaceTrash extends Context.Service<
  SpaceTrash,
  {
    /** Moves a space to the trash and applies a patch. Runs in the caller's transaction. */
    readonly moveToTrash: (
      space: SpaceRow,
      now: Timestamp,
      patch?: Patch<SpaceRow>
    ) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/space/leaving/SpaceTrash") {
  static readonly layer = Layer.effect(
    SpaceTrash,
    Effect.gen(function* () {
      const spaces = (yield* Storage).repository(SpaceTable)
      const jobs = yield* Jobs
      const events = yield* Events
      const memberships = yield* SiteMemberships

      return SpaceTrash.of({
        moveToTrash: Effect.fnUntraced(function* ({ id, organization, title, deletedAt }, now, patch = {}) {
          yield* spaces.update({ id }, { ...patch, deletedAt: deletedAt ?? now })

          if (deletedAt !== undefined) return
          yield* memberships.leave(id)
          yield* jobs.enqueue(RemoveSpace, { space: id, deletedAt: now }, { runAt: removalTime(now) })
          yield* events.emit({ type: "space_deleted", organization, space: id }, { label: title })
        })
      })
    })
  )
}
