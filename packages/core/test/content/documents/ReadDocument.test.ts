import { assert, describe, it } from "@effect/vitest"
import { ReadDocument } from "@lectern/core/content/documents/ReadDocument"
import { Effect } from "effect"

const read = (markdown: string) =>
  Effect.map(ReadDocument.run, (run) =>
    run({ source: { markdown }, refs: new Map(), fenced: [], key: "key" }, undefined)
  )

describe("reading Markdown", () => {
  it.effect("refuses what would be larger than a document may be", () =>
    Effect.gen(function* () {
      assert.isTrue("document" in (yield* read("‹".repeat(2_700_000))))
      assert.deepStrictEqual(yield* read("‹".repeat(2_800_000)), {
        problem: { path: "markdown", message: "A document has at most 8 MiB" }
      })
    })
  )
})
