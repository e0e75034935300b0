import { assert, describe, it } from "@effect/vitest"
import { accepting } from "@lectern/core/schema/Input"
import { Effect, Schema } from "effect"

const Name = Schema.String.check(Schema.isPattern(/^[a-z]+$/, { message: "Expected letters" }))

const failureOf = (refused: Effect.Effect<unknown, Error>) => Effect.runSync(Effect.flip(refused)).message

describe("Input that is refused", () => {
  it("is named by its place, where it has one", () => {
    assert.strictEqual(
      failureOf(accepting(Schema.Struct({ name: Name }))({ name: "1" })),
      "The input can't be accepted: name: Expected letters"
    )
    assert.strictEqual(
      failureOf(accepting(Name, "path.name")("1")),
      "The input can't be accepted: path.name: Expected letters"
    )
    assert.strictEqual(failureOf(accepting(Name)("1")), "The input can't be accepted: Expected letters")
  })
})
