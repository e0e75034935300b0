import { type AdaptiveJsonSchema, emptySchema } from "@lectern/core/adaptive/AdaptiveSchema"
import { AdaptiveSchemas } from "@lectern/core/adaptive/AdaptiveSchemas"
import { Sites } from "@lectern/core/site/Sites"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, readers, siteWithMembers } from "../site/SiteMembers.ts"

const schemaOf = (properties: AdaptiveJsonSchema["properties"]): AdaptiveJsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false
})

const beta = schemaOf({ beta: { type: "boolean" }, plan: { type: "string", enum: ["free", "pro"] } })

const sited = Effect.map(Effect.all([siteWithMembers, AdaptiveSchemas]), ([fixture, schemas]) => ({
  ...fixture,
  schemas
}))

for (const [name, services] of onEach(adapters)) {
  describe(`AdaptiveSchemas (${name})`, () => {
    const rule = ruleOn(services)

    rule("are empty until one is stored, which enables adaptive content", () =>
      Effect.gen(function* () {
        const { org, site, schemas } = yield* sited
        const sites = yield* Sites
        assert.deepStrictEqual((yield* schemas.get(org, site)).jsonSchema, emptySchema)
        assert.isFalse((yield* sites.get(org, site)).adaptiveContent.enabled)
        assert.deepStrictEqual((yield* schemas.put(org, site, { jsonSchema: beta })).jsonSchema, beta)
        assert.deepStrictEqual((yield* schemas.get(org, site)).jsonSchema, beta)
        assert.isTrue((yield* sites.get(org, site)).adaptiveContent.enabled)
      })
    )

    rule("leave adaptive content disabled if it was disabled explicitly", () =>
      Effect.gen(function* () {
        const { org, site, schemas } = yield* sited
        const sites = yield* Sites
        yield* sites.update(org, site, { adaptiveContent: { enabled: false } })
        yield* schemas.put(org, site, { jsonSchema: beta })
        assert.isFalse((yield* sites.get(org, site)).adaptiveContent.enabled)
      })
    )

    rule("are stored by administrators of the site, and read by everyone who sees it", () =>
      Effect.gen(function* () {
        const { org, people, site, schemas } = yield* sited
        const put = schemas.put(org, site, { jsonSchema: beta })
        assert.deepStrictEqual(yield* outcomes(people, put), administratorsOnly)
        assert.deepStrictEqual(yield* outcomes(people, schemas.get(org, site)), readers)
        assert.deepStrictEqual(yield* outcomes(people, schemas.templateConditions(org, site)), readers)
      })
    )

    rule("reject schemas that are not the supported part of JSON Schema", () =>
      Effect.gen(function* () {
        const { org, site, schemas } = yield* sited
        yield* schemas.put(org, site, { jsonSchema: beta })
        for (const invalid of [
          null,
          [],
          { ...beta, additionalProperties: true },
          { type: "object", additionalProperties: false },
          schemaOf({ claim: { type: "null" } as never }),
          schemaOf({ claim: { type: "string", pattern: "x" } as never }),
          schemaOf({ claim: { $ref: "https://example.com/schema" } as never }),
          schemaOf(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`c${i}`, { type: "boolean" }])))
        ] as ReadonlyArray<AdaptiveJsonSchema>) {
          assert.strictEqual(yield* outcome(schemas.put(org, site, { jsonSchema: invalid })), "InvalidInput")
        }
        assert.deepStrictEqual((yield* schemas.get(org, site)).jsonSchema, beta)
      })
    )

    rule("offer conditions on their claims", () =>
      Effect.gen(function* () {
        const { org, site, schemas } = yield* sited
        assert.deepStrictEqual((yield* schemas.templateConditions(org, site)).items, [])
        yield* schemas.put(org, site, { jsonSchema: beta })
        const { items } = yield* schemas.templateConditions(org, site)
        assert.deepStrictEqual(
          items.map(({ condition }) => condition),
          [
            "visitor.claims.beta === true",
            "visitor.claims.beta !== true",
            'visitor.claims.plan === "free"',
            'visitor.claims.plan === "pro"'
          ]
        )
      })
    )

    rule("emit one event when they are stored", () =>
      Effect.gen(function* () {
        const { org, site, schemas } = yield* sited
        assert.deepStrictEqual(yield* emitted(schemas.put(org, site, { jsonSchema: beta })), ["site_updated"])
      })
    )
  })
}
