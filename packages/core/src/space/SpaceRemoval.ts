/**
 * Permanently removes a space from the trash after its retention time. Removes dependent data in short transactions,
 * and the space itself last. The job runs late if no worker was active, and resumes after an interruption.
 *
 * A restore before the job starts wins. The first transaction marks the space as `removing`, which makes it
 * inaccessible, so a partly removed space can't be restored.
 *
 * `GarbageCollection` removes the objects and blobs of its content.
 */
import { Effect } from "effect"
import { Events } from "../event/Events.ts"
import * as Job from "../job/Job.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage } from "../storage/Storage.ts"
import { type SpaceId, SpaceTable } from "./Space.ts"
import { spaceDependents } from "./SpaceDependents.ts"
import { makeSpaceFollowers } from "./leaving/SpaceFollowers.ts"
import { removalTime, RemoveSpace } from "./leaving/SpaceTrash.ts"

export const removeSpace = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const followers = yield* makeSpaceFollowers
  const spaces = storage.repository(SpaceTable)
  const context = yield* Effect.context<Effect.Services<ReturnType<(typeof spaceDependents)[number]>>>()

  /**
   * Marks the space as `removing`. Returns false if its time in the trash is not over, or if the space was restored
   * since the job was created.
   */
  const begin = Effect.fnUntraced(function* (id: SpaceId, deletedAt: Timestamp) {
    const now = yield* Timestamps.now
    return yield* storage.transaction(
      Effect.gen(function* () {
        const space = yield* spaces.get({ id })
        if (space?.deletedAt !== deletedAt || removalTime(deletedAt) > now) return false
        if (space.removing === true) return true
        yield* spaces.update({ id }, { removing: true })
        return true
      })
    )
  })

  return Job.handler(RemoveSpace, ({ payload: { space: id, deletedAt }, complete }) =>
    Effect.gen(function* () {
      if (!(yield* begin(id, deletedAt))) return
      for (const removeSome of spaceDependents) while ((yield* removeSome(id)) > 0) yield* Effect.yieldNow
      yield* storage.transaction(
        Effect.gen(function* () {
          const space = yield* spaces.get({ id })
          if (space !== undefined) {
            yield* followers.detach([id], space.organization)
            yield* spaces.remove({ id })
            yield* events.emit(
              { type: "space_removed", organization: space.organization, space: id },
              { label: space.title }
            )
          }
          yield* complete
        })
      )
    }).pipe(Effect.provideContext(context))
  )
})
