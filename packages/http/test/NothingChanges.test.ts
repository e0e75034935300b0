/** A change that changes nothing is none: nothing is dated by it, and nobody is told. */
import { EventTable } from "@lectern/core/event/Event"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Harness, has, onMemory } from "./Harness.ts"
import { makeThings } from "./Things.ts"

onMemory("A change of nothing", (it) => {
  it.effect("leaves everything as it was, its date too", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const things = yield* makeThings
      const org = `/v1/orgs/${things.org}`
      const changes = [
        ["PATCH", `/v1/spaces/${things.space}`, ["title", "emoji", "language", "editMode"], {}],
        ["PATCH", `/v1/collections/${things.collection}`, ["title"], {}],
        ["PATCH", `/v1/spaces/${things.space}/change-requests/${things.cr}`, ["subject", "status"], {}],
        ["PATCH", `${org}/openapi/${things.spec}`, ["visibility"], { visibility: "private" }],
        ["PUT", `${org}/translations/${things.translation}`, [], {}]
      ] as const
      const events = (yield* Storage).repository(EventTable)
      for (const [method, path, fields, least] of changes) {
        const before = JSON.parse((yield* call("admin", "GET", path).pipe(has(200))).text)
        const told = yield* events.count({}).pipe(Effect.orDie)
        yield* TestClock.adjust("1 minute")
        const same = Object.fromEntries(fields.flatMap((field) => (field in before ? [[field, before[field]]] : [])))
        for (const body of [least, { ...least, ...same }]) {
          const { text } = yield* call("admin", method, path, body).pipe(has(200))
          assert.deepStrictEqual(JSON.parse(text), before, `${method} ${path} ${JSON.stringify(body)}`)
        }
        assert.strictEqual(yield* events.count({}).pipe(Effect.orDie), told, path)
      }
    })
  )
})
