/**
 * The trash: a space in it can be taken back for 7 days, then a job removes it for good (see
 * `SpaceRemoval`).
 */
import { Context, Duration, Effect, Schema } from "effect"
import { AccessFacts } from "../../access/AccessFacts.ts"
import { Events } from "../../event/Events.ts"
import * as Job from "../../job/Job.ts"
import { Jobs } from "../../job/Jobs.ts"
import { Timestamp } from "../../schema/Text.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import { SiteMemberships } from "../../site/store/SiteMemberships.ts"
import { type Patch, Storage, type StorageError } from "../../storage/Storage.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../Space.ts"
import { wired } from "../../wiring/Wired.ts"

/** How long a space stays in the trash. */
export const retention = Duration.days(7)

/** When a space that was put in the trash then is removed. */
export const removalTime = (deletedAt: Timestamp): Timestamp =>
  Timestamps.at(Date.parse(deletedAt) + Duration.toMillis(retention))

/** `deletedAt`: what was restored meanwhile, though it may be in the trash again, is not meant. */
export const RemoveSpace = Job.kind("remove-space", Schema.Struct({ space: SpaceId, deletedAt: Timestamp }))

export class SpaceTrash extends Context.Service<
  SpaceTrash,
  {
    /** Puts a space in the trash, with what else changes on it; part of the transaction around it. */
    readonly put: (space: SpaceRow, now: Timestamp, patch?: Patch<SpaceRow>) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/space/leaving/SpaceTrash") {
  static readonly layer = wired(
    SpaceTrash,
    Effect.gen(function* () {
      const spaces = (yield* Storage).repository(SpaceTable)
      const jobs = yield* Jobs
      const events = yield* Events
      const facts = yield* AccessFacts
      const memberships = yield* SiteMemberships

      return SpaceTrash.of({
        put: Effect.fnUntraced(function* ({ id, organization, title, deletedAt }, now, patch = {}) {
          yield* spaces.update({ id }, { ...patch, deletedAt: deletedAt ?? now })

          if (deletedAt !== undefined) return
          yield* facts.changed(organization)
          yield* memberships.leave(id)
          yield* jobs.enqueue(RemoveSpace, { space: id, deletedAt: now }, { runAt: removalTime(now) })
          yield* events.emit({ type: "space_deleted", organization, space: id }, { label: title })
        })
      })
    }),
    [AccessFacts.layer, Events.layer, Jobs.layer, SiteMemberships.layer]
  )
}
