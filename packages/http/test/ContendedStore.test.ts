/** Responses over a store whose data other processes change all the time, or that can't be reached. */
import { assert, describe, it } from "@effect/vitest"
import * as Lectern from "@lectern/core/Lectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { Effect, Layer } from "effect"
import { Faults } from "../../adapter-memory/test/late/Faults.ts"
import * as LateStorage from "../../adapter-memory/test/late/LateStorage.ts"
import { Harness, has } from "./Harness.ts"

const faults = new Faults({ seed: 1 })

const layer = Harness.layer.pipe(
  Layer.provideMerge(
    Lectern.layer({ extensions: [Exchange.extension()] }).pipe(
      Layer.provideMerge(LateStorage.layer({ seed: 1 }, faults))
    )
  )
)

describe("A write over a store that several processes use", () => {
  it.effect("is a 503 if its commit is refused each time or can't be sent, changes nothing, and succeeds later", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const path = `/v1/orgs/${organization}`
      const rename = call("admin", "PATCH", path, { title: "Renamed" })
      const title = Effect.map(call("admin", "GET", path).pipe(has(200)), ({ text }) => JSON.parse(text).title)
      const message = (text: string) => JSON.parse(text).error.message

      faults.nextRefusals = 11
      const contended = yield* rename
      assert.strictEqual(contended.status, 503)
      assert.strictEqual(contended.headers.get("retry-after"), "5")
      assert.strictEqual(message(contended.text), "The same data is changed too often at the moment")
      assert.strictEqual(yield* title, "Acme")

      faults.isCut = true
      const unreachable = yield* rename
      assert.strictEqual(unreachable.status, 503)
      assert.strictEqual(message(unreachable.text), "The storage is unavailable at the moment")
      faults.isCut = false
      assert.strictEqual(yield* title, "Acme")

      yield* rename.pipe(has(200))
      assert.strictEqual(yield* title, "Renamed")
    }).pipe(Effect.provide(layer))
  )
})
