import { assert, describe, it } from "@effect/vitest"
import { InputTime, millisOf } from "@lectern/core/schema/InputTime"
import { Exit, Schema } from "effect"

describe("InputTime", () => {
  it.each([
    ["2030", "2030-01-01T00:00:00.000Z"],
    ["2030-02", "2030-02-01T00:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2030-01-31T12:00Z", "2030-01-31T12:00:00.000Z"],
    ["2030-01-31T12:00:00.123456789+02:00", "2030-01-31T10:00:00.123Z"],
    ["0050-01-01", "0050-01-01T00:00:00.000Z"]
  ])("%s is %s", (text, time) => {
    assert.strictEqual(new Date(millisOf(Schema.decodeUnknownSync(InputTime)(text))).toISOString(), time)
  })

  it.each([
    ["2030-02-30", "there is no 2030-02-30"],
    ["2030-02-29T00:00:00Z", "there is no 2030-02-29"],
    ["2030-04-31T10:00:00+02:00", "there is no 2030-04-31"],
    ["2030-13", "there is no 2030-13"],
    ["2030-00-10", "there is no 2030-00-10"],
    ["2030-01-31T25:00Z", "such as"],
    ["2030-01-31T10:00:60Z", "such as"],
    ["2030-01-31T10:00:00+24:00", "such as"],
    ["2030-01-31T12:00:00", "with its zone"],
    ["2030-01T12:00Z", "such as"],
    ["January 31, 2030", "such as"],
    ["tomorrow", "such as"]
  ])("%s is none", (text, why) => {
    const refused = Schema.decodeUnknownExit(InputTime)(text)
    assert.isTrue(Exit.isFailure(refused))
    assert.include(String(refused), why)
  })
})
