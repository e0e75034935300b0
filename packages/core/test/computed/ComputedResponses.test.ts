import { makeComputedResponses } from "@lectern/core/computed/ComputedResponses"
import type { IntegrationSource } from "@lectern/core/computed/ComputedSource"
import { SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adaptersWith } from "../Instances.ts"
import { installed, manifest } from "../integration/IntegrationMembers.ts"
import { type ProgramResponse, programs } from "../integration/Programs.ts"

const pagesOf = (...titles: ReadonlyArray<string>): ProgramResponse => ({
  body: JSON.stringify({ pages: titles.map((title) => ({ type: "document", title })) })
})

/** Response of the program to requests for pages, and their number. Each test begins with its own. */
const program = { response: pagesOf("One"), calls: 0 }

const services = adaptersWith(
  programs((event) => {
    if (event.type !== "content_compute_revision") return {}
    program.calls++
    return program.response
  })
)

const source: IntegrationSource = { type: "integration:weather:forecast", props: { city: "Oslo" } }
const contentSources = [{ id: "forecast", title: "Forecast", configuration: { componentId: "configure" } }]

/** An integration with a content source, on every space. */
const ready = Effect.gen(function* () {
  Object.assign(program, { response: pagesOf("One"), calls: 0 })
  const fixture = yield* installed({ contentSources } as object)
  const { id } = yield* (yield* Spaces).create(fixture.org, {})
  const space = (yield* (yield* Storage).repository(SpaceTable).get({ id }))!
  const responses = yield* makeComputedResponses
  const load = (one = source, options: { readonly knownOnly?: boolean } = {}) =>
    Effect.flatMap(responses.forSpace(space), ({ load }) => load("pages", [one], options)).pipe(
      Effect.map(([response]) => response!)
    )
  const stamp = Effect.flatMap(responses.forSpace(space), (ofSpace) => ofSpace.stamp)
  const publishAgain = fixture.integrations.publish("weather", manifest(fixture.org, { contentSources } as object))
  return { ...fixture, load, stamp, publishAgain }
})

for (const [name, adapter] of onEach(services)) {
  describe(`ComputedResponses (${name})`, () => {
    const rule = ruleOn(adapter)

    rule("are requested once for equal sources, even at the same time", () =>
      Effect.gen(function* () {
        const { load } = yield* ready
        const all = yield* Effect.all([load(), load(), load()], { concurrency: "unbounded" })
        assert.deepStrictEqual(
          all.map(({ state }) => state),
          ["ready", "ready", "ready"]
        )
        assert.deepStrictEqual(yield* load(), all[0])
        assert.strictEqual(program.calls, 1)
        yield* load({ ...source, props: { city: "Bergen" } })
        assert.strictEqual(program.calls, 2)
      })
    )

    rule("are not requested if only a stored response is wanted", () =>
      Effect.gen(function* () {
        const { load } = yield* ready
        assert.deepStrictEqual(yield* load(source, { knownOnly: true }), { state: "silent" })
        assert.strictEqual(program.calls, 0)
      })
    )

    rule("are requested again after a new version of the integration, and change the stamp of the space", () =>
      Effect.gen(function* () {
        const { load, stamp, publishAgain } = yield* ready
        const first = yield* load()
        const before = yield* stamp
        program.response = pagesOf("Two")
        assert.deepStrictEqual(yield* load(), first)
        yield* TestClock.adjust("1 second")
        yield* publishAgain
        assert.notDeepEqual(yield* load(), first)
        assert.notStrictEqual(yield* stamp, before)
        assert.strictEqual(program.calls, 2)
      })
    )

    rule("stay the last valid ones while the program fails", () =>
      Effect.gen(function* () {
        const { load, publishAgain } = yield* ready
        const first = yield* load()
        program.response = { status: 500 }
        yield* publishAgain
        assert.deepStrictEqual(yield* load(), first)
      })
    )

    rule("are missing after a failure or an invalid response, and are tried again after 30 seconds", () =>
      Effect.gen(function* () {
        const { load } = yield* ready
        for (const [i, response] of [{ status: 500 }, { body: '{"pages":1}' }, { body: "no JSON" }].entries()) {
          const one = { ...source, props: { city: i } }
          program.response = response
          program.calls = 0
          for (let n = 0; n < 2; n++) assert.deepStrictEqual(yield* load(one), { state: "silent" })
          assert.strictEqual(program.calls, 1)
          program.response = pagesOf("One")
          yield* TestClock.adjust("31 seconds")
          assert.strictEqual((yield* load(one)).state, "ready")
        }
      })
    )

    rule("are absent for a source that does not exist, or of an integration that is not active", () =>
      Effect.gen(function* () {
        const { load, installations, installation } = yield* ready
        yield* load()
        for (const type of ["integration:weather:missing", "integration:missing:forecast"] as const) {
          assert.deepStrictEqual(yield* load({ ...source, type }), { state: "absent" })
        }
        yield* installations.update("weather", installation, { status: "paused" })
        assert.deepStrictEqual(yield* load(), { state: "absent" })
      })
    )
  })
}
