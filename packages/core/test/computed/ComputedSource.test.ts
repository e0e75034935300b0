import { IntegrationSource } from "@lectern/core/computed/ComputedSource"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"

describe("The source of what an integration computes", () => {
  it.each([
    ["integration:weather:today", true],
    [`integration:${"a".repeat(100)}:b`, true],
    [`integration:${"a".repeat(101)}:b`, false],
    ["integration:weather", false],
    ["integration::today", false],
    ["integration:weather:today:now", false],
    ["weather", false],
    ["", false]
  ])("is of the type %j: %s; another is told how one is written", (type, expected) => {
    const result = Schema.decodeUnknownResult(IntegrationSource)({ type, props: {} })
    assert.strictEqual(Result.isSuccess(result), expected)
    if (Result.isFailure(result)) assert.include(String(result.failure), "Expected integration:<name>:<content source>")
  })

  it("is described by one pattern, which says of what it is", () => {
    const { schema } = Schema.toJsonSchemaDocument(IntegrationSource.fields.type)
    assert.deepStrictEqual(schema, { type: "string", pattern: "^integration:[^:]{1,100}:[^:]{1,100}$" })
  })
})
