/**
 * Removes a space from the trash for good, once its time there is over: first what belongs to it,
 * in short transactions, the space itself at the end. It is done late rather than never where no
 * worker ran, and goes on from wherever it was interrupted.
 *
 * A restore in between wins. From the first transaction on the space is marked as `removing`, for
 * everyone else it is gone, and nothing can bring back half of it.
 *
 * The objects and blobs of its content are left to `GarbageCollection`.
 */
import { Effect } from "effect"
import { AccessFacts } from "../access/AccessFacts.ts"
import { Events } from "../event/Events.ts"
import * as Job from "../job/Job.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage } from "../storage/Storage.ts"
import { type SpaceId, SpaceTable } from "./Space.ts"
import { belongings } from "./SpaceBelongings.ts"
import { SpaceFollowers } from "./leaving/SpaceFollowers.ts"
import { removalTime, RemoveSpace } from "./leaving/SpaceTrash.ts"

export const removeSpace = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const facts = yield* AccessFacts
  const followers = yield* SpaceFollowers
  const spaces = storage.repository(SpaceTable)
  const context = yield* Effect.context<Effect.Services<ReturnType<(typeof belongings)[number]>>>()

  /** Marks the space, if it is still what the job is about; false otherwise. */
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
      for (const removeSome of belongings) while ((yield* removeSome(id)) > 0) yield* Effect.yieldNow
      yield* storage.transaction(
        Effect.gen(function* () {
          const space = yield* spaces.get({ id })
          if (space !== undefined) {
            yield* followers.part([id], space.organization)
            yield* spaces.remove({ id })
            yield* facts.changed(space.organization)
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
