import { CurrentActor } from "@lectern/core/access/Actor"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Contents } from "@lectern/core/content/Contents"
import type { IntegrationScope } from "@lectern/core/integration/IntegrationManifest"
import { Placements } from "@lectern/core/integration/placement/Placements"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { outcome, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters, type Services } from "../Instances.ts"
import { installed } from "./IntegrationMembers.ts"

/** An installation with these scopes, and what it may do on a space and a site. */
const withScopes = Effect.fnUntraced(function* (scopes: ReadonlyArray<IntegrationScope>, target?: "space") {
  const fixture = yield* installed({ scopes, ...(target && { target }) })
  const { org, installation, elsewhere } = fixture
  const [spaces, sites] = [yield* Spaces, yield* Sites]
  const { id: space } = yield* spaces.create(org, {})
  const { id: foreign } = yield* spaces.create(elsewhere, {})
  const { id: site } = yield* sites.create(org, { spaces: [space] })
  const actor = { type: "installation", integration: "weather", installation, organization: org } as const
  const outcomeOf = (operation: Effect.Effect<unknown, { readonly _tag: string }, Services>) =>
    Effect.provideService(outcome(operation), CurrentActor, actor)
  const operations = {
    see: spaces.get(space),
    read: Effect.flatMap(Contents, (contents) => contents.locate({ space })),
    propose: Effect.flatMap(ChangeRequests, (changeRequests) => changeRequests.create(space, {})),
    rename: spaces.update(space, { title: "Renamed" }),
    seeSite: sites.get(org, site),
    renameSite: sites.update(org, site, { title: "Renamed" })
  }
  /** Names of the operations that succeed. */
  const allowed = Effect.gen(function* () {
    const names: Array<string> = []
    for (const [operationName, operation] of Object.entries(operations)) {
      const result = yield* outcomeOf(operation as Effect.Effect<unknown, { readonly _tag: string }, Services>)
      if (result === "ok") names.push(operationName)
    }
    return names
  })
  return { ...fixture, space, spaces, foreign, outcomeOf, allowed }
})

for (const [name, services] of onEach(adapters)) {
  describe(`InstallationAccess (${name})`, () => {
    const rule = ruleOn(services)

    rule("grants the actions of each scope, and never to change a site", () =>
      Effect.gen(function* () {
        for (const [scopes, expected] of [
          [[], []],
          [["space:metadata:read"], ["see"]],
          [["space:content:read"], ["see", "read"]],
          [["space:content:write"], ["see", "read", "propose"]],
          [["space:metadata:write"], ["see", "rename"]],
          [["site:metadata:read"], ["seeSite"]]
        ] as const) {
          const allowed = Effect.flatMap(withScopes(scopes), (fixture) => fixture.allowed)
          assert.deepStrictEqual(
            yield* allowed.pipe(Effect.provide(Layer.fresh(services))),
            [...expected],
            JSON.stringify(scopes)
          )
        }
      })
    )

    rule("never grants to delete a space", () =>
      Effect.gen(function* () {
        const { space, spaces, outcomeOf } = yield* withScopes(["space:metadata:write", "space:content:write"])
        yield* outcomeOf(spaces.remove(space))
        assert.notProperty(yield* spaces.get(space), "deletedAt")
      })
    )

    rule("covers spaces of its own organization only", () =>
      Effect.gen(function* () {
        const { spaces, foreign, outcomeOf } = yield* withScopes(["space:metadata:read"])
        assert.strictEqual(yield* outcomeOf(spaces.get(foreign)), "SpaceNotFound")
      })
    )

    rule("covers selected spaces only, after the integration is placed there", () =>
      Effect.gen(function* () {
        const { installation, space, allowed } = yield* withScopes(["space:content:read"], "space")
        assert.deepStrictEqual(yield* allowed, [])
        const placements = yield* Placements
        yield* placements.create("space", "weather", installation, space)
        assert.deepStrictEqual(yield* allowed, ["see", "read"])
        yield* placements.remove("space", "weather", installation, space)
        assert.deepStrictEqual(yield* allowed, [])
      })
    )

    rule("ends with its scope and with the installation", () =>
      Effect.gen(function* () {
        const { installations, installation, allowed } = yield* withScopes(["space:metadata:read"])
        const update = (patch: Parameters<typeof installations.update>[2]) =>
          installations.update("weather", installation, patch)
        assert.deepStrictEqual(yield* allowed, ["see"])
        yield* update({ scopes: [] })
        assert.deepStrictEqual(yield* allowed, [])
        yield* update({ scopes: ["space:metadata:read"] })
        assert.deepStrictEqual(yield* allowed, ["see"])
        yield* installations.uninstall("weather", installation)
        assert.deepStrictEqual(yield* allowed, [])
      })
    )
  })
}
