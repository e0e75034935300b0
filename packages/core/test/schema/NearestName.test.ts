import { assert, it } from "@effect/vitest"
import { suggestionOf } from "@lectern/core/schema/NearestName"

const names = ["host", "port", "rate-limit", "publicUrl", "busyTimeout", "timeout"]

it.each([
  ["hots", ": did you mean host?"],
  ["prt", ": did you mean port?"],
  ["rate_limit", ": did you mean rate-limit?"],
  ["PublicURL", ": did you mean publicUrl?"],
  ["timout", ": did you mean timeout?"],
  ["busy", ": did you mean busyTimeout?"],
  // A short name is similar to many.
  ["pt", ""],
  ["root", ""],
  ["", ""],
  ["port".repeat(100_000), ""]
])("suggests the most similar name for %j", (given, message) => {
  assert.strictEqual(suggestionOf(given, names), message)
})

it("does not compare the prefix of all names", () => {
  const variables = ["LECTERN_PORT", "LECTERN_HOST"]
  assert.strictEqual(suggestionOf("LECTERN_PROT", variables, "LECTERN_"), ": did you mean LECTERN_PORT?")
  assert.strictEqual(suggestionOf("LECTERN_ROOT", variables, "LECTERN_"), "")
})
