import { Placements } from "@lectern/core/integration/placement/Placements"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcomes, ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { adapters } from "../../Instances.ts"
import { installed, manifest } from "../IntegrationMembers.ts"

/** An integration with a block and a script, on every space and site. */
const ready = Effect.gen(function* () {
  const fixture = yield* installed({
    blocks: [{ id: "forecast", title: "Forecast" }],
    scopes: ["space:content:read", "site:script:inject"]
  })
  const { id: space } = yield* (yield* Spaces).create(fixture.org, {})
  const { id: site } = yield* (yield* Sites).create(fixture.org, { spaces: [space] })
  return { ...fixture, space, site, placed: yield* Placements }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Integrations on spaces and sites (${name})`, () => {
    const rule = ruleOn(services)

    rule("are active integrations on a space and a site, with their blocks and scripts", () =>
      Effect.gen(function* () {
        const { org, space, site, placed } = yield* ready
        for (const list of [placed.integrationsOnSpace(space, {}), placed.integrationsOnSite(org, site, {})]) {
          const { items } = yield* list
          assert.deepStrictEqual(
            items.map((item) => item.name),
            ["weather"]
          )
        }
        assert.deepStrictEqual(
          (yield* placed.blocks(space)).map((one) => [one.name, one.blocks.map(({ id }) => id)]),
          [["weather", ["forecast"]]]
        )
        assert.strictEqual((yield* placed.scripts(org, site)).length, 1)
      })
    )

    rule("are for everyone who sees the space or the site", () =>
      Effect.gen(function* () {
        const { org, people, space, site, placed } = yield* ready
        const ok = "host admin create review edit comment read"
        for (const read of [placed.integrationsOnSpace(space, {}), placed.blocks(space)]) {
          assert.deepStrictEqual(yield* outcomes(people, read), { ok, SpaceNotFound: "guest outsider" })
        }
        for (const read of [placed.integrationsOnSite(org, site, {}), placed.scripts(org, site)]) {
          assert.deepStrictEqual(yield* outcomes(people, read), { ok, SiteNotFound: "guest outsider" })
        }
      })
    )

    rule("are absent while the installation is paused, and after it is removed", () =>
      Effect.gen(function* () {
        const { org, space, site, installations, installation, placed } = yield* ready
        const counts = Effect.gen(function* () {
          return [
            (yield* placed.integrationsOnSpace(space, {})).items.length,
            (yield* placed.integrationsOnSite(org, site, {})).items.length,
            (yield* placed.blocks(space)).length,
            (yield* placed.scripts(org, site)).length
          ]
        })
        assert.deepStrictEqual(yield* counts, [1, 1, 1, 1])
        yield* installations.update("weather", installation, { status: "paused" })
        assert.deepStrictEqual(yield* counts, [0, 0, 0, 0])
        yield* installations.update("weather", installation, { status: "active" })
        assert.deepStrictEqual(yield* counts, [1, 1, 1, 1])
        yield* installations.uninstall("weather", installation)
        assert.deepStrictEqual(yield* counts, [0, 0, 0, 0])
      })
    )

    rule("have no script without the scope for it", () =>
      Effect.gen(function* () {
        const { org, site, installations, installation, placed } = yield* ready
        yield* installations.update("weather", installation, { scopes: ["space:content:read"] })
        assert.deepStrictEqual(yield* placed.scripts(org, site), [])
      })
    )

    rule("are found by name and title", () =>
      Effect.gen(function* () {
        const { org, space, integrations, installations, placed } = yield* ready
        yield* integrations.publish("charts", manifest(org, { title: "Diagrams" }))
        yield* installations.install("charts", { organization: org })
        const found = (search: string) =>
          Effect.map(placed.integrationsOnSpace(space, { search }), ({ items }) => items.map((item) => item.name))
        assert.deepStrictEqual(yield* found("DIAGR"), ["charts"])
        assert.deepStrictEqual(yield* found("weath"), ["weather"])
        assert.deepStrictEqual(yield* found("missing"), [])
      })
    )
  })
}
