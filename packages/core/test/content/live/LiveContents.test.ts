/** Direct writes of the content of a space. */
import { assert, describe, it } from "@effect/vitest"
import * as ContentReader from "@lectern/core/content/ContentReader"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import { LiveContents } from "@lectern/core/content/live/LiveContents"
import { Objects } from "@lectern/core/content/store/Objects"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect } from "effect"
import { onEach } from "../../Adapters.ts"
import { adapters, organization } from "../../Instances.ts"

for (const [name, adapter] of onEach(adapters)) {
  describe(`LiveContents over ${name}`, () => {
    it.effect("takes many writes at once, each on top of the others", () =>
      Effect.gen(function* () {
        const live = yield* LiveContents
        const { id } = yield* (yield* Spaces).create(yield* organization, { title: "Docs" })
        const names = Array.from({ length: 30 }, (_, i) => `name${String(i).padStart(2, "0")}`)
        yield* Effect.forEach(
          names,
          (name) => live.write(id, [{ operation: "set_variables", variables: { [name]: "set" } }]),
          { concurrency: "unbounded", discard: true }
        )
        const main = yield* (yield* LiveEdits).begin(id)
        const variables = yield* ContentReader.make(yield* Objects, main.content).variables
        assert.deepStrictEqual(Object.keys(variables).sort(), names)
      }).pipe(Effect.provide(adapter))
    )
  })
}
