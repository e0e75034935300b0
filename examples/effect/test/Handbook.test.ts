import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Lectern from "@lectern/core/Lectern"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { addPage, openHandbook, pageTitles } from "../src/Handbook.ts"

const Host = Lectern.layer().pipe(Layer.provide(MemoryStorage.layer), Layer.merge(Layer.succeed(CurrentActor, host)))

it.layer(Host)("A handbook", (it) => {
  it.effect("has the pages of merged change requests", () =>
    Effect.gen(function* () {
      const handbook = yield* openHandbook()
      const { result } = yield* addPage(handbook, "Welcome", "It is good that you are here.\n")
      assert.strictEqual(result, "merge")
      assert.deepStrictEqual(yield* pageTitles(handbook), ["Welcome"])
    })
  )

  it.effect("is created once", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* openHandbook(), yield* openHandbook())
    })
  )
})
