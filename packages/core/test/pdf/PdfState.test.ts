/** Every state of a PDF and every event. */
import { assert, describe, it } from "@effect/vitest"
import { failureLifetime, type PdfStatus } from "@lectern/core/pdf/Pdf"
import { next, type PdfEvent } from "@lectern/core/pdf/PdfState"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { BlobHash } from "@lectern/core/storage/BlobStore"
import { Duration, Result } from "effect"

const began = Date.UTC(2026, 0, 1)
const after = (duration: Duration.Input) => Timestamps.at(began + Duration.toMillis(Duration.fromInputUnsafe(duration)))
const at = (status: PdfStatus) => ({ status, updatedAt: after(0), askedAt: after(0) })

const events = {
  "ask while it is made": { type: "ask", working: true },
  ask: { type: "ask", working: false },
  succeed: { type: "succeed", blob: "b" as BlobHash, size: 3 },
  fail: { type: "fail", failure: "No" }
} as const satisfies Record<string, PdfEvent>

/** Result of each event within the minute, and whether the PDF has to be made. */
const table: Record<PdfStatus, Record<keyof typeof events, readonly [PdfStatus, boolean] | undefined>> = {
  pending: {
    "ask while it is made": ["pending", false],
    ask: ["pending", true],
    succeed: ["done", false],
    fail: ["failed", false]
  },
  done: { "ask while it is made": ["done", false], ask: ["done", false], succeed: undefined, fail: undefined },
  failed: { "ask while it is made": ["failed", false], ask: ["failed", false], succeed: undefined, fail: undefined }
}

describe("The state of a PDF", () => {
  for (const [status, row] of Object.entries(table) as ReadonlyArray<[PdfStatus, (typeof table)["done"]]>) {
    for (const [name, event] of Object.entries(events) as ReadonlyArray<[keyof typeof events, PdfEvent]>) {
      it(`${status}: ${name} leads to ${row[name]?.join(", make: ") ?? "nowhere"}`, () => {
        const result = next(at(status), event, after("1 minute"))
        const step = Result.isSuccess(result) ? result.success : undefined
        assert.deepStrictEqual(step && [step.patch.status ?? status, step.make], row[name]?.slice())
      })
    }
  }

  it("is tried again once it has been failed for long enough", () => {
    const asked = { type: "ask", working: false } as const
    const early = Result.getOrThrow(next(at("failed"), asked, after(Duration.toMillis(failureLifetime) - 1)))
    assert.deepStrictEqual(early, { patch: {}, make: false })
    const late = Result.getOrThrow(next({ ...at("failed") }, asked, after(failureLifetime)))
    assert.isTrue(late.make)
    assert.deepInclude(late.patch, { status: "pending", failure: undefined })
  })

  it("writes down once a day that someone asked", () => {
    const asked = { type: "ask", working: true } as const
    assert.deepStrictEqual(Result.getOrThrow(next(at("done"), asked, after("23 hours"))).patch, {})
    assert.deepStrictEqual(Result.getOrThrow(next(at("done"), asked, after("24 hours"))).patch, {
      askedAt: after("24 hours")
    })
  })
})
