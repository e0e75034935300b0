import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import { Fingerprints } from "@lectern/document/alignment/Fingerprints"
import { keys, rekeyed } from "../merge/Documents.ts"
import { edited, randomDocument, randomEdits } from "../merge/RandomDocuments.ts"
import { runs } from "../../../core/test/Runs.ts"

describe("the laws of alignment", () => {
  it("writing back what was read gives the document itself", () => {
    fc.assert(
      fc.property(randomDocument, (value) => {
        assert.strictEqual(align(value, rekeyed(value)), value)
      }),
      runs()
    )
  })

  it("the content is always the next document's, the keys are unique, and a second time changes nothing", () => {
    fc.assert(
      fc.property(randomDocument, randomEdits, (previous, edits) => {
        const next = rekeyed(edited(previous, edits, "x"))
        const aligned = align(previous, next)
        const prints = new Fingerprints()
        assert.strictEqual(prints.of(aligned), prints.of(next))
        assert.strictEqual(new Set(keys(aligned)).size, keys(aligned).length)
        assert.strictEqual(align(aligned, rekeyed(aligned)), aligned)
      }),
      runs(1000)
    )
  })
})
