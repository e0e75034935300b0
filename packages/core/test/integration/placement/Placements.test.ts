import { Grants } from "@lectern/core/grant/Grants"
import { Placements } from "@lectern/core/integration/placement/Placements"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import type { IntegrationPublish } from "@lectern/core/integration/Integration"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { as } from "../../comment/Discussion.ts"
import { adapters } from "../../Instances.ts"
import { installed } from "../IntegrationMembers.ts"

/** An integration for selected spaces, with two spaces. */
const ready = Effect.fnUntraced(function* (fields: Partial<IntegrationPublish> = {}) {
  const fixture = yield* installed({ target: "space", ...fields })
  const spaces = yield* Spaces
  const [{ id: space }, { id: other }] = [yield* spaces.create(fixture.org, {}), yield* spaces.create(fixture.org, {})]
  const placements = yield* Placements
  const at = ["space", "weather", fixture.installation, space] as const
  return { ...fixture, spaces, space, other, placements, at }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Placements (${name})`, () => {
    const rule = ruleOn(services)

    rule("are created once on a space of the organization", () =>
      Effect.gen(function* () {
        const { elsewhere, installation, space, other, spaces, placements, at } = yield* ready()
        assert.strictEqual(yield* outcome(placements.get(...at)), "PlacementNotFound")
        assert.strictEqual((yield* placements.create(...at)).space, space)
        assert.deepStrictEqual(yield* emitted(placements.create(...at)), [])
        assert.strictEqual(yield* outcome(placements.get("space", "weather", installation, other)), "PlacementNotFound")
        const { id: foreign } = yield* spaces.create(elsewhere, {})
        for (const absent of [foreign, "missing"]) {
          const create = placements.create("space", "weather", installation, absent)
          assert.strictEqual(yield* outcome(create), "SpaceNotFound")
        }
      })
    )

    rule("are created, changed and removed by administrators of the space", () =>
      Effect.gen(function* () {
        const { people, space, placements, at } = yield* ready()
        yield* (yield* Grants).grant({ kind: "space", id: space }, { users: [people.read], role: "admin" })
        const expected = {
          ok: "host admin read",
          Forbidden: "create review edit comment",
          SpaceNotFound: "guest",
          IntegrationNotFound: "outsider"
        }
        assert.deepStrictEqual(yield* outcomes(people, placements.create(...at)), expected)
        assert.deepStrictEqual(yield* outcomes(people, placements.update(...at, { externalIds: ["x"] })), expected)
      })
    )

    rule("suit the target of the integration", () =>
      Effect.gen(function* () {
        const { org, installation, placements } = yield* ready()
        const { id: site } = yield* (yield* Sites).create(org, {})
        const create = placements.create("site", "weather", installation, site)
        assert.strictEqual(yield* outcome(create), "UnsuitableTarget")
      })
    )

    rule("are implied on every space if the installation covers all", () =>
      Effect.gen(function* () {
        const { installation, installations, space, placements, at } = yield* ready({ target: "all" })
        assert.strictEqual((yield* placements.get(...at)).space, space)
        yield* installations.update("weather", installation, { space_selection: "selected" })
        assert.strictEqual(yield* outcome(placements.get(...at)), "PlacementNotFound")
      })
    )

    rule("have a configuration of their own, which administrators see", () =>
      Effect.gen(function* () {
        const space = { properties: { city: { type: "string", title: "City" } } }
        const { people, placements, at } = yield* ready({ configurations: { space } } as object)
        yield* placements.create(...at)
        const configure = (configuration: object) => placements.update(...at, { configuration } as object)
        assert.strictEqual(yield* outcome(configure({ city: 1 })), "InvalidInput")
        assert.deepInclude((yield* configure({ city: "Oslo" })).configuration, { city: "Oslo" })
        assert.notInclude(JSON.stringify(yield* placements.get(...at).pipe(as(people.read))), "Oslo")
      })
    )

    rule("are listed if the actor sees their space", () =>
      Effect.gen(function* () {
        const { people, installation, other, spaces, placements, at } = yield* ready()
        yield* placements.create(...at)
        yield* placements.create("space", "weather", installation, other)
        yield* spaces.update(other, { defaultLevel: null })
        for (const list of [
          placements.list("space", "weather", {}),
          placements.listOf("space", "weather", installation, {})
        ]) {
          const count = Effect.map(list, ({ items }) => items.length)
          assert.deepStrictEqual([yield* count.pipe(as(people.read)), yield* count.pipe(as(people.admin))], [1, 2])
        }
      })
    )

    rule("emit an event for each change, and none for a removal of a missing one", () =>
      Effect.gen(function* () {
        const { placements, at } = yield* ready()
        assert.deepStrictEqual(yield* emitted(placements.create(...at)), ["placement_created"])
        const update = placements.update(...at, { externalIds: ["x"] })
        assert.deepStrictEqual(yield* emitted(update), ["placement_updated"])
        assert.deepStrictEqual(yield* emitted(update), [])
        assert.deepStrictEqual(yield* emitted(placements.remove(...at)), ["placement_removed"])
        assert.deepStrictEqual(yield* emitted(placements.remove(...at)), [])
        assert.strictEqual(yield* outcome(placements.update(...at, {})), "PlacementNotFound")
      })
    )

    rule("are removed with their installation", () =>
      Effect.gen(function* () {
        const { installation, installations, placements, at } = yield* ready()
        yield* placements.create(...at)
        yield* installations.uninstall("weather", installation)
        assert.strictEqual((yield* placements.list("space", "weather", {})).count, 0)
        assert.strictEqual(yield* outcome(placements.get(...at)), "InstallationNotFound")
      })
    )
  })
}
