/** Time of the digest in time zones with and without summer time. */
import { nextDigest } from "@lectern/core/notification/DigestTime"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { checks } from "../Runs.ts"

const zones = [
  "UTC",
  "Europe/Paris",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "America/St_Johns",
  "Africa/Casablanca"
]

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("DigestTime", () => {
  const at = (timeZone: string, digestHour: number, now: string) =>
    nextDigest({ timeZone, digestHour }, Date.parse(now)) as string

  it("is the next start of the hour in the time zone", () => {
    assert.strictEqual(at("UTC", 8, "2026-11-30T07:59:59.999Z"), "2026-11-30T08:00:00.000Z")
    assert.strictEqual(at("UTC", 8, "2026-11-30T08:00:00.000Z"), "2026-12-01T08:00:00.000Z")
    assert.strictEqual(at("Europe/Paris", 0, "2026-12-31T22:59:00.000Z"), "2026-12-31T23:00:00.000Z")
    assert.strictEqual(at("Asia/Kathmandu", 9, "2026-06-01T00:00:00.000Z"), "2026-06-01T03:15:00.000Z")
  })

  it("follows summer time: once a day, even if the hour is missing or occurs twice", () => {
    // Clocks in Paris skip from 2 to 3 on 2026-03-29, and go back from 3 to 2 on 2026-10-25.
    assert.strictEqual(at("Europe/Paris", 9, "2026-03-28T12:00:00.000Z"), "2026-03-29T07:00:00.000Z")
    assert.strictEqual(at("Europe/Paris", 9, "2026-03-27T12:00:00.000Z"), "2026-03-28T08:00:00.000Z")
    assert.strictEqual(at("Europe/Paris", 2, "2026-03-28T12:00:00.000Z"), "2026-03-29T01:00:00.000Z")
    assert.strictEqual(at("Europe/Paris", 2, "2026-10-24T12:00:00.000Z"), "2026-10-25T00:00:00.000Z")
    assert.strictEqual(at("Europe/Paris", 2, "2026-10-25T00:30:00.000Z"), "2026-10-26T01:00:00.000Z")
  })

  it.effect.prop(
    "is within a day and an hour or two, at the hour or after a skipped one",
    [between(0, zones.length - 1), between(0, 23), between(0, 365 * 24 * 60)],
    ([zone, digestHour, minute]) =>
      Effect.sync(() => {
        const timeZone = zones[zone]!
        const now = Date.parse("2026-01-01T00:00:00.000Z") + minute * 60_000
        const next = Date.parse(nextDigest({ timeZone, digestHour }, now))
        assert.isAbove(next, now)
        assert.isAtMost(next - now, 26 * 3_600_000)
        const { hour } = DateTime.toParts(DateTime.makeZonedUnsafe(next, { timeZone }))
        assert.include([digestHour, (digestHour + 1) % 24], hour)
      }),
    { arbitrary: checks(200) }
  )
})
