/**
 * Tests random one-word edits of real documentation: our own manual (see `Corpus.long.test.ts` for other
 * documentation).
 */
import { resolve } from "node:path"
import { describe, it } from "@effect/vitest"
import { runs } from "../../../core/test/Runs.ts"
import { assertWordEdits } from "./WordEdits.ts"

describe("one-word edits of the manual", () => {
  it.effect("change the bytes of the word", () =>
    assertWordEdits(resolve(import.meta.dirname, "../../../../docs"), runs(60, 600))
  )
})
