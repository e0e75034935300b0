import { IntegrationTable } from "@lectern/core/integration/Integration"
import { IntegrationDevelopment } from "@lectern/core/integration/IntegrationDevelopment"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { installed } from "./IntegrationMembers.ts"

const tunnelUrl = "https://tunnel.example/"

const ready = Effect.gen(function* () {
  const fixture = yield* installed({ visibility: "public" })
  const rows = (yield* Storage).repository(IntegrationTable)
  const row = Effect.map(rows.list({ where: {} }), ([found]) => found!)
  return { ...fixture, development: yield* IntegrationDevelopment, row }
})

for (const [name, services] of onEach(adapters)) {
  describe(`IntegrationDevelopment (${name})`, () => {
    const rule = ruleOn(services)

    rule("lasts for 24 hours from the last start", () =>
      Effect.gen(function* () {
        const { development, row } = yield* ready
        const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)
        const isOn = Effect.map(row, (found) => found.development !== undefined)
        yield* development.begin("weather", { tunnelUrl })
        yield* TestClock.adjust("12 hours")
        yield* development.begin("weather", { tunnelUrl })
        for (const [after, expected] of [
          ["12 hours", true],
          ["12 hours", false]
        ] as const) {
          yield* TestClock.adjust(after)
          yield* work
          assert.strictEqual(yield* isOn, expected)
        }
      })
    )

    rule("stores the URL of the tunnel encrypted, until it ends", () =>
      Effect.gen(function* () {
        const { development, row } = yield* ready
        yield* development.begin("weather", { tunnelUrl, all: true })
        const stored = yield* row
        assert.deepInclude(stored.development, { all: true, developer: null })
        assert.notInclude(JSON.stringify(stored), "tunnel.example")
        for (let i = 0; i < 2; i++) yield* development.end("weather")
        assert.notProperty(yield* row, "development")
        assert.notProperty(yield* row, "tunnelUrl")
      })
    )

    rule("is for administrators of the publisher", () =>
      Effect.gen(function* () {
        const { people, development } = yield* ready
        for (const operation of [development.begin("weather", { tunnelUrl }), development.end("weather")]) {
          assert.deepStrictEqual(yield* outcomes(people, operation), {
            ok: "host admin",
            Forbidden: "create review edit comment read guest outsider"
          })
        }
      })
    )

    rule("needs a URL of at most 256 characters that the server may request", () =>
      Effect.gen(function* () {
        const { development, row } = yield* ready
        for (const url of [
          "",
          "tunnel.example",
          "ftp://tunnel.example/",
          "http://127.0.0.1/",
          `${tunnelUrl}${"x".repeat(256)}`
        ]) {
          assert.strictEqual(yield* outcome(development.begin("weather", { tunnelUrl: url })), "InvalidInput", url)
        }
        assert.strictEqual(yield* outcome(development.begin("missing", { tunnelUrl })), "IntegrationNotFound")
        assert.notProperty(yield* row, "development")
      })
    )
  })
}
