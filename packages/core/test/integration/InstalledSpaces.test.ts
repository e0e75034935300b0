import { Placements } from "@lectern/core/integration/placement/Placements"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { installed } from "./IntegrationMembers.ts"

/** Returns an installation with the number of spaces that it covers, in an organization with two spaces. */
const counted = Effect.fnUntraced(function* (target: "all" | "space") {
  const fixture = yield* installed({ target })
  const { org, installation, installations } = fixture
  const spaces = yield* Spaces
  const [{ id: one }, { id: two }] = [yield* spaces.create(org, {}), yield* spaces.create(org, {})]
  const count = Effect.map(installations.get("weather", installation), (found) => found.spaces)
  return { ...fixture, spaces, one, two, count }
})

for (const [name, services] of onEach(adapters)) {
  describe(`InstalledSpaces (${name})`, () => {
    const rule = ruleOn(services)

    rule("are all spaces of the organization, without those in the trash", () =>
      Effect.gen(function* () {
        const { org, spaces, one, count } = yield* counted("all")
        assert.strictEqual(yield* count, 2)
        yield* spaces.create(org, {})
        assert.strictEqual(yield* count, 3)
        yield* spaces.remove(one)
        assert.strictEqual(yield* count, 2)
        yield* spaces.restore(one)
        assert.strictEqual(yield* count, 3)
      })
    )

    rule("are the selected spaces if the integration is for selected ones", () =>
      Effect.gen(function* () {
        const { installation, one, count } = yield* counted("space")
        const placements = yield* Placements
        assert.strictEqual(yield* count, 0)
        yield* placements.create("space", "weather", installation, one)
        assert.strictEqual(yield* count, 1)
        yield* placements.remove("space", "weather", installation, one)
        assert.strictEqual(yield* count, 0)
      })
    )

    rule("are counted for a member if it reads them", () =>
      Effect.gen(function* () {
        const { people, spaces, one, count } = yield* counted("all")
        yield* spaces.update(one, { defaultLevel: null })
        assert.strictEqual(yield* count.pipe(as(people.read)), 1)
        assert.strictEqual(yield* count.pipe(as(people.admin)), 2)
      })
    )
  })
}
