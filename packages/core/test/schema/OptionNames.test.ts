import { assert, it } from "@effect/vitest"
import { InvalidInput } from "@lectern/core/schema/Input"
import { checkOptions, partitionOptions } from "@lectern/core/schema/OptionNames"

const names = { file: true, limits: { maxBytes: true, maxFiles: true }, hooks: true }

const messageOf = (options: unknown) => {
  try {
    checkOptions(names, options)
    return undefined
  } catch (error) {
    assert.instanceOf(error, InvalidInput)
    return error.message
  }
}

it("accepts known options, whatever their values are", () => {
  const known = { file: 5, limits: { maxBytes: undefined }, hooks: { other: true } }
  for (const options of [known, {}, { limits: [1] }, { limits: null }, { limits: 3 }, undefined, "file"])
    assert.isUndefined(messageOf(options))
})

it("refuses unknown options with a similar name, or with all names", () => {
  assert.strictEqual(messageOf({ fiel: 1 }), "The input can't be accepted: fiel: Unknown option: did you mean file?")
  assert.strictEqual(
    messageOf({ limits: { maxByte: 1 } }),
    "The input can't be accepted: limits.maxByte: Unknown option: did you mean maxBytes?"
  )
  assert.strictEqual(
    messageOf({ database: "1" }),
    "The input can't be accepted: database: Unknown option. Options: file, limits, hooks"
  )
  // Names of members of every object are no options.
  assert.match(messageOf({ constructor: 1 }) ?? "", /constructor: Unknown option/)
})

it("divides options by their names", () => {
  assert.deepStrictEqual(partitionOptions({ a: true, b: true }, { a: 1, c: 3 }), [{ a: 1 }, { c: 3 }])
})
