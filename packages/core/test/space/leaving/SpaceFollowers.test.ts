import { Collections } from "@lectern/core/collection/Collections"
import { Grants } from "@lectern/core/grant/Grants"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { members, outcomes, ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { adapters } from "../../Instances.ts"

/** A space that follows a source, which `guest` may read by a grant and other members may not. */
const following = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const spaces = yield* Spaces
  const { id: collection } = yield* (yield* Collections).create(org, {})
  const { id: source } = yield* spaces.create(org, { parent: collection })
  const { id: follower } = yield* spaces.create(org, { parent: collection })
  yield* spaces.update(source, { defaultLevel: null })
  yield* (yield* Grants).grant({ kind: "space", id: source }, { users: [people.guest], role: "read" })
  const rows = (yield* Storage).repository(SpaceTable)
  yield* rows.update({ id: follower }, { follows: source })
  const follows = Effect.map(rows.get({ id: follower }), (row) => row?.follows)
  const readers = Effect.map(outcomes(people, spaces.get(follower)), ({ ok }) => ok)
  return { org, elsewhere, people, spaces, collection, source, follower, follows, readers }
})

for (const [name, services] of onEach(adapters)) {
  describe(`SpaceFollowers (${name})`, () => {
    const rule = ruleOn(services)

    rule("have the access of the space that they follow", () =>
      Effect.gen(function* () {
        const { spaces, source, readers } = yield* following
        assert.strictEqual(yield* readers, "host admin guest")
        yield* spaces.update(source, { defaultLevel: "read" })
        assert.strictEqual(yield* readers, "host admin create review edit comment read guest")
      })
    )

    rule("are separated when only the followed space is transferred, and do not open", () =>
      Effect.gen(function* () {
        const { elsewhere, spaces, source, follows, readers } = yield* following
        yield* spaces.transfer(source, elsewhere)
        assert.isUndefined(yield* follows)
        assert.strictEqual(yield* readers, "host admin")
      })
    )

    rule("are separated when only they are transferred, and do not open", () =>
      Effect.gen(function* () {
        const { elsewhere, spaces, follower, follows, readers } = yield* following
        yield* spaces.transfer(follower, elsewhere)
        assert.isUndefined(yield* follows)
        assert.strictEqual(yield* readers, "host outsider")
      })
    )

    rule("stay followers when both spaces are transferred together", () =>
      Effect.gen(function* () {
        const { elsewhere, collection, source, follows } = yield* following
        yield* (yield* Collections).transfer(collection, elsewhere)
        assert.strictEqual(yield* follows, source)
      })
    )

    rule("are separated when the followed space is removed permanently, not when it is in the trash", () =>
      Effect.gen(function* () {
        const { spaces, source, follows, readers } = yield* following
        yield* spaces.remove(source)
        assert.strictEqual(yield* follows, source)
        assert.strictEqual(yield* readers, "host admin guest")
        yield* TestClock.adjust("7 days")
        yield* (yield* JobWorker).runDue
        assert.isUndefined(yield* follows)
        assert.strictEqual(yield* readers, "host admin")
      })
    )
  })
}
