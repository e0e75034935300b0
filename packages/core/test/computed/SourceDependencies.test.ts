import type { IntegrationSource } from "@lectern/core/computed/ComputedSource"
import { makeSourceDependencies } from "@lectern/core/computed/SourceDependencies"
import { OpenApiSpecs } from "@lectern/core/openapi/OpenApiSpecs"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"

const sourceWith = (dependencies: NonNullable<IntegrationSource["dependencies"]>): IntegrationSource => ({
  type: "integration:weather:forecast",
  props: {},
  dependencies
})

for (const [name, services] of onEach(adapters)) {
  describe(`SourceDependencies (${name})`, () => {
    const rule = ruleOn(services)

    rule("have the current revision of a space, and the id of a spec, by the names of the source", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const { id: space, revision } = yield* (yield* Spaces).create(org, {})
        const spec = yield* (yield* OpenApiSpecs).create(org, { slug: "pets", source: { text: "{}" } })
        const refs = {
          manual: { ref: { kind: "space", space } },
          api: { ref: { kind: "openapi", spec: "pets" } }
        } as const
        const [values] = yield* (yield* makeSourceDependencies).values(org, [sourceWith(refs)])
        assert.deepStrictEqual(values, {
          manual: { ...refs.manual, value: { object: "space", id: space, revision } },
          api: { ...refs.api, value: { object: "openapi-spec", id: spec.id, slug: "pets" } }
        })
      })
    )

    rule("have no value if they do not exist in the organization, or are in the trash", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const spaces = yield* Spaces
        const [{ id: foreign }, { id: trashed }] = [yield* spaces.create(elsewhere, {}), yield* spaces.create(org, {})]
        yield* spaces.remove(trashed)
        const dependencies = yield* makeSourceDependencies
        for (const ref of [
          { kind: "space", space: foreign },
          { kind: "space", space: trashed },
          { kind: "space", space: "missing" },
          { kind: "openapi", spec: "missing" },
          { kind: "translation", translation: "missing" }
        ] as const) {
          const [values] = yield* dependencies.values(org, [sourceWith({ one: { ref } })])
          assert.deepStrictEqual(values, { one: { ref, value: null } })
        }
      })
    )

    rule("are empty for a source without dependencies", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const source: IntegrationSource = { type: "integration:weather:forecast", props: {} }
        assert.deepStrictEqual(yield* (yield* makeSourceDependencies).values(org, [source]), [{}])
      })
    )
  })
}
