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

  it("is named by the field that says what it is, where there is nothing such", () => {
    const Step = Schema.Union([
      Schema.Struct({ type: Schema.Literal("begin") }),
      Schema.Struct({ type: Schema.Literal("end"), at: Schema.optionalKey(Schema.String), why: Schema.String })
    ])
    for (const step of [{ type: "nope" }, {}, 5, null]) {
      assert.strictEqual(
        failureOf(accepting(Schema.Struct({ steps: Schema.Array(Step) }))({ steps: [step as never] })),
        'The input can\'t be accepted: steps[0].type: Expected "begin" | "end"'
      )
    }
  })

  it("suggests the field with the most similar name for one that does not exist", () => {
    const Patch = Schema.Struct({
      title: Schema.optionalKey(Schema.String),
      icon: Schema.optionalKey(Schema.Struct({ emoji: Schema.String }))
    })
    const refused = (patch: object) => failureOf(accepting(Patch)(patch))
    assert.strictEqual(
      refused({ titel: "Handbook" }),
      "The input can't be accepted: titel: Unknown field: did you mean title?"
    )
    assert.strictEqual(
      refused({ icon: { emoji: "1f4d8", emojy: "1f4d8" } }),
      "The input can't be accepted: icon.emojy: Unknown field: did you mean emoji?"
    )
    assert.strictEqual(refused({ visibility: "public" }), "The input can't be accepted: visibility: Unknown field")
  })
})
