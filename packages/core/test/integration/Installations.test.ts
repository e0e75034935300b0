import type { InstallationId } from "@lectern/core/integration/Installation"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { installed, manifest } from "./IntegrationMembers.ts"

const missing = "missing" as InstallationId
const administrators = {
  ok: "host admin",
  Forbidden: "create review edit comment read guest",
  IntegrationNotFound: "outsider"
}

for (const [name, services] of onEach(adapters)) {
  describe(`Installations (${name})`, () => {
    const rule = ruleOn(services)

    rule("grant the scopes of the manifest, once for each organization", () =>
      Effect.gen(function* () {
        const { org, installations, installation } = yield* installed()
        const found = yield* installations.get("weather", installation)
        assert.deepInclude(found, { integration: "weather", status: "active", scopes: ["space:content:read"] })
        assert.strictEqual((yield* installations.install("WEATHER", { organization: org })).id, installation)
        assert.strictEqual((yield* installations.listIn(org, {})).count, 1)
      })
    )

    rule("are created, changed and removed by administrators of their organization", () =>
      Effect.gen(function* () {
        const { org, people, installations, installation } = yield* installed()
        for (const change of [
          installations.install("weather", { organization: org }),
          installations.update("weather", installation, { status: "paused" }),
          installations.update("weather", installation, { externalIds: ["x"] })
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, change), administrators)
        }
        const { read, outsider, admin } = people
        const removes = outcomes({ read, outsider, admin }, () =>
          Effect.flatMap(installations.install("weather", { organization: org }).pipe(as("host")), ({ id }) =>
            installations.uninstall("weather", id)
          )
        )
        assert.deepStrictEqual(yield* removes, {
          ok: "host admin",
          Forbidden: "read",
          IntegrationNotFound: "outsider"
        })
      })
    )

    rule("are visible to every member of their organization, and to the publisher", () =>
      Effect.gen(function* () {
        const { elsewhere, people, installations, installation } = yield* installed({ visibility: "public" })
        const members = "host admin create review edit comment read guest"
        assert.deepStrictEqual(yield* outcomes(people, installations.get("weather", installation)), {
          ok: members,
          InstallationNotFound: "outsider"
        })
        const { id: other } = yield* installations.install("weather", { organization: elsewhere })
        const listed = Effect.map(installations.list("weather", {}), ({ items }) => items.map(({ id }) => id))
        assert.sameMembers(yield* listed.pipe(as(people.admin)), [installation, other])
        assert.deepStrictEqual(yield* listed.pipe(as(people.read)), [installation])
        assert.deepStrictEqual(yield* listed.pipe(as(people.outsider)), [other])
      })
    )

    rule("of a private integration are in its own organization only", () =>
      Effect.gen(function* () {
        const { elsewhere, people, installations } = yield* installed()
        const install = outcome(installations.install("weather", { organization: elsewhere }))
        assert.strictEqual(yield* install, "IntegrationNotFound")
        assert.strictEqual(yield* install.pipe(as(people.outsider)), "IntegrationNotFound")
        assert.strictEqual(
          yield* outcome(installations.install("missing", { organization: elsewhere })),
          "IntegrationNotFound"
        )
      })
    )

    rule("grant no more scopes than the integration requests", () =>
      Effect.gen(function* () {
        const { installations, installation } = yield* installed()
        const more = installations.update("weather", installation, { scopes: ["space:content:write"] })
        assert.strictEqual(yield* outcome(more), "InvalidInput")
        const { scopes, requestedScopes } = yield* installations.update("weather", installation, { scopes: [] })
        assert.deepStrictEqual([scopes, requestedScopes], [[], ["space:content:read"]])
      })
    )

    rule("ask for scopes that a new version adds, instead of having them", () =>
      Effect.gen(function* () {
        const { org, integrations, installations, installation } = yield* installed()
        const scopes = ["space:content:read", "space:content:write"] as const
        yield* integrations.publish("weather", manifest(org, { scopes }))
        const found = yield* installations.get("weather", installation)
        assert.deepStrictEqual(found.requestedScopes, ["space:content:write"])
        assert.deepStrictEqual((yield* installations.update("weather", installation, { scopes })).requestedScopes, [])
      })
    )

    rule("are pending until a required configuration is set", () =>
      Effect.gen(function* () {
        const account = { properties: { city: { type: "string", title: "City" } }, required: ["city"] } as const
        const { org, people, installations, installation } = yield* installed({ configurations: { account } } as object)
        const status = Effect.map(installations.status(org, "weather"), (found) => found.status)
        assert.strictEqual(yield* status, "pending")
        const configure = (configuration: object) =>
          installations.update("weather", installation, { configuration } as object)
        assert.strictEqual(yield* outcome(configure({ city: 1 })), "InvalidInput")
        yield* configure({ city: "Oslo" })
        assert.strictEqual(yield* status, "active")
        // Members see the installation, but not its configuration.
        const seen = yield* installations.get("weather", installation).pipe(as(people.read))
        assert.notInclude(JSON.stringify(seen), "Oslo")
      })
    )

    rule("can be paused", () =>
      Effect.gen(function* () {
        const { org, installations, installation } = yield* installed()
        for (const status of ["paused", "active"] as const) {
          yield* installations.update("weather", installation, { status })
          assert.deepStrictEqual(yield* installations.status(org, "weather"), { status })
          const { items } = yield* installations.statuses(org, {})
          assert.deepStrictEqual(
            items.map((item) => item.status),
            [status]
          )
        }
      })
    )

    rule("are removed once, and removed again without an error or an event", () =>
      Effect.gen(function* () {
        const { org, installations, installation } = yield* installed()
        const uninstall = installations.uninstall("weather", installation)
        assert.deepStrictEqual(yield* emitted(uninstall), ["installation_removed"])
        assert.deepStrictEqual(yield* emitted(uninstall), [])
        assert.strictEqual(yield* outcome(installations.get("weather", installation)), "InstallationNotFound")
        assert.strictEqual(yield* outcome(installations.status(org, "weather")), "IntegrationNotFound")
        assert.strictEqual(yield* outcome(installations.update("weather", missing, {})), "InstallationNotFound")
      })
    )

    rule("emit no event if an update changes nothing", () =>
      Effect.gen(function* () {
        const account = { properties: { city: { type: "string", title: "City" } } }
        const { installations, installation } = yield* installed({ configurations: { account } } as object)
        const update = (patch: object) => installations.update("weather", installation, patch)
        yield* update({ configuration: { city: "Oslo" } })
        const { updatedAt, ...before } = yield* installations.get("weather", installation)
        yield* TestClock.adjust("1 minute")
        for (const patch of [
          { configuration: { city: "Oslo" } },
          { status: "active" },
          { externalIds: [] },
          { scopes: before.scopes },
          { space_selection: before.space_selection, site_selection: before.site_selection }
        ]) {
          assert.deepStrictEqual(yield* emitted(update(patch)), [], JSON.stringify(patch))
        }
        assert.deepStrictEqual(yield* installations.get("weather", installation), { ...before, updatedAt })
        assert.deepStrictEqual(yield* emitted(update({ configuration: { city: "Bergen" } })), ["installation_updated"])
      })
    )

    rule("emit an event when they are created and changed", () =>
      Effect.gen(function* () {
        const { elsewhere, installations, installation } = yield* installed({ visibility: "public" })
        const install = installations.install("weather", { organization: elsewhere })
        assert.deepStrictEqual(yield* emitted(install), ["installation_created"])
        assert.deepStrictEqual(yield* emitted(install), [])
        const pause = installations.update("weather", installation, { status: "paused" })
        assert.deepStrictEqual(yield* emitted(pause), ["installation_updated"])
        assert.deepStrictEqual(yield* emitted(installations.update("weather", installation, {})), [])
      })
    )
  })
}
