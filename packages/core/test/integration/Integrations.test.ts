import { Installations } from "@lectern/core/integration/Installations"
import type { IntegrationPublish } from "@lectern/core/integration/Integration"
import { Integrations } from "@lectern/core/integration/Integrations"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { installed, manifest } from "./IntegrationMembers.ts"

const ready = Effect.map(Effect.all([members, Integrations]), ([fixture, integrations]) => ({
  ...fixture,
  integrations
}))

for (const [name, services] of onEach(adapters)) {
  describe(`Integrations (${name})`, () => {
    const rule = ruleOn(services)

    rule("are private by default, and have a version that counts publications", () =>
      Effect.gen(function* () {
        const { org, people, integrations } = yield* ready
        const first = yield* integrations.publish("Weather", manifest(org)).pipe(as(people.admin))
        assert.deepInclude(first, {
          name: "Weather",
          version: 1,
          visibility: "private",
          target: "all",
          verified: false
        })
        assert.strictEqual((yield* integrations.publish("weather", manifest(org))).version, 2)
        assert.strictEqual((yield* integrations.get("WEATHER")).name, "weather")
      })
    )

    rule("are published and unpublished by administrators of their organization", () =>
      Effect.gen(function* () {
        const { org, people, integrations } = yield* ready
        assert.deepStrictEqual(yield* outcomes(people, integrations.publish("weather", manifest(org))), {
          ok: "host admin",
          Forbidden: "create review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
        const removes = yield* outcomes(people, () =>
          Effect.andThen(
            integrations.publish("weather", manifest(org)).pipe(as("host")),
            integrations.unpublish("weather")
          )
        )
        assert.deepStrictEqual(removes, {
          ok: "host admin outsider",
          Forbidden: "create review edit comment read guest"
        })
        assert.strictEqual(yield* outcome(integrations.get("weather")), "ok")
      })
    )

    rule("are visible by their visibility: public and unlisted to everyone, private to their organization", () =>
      Effect.gen(function* () {
        const { org, people, integrations } = yield* ready
        for (const visibility of ["public", "unlisted", "private"] as const) {
          yield* integrations.publish(visibility, manifest(org, { visibility, title: visibility }))
        }
        const { outsider, read } = people
        for (const [one, expected] of [
          ["public", { ok: "host outsider read" }],
          ["unlisted", { ok: "host outsider read" }],
          ["private", { ok: "host read", IntegrationNotFound: "outsider" }]
        ] as const) {
          assert.deepStrictEqual(yield* outcomes({ outsider, read }, integrations.get(one)), { ...expected })
        }
        const listed = Effect.map(integrations.list({}), ({ items }) => items.map(({ title }) => title))
        assert.deepStrictEqual(yield* listed.pipe(as(outsider)), ["public"])
        assert.deepStrictEqual(yield* listed.pipe(as(read)), ["private", "public", "unlisted"])
      })
    )

    rule("have a name that belongs to the first organization, and is not reserved", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, integrations } = yield* ready
        yield* integrations.publish("weather", manifest(org))
        assert.strictEqual(yield* outcome(integrations.publish("Weather", manifest(elsewhere))), "IntegrationNameTaken")
        const reserved = integrations.publish("lectern-weather", manifest(org))
        assert.strictEqual(yield* outcome(reserved).pipe(as(people.admin)), "IntegrationNameTaken")
        assert.isTrue((yield* reserved).verified)
        for (const invalid of ["", "a b", "x".repeat(101)]) {
          assert.strictEqual(yield* outcome(integrations.publish(invalid, manifest(org))), "InvalidInput")
        }
        yield* integrations.unpublish("weather")
        assert.strictEqual((yield* integrations.publish("weather", manifest(elsewhere))).version, 1)
      })
    )

    rule("reject invalid manifests and programs", () =>
      Effect.gen(function* () {
        const { org, integrations } = yield* ready
        for (const [fields, error] of [
          [{ title: "x" }, "InvalidInput"],
          [{ description: "x".repeat(101) }, "InvalidInput"],
          [{ scopes: ["everything"] }, "InvalidInput"],
          [{ script: "" }, "InvalidInput"],
          [{ script: "function (" }, "InvalidIntegration"],
          [{ icon: "bm8gaW1hZ2U=" }, "InvalidIntegration"]
        ] as ReadonlyArray<readonly [Partial<IntegrationPublish>, string]>) {
          const publish = integrations.publish("weather", manifest(org, fields))
          assert.strictEqual(yield* outcome(publish), error, JSON.stringify(fields))
        }
        assert.strictEqual(yield* outcome(integrations.get("weather")), "IntegrationNotFound")
      })
    )

    rule("emit an event for each publication, and one when they are unpublished", () =>
      Effect.gen(function* () {
        const { org, integrations } = yield* ready
        const publish = integrations.publish("weather", manifest(org))
        for (let i = 0; i < 2; i++) assert.deepStrictEqual(yield* emitted(publish), ["integration_published"])
        const unpublish = integrations.unpublish("weather")
        assert.deepStrictEqual(yield* emitted(unpublish), ["integration_unpublished"])
        assert.deepStrictEqual(yield* emitted(unpublish), [])
      })
    )

    rule("disappear with their installations when they are unpublished", () =>
      Effect.gen(function* () {
        const { org, integrations, installation } = yield* installed()
        const installations = yield* Installations
        yield* integrations.unpublish("weather")
        for (const absent of [integrations.get("weather"), installations.get("weather", installation)]) {
          assert.strictEqual(yield* outcome(absent), "IntegrationNotFound")
        }
        assert.strictEqual((yield* installations.listIn(org, {})).count, 0)
      })
    )

    rule("are listed for an organization that may install them, by filter", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, integrations } = yield* ready
        yield* integrations.publish("a", manifest(org, { title: "Alpha", target: "space" }))
        yield* integrations.publish(
          "b",
          manifest(org, { title: "Beta", visibility: "public", categories: ["analytics"] })
        )
        const titles = (organization: typeof org, filter: object = {}) =>
          Effect.map(integrations.listFor(organization, filter), ({ items }) => items.map(({ title }) => title))
        assert.deepStrictEqual(yield* titles(org), ["Alpha", "Beta"])
        assert.deepStrictEqual(yield* titles(elsewhere), ["Beta"])
        assert.deepStrictEqual(yield* titles(org, { target: "space" }), ["Alpha", "Beta"])
        assert.deepStrictEqual(yield* titles(org, { target: "site" }), ["Beta"])
        assert.deepStrictEqual(yield* titles(org, { category: "analytics" }), ["Beta"])
        assert.deepStrictEqual(yield* titles(org, { search: "ALPH" }), ["Alpha"])
        const asOutsider = outcome(integrations.listFor(org, {})).pipe(as(people.outsider))
        assert.strictEqual(yield* asOutsider, "OrganizationNotFound")
      })
    )
  })
}
