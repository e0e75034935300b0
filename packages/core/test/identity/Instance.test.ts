import { Instance } from "@lectern/core/identity/Instance"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters, twoOnOneFile } from "../Instances.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Instance (${name})`, () => {
    ruleOn(services)("signs a text for a purpose", () =>
      Effect.gen(function* () {
        const { sign } = yield* Instance
        assert.match(sign("cursor", "text"), /^[\w-]{43}$/)
        assert.strictEqual(sign("cursor", "text"), sign("cursor", "text"))
        assert.strictEqual(new Set([sign("cursor", "text"), sign("cursor", "other"), sign("url", "text")]).size, 3)
      })
    )

    ruleOn(services)("has a secret of its own", () =>
      Effect.gen(function* () {
        const other = yield* Layer.build(Layer.fresh(services))
        const signatures = [yield* Instance, Context.get(other, Instance)].map(({ sign }) => sign("cursor", "text"))
        assert.strictEqual(new Set(signatures).size, 2)
      })
    )
  })
}

it.effect("Two processes on the same data sign alike", () =>
  Effect.gen(function* () {
    const [first, second] = (yield* twoOnOneFile).map((one) => Context.get(one, Instance).sign("cursor", "text"))
    assert.strictEqual(first, second)
  }).pipe(Effect.scoped)
)
