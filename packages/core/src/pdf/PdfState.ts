/**
 * State machine of a PDF, as a pure function.
 *
 * | from | `ask` | `succeed` | `fail` |
 * | --- | --- | --- | --- |
 * | no row | pending | - | - |
 * | pending | pending (1) | done | failed |
 * | done | done | - | - |
 * | failed | failed, pending (2) | - | - |
 *
 * 1. creates the PDF again if its job has ended
 * 2. pending if the failure is at least `failureLifetime` old
 */
import { Duration, Result } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import type { BlobHash } from "../storage/BlobStore.ts"
import type { Patch } from "../storage/Storage.ts"
import { failureLifetime, type PdfRow } from "./Pdf.ts"

export type PdfEvent =
  /** `working`: true if the job of the PDF has not ended. */
  | { readonly type: "ask"; readonly working: boolean }
  | { readonly type: "succeed"; readonly blob: BlobHash; readonly size: number }
  | { readonly type: "fail"; readonly failure: string }

/** Transition of a PDF. `patch`: changes of the row; `make`: true if a job must create the PDF. */
export interface PdfStep {
  readonly patch: Patch<Pick<PdfRow, "status" | "blob" | "size" | "failure" | "askedAt" | "updatedAt">>
  readonly make: boolean
}

/** Minimum interval between two updates of `askedAt` (ms), so that frequent requests do not write each time. */
const requestUpdateInterval = 24 * 3_600_000

export const next = (
  pdf: Pick<PdfRow, "status" | "updatedAt" | "askedAt">,
  event: PdfEvent,
  now: Timestamp
): Result.Result<PdfStep, string> => {
  const millisSince = (time: Timestamp) => Date.parse(now) - Date.parse(time)
  if (event.type === "ask") {
    const isOld = pdf.status === "failed" && millisSince(pdf.updatedAt) >= Duration.toMillis(failureLifetime)
    const make = isOld || (pdf.status === "pending" && !event.working)
    const requestTime = make || millisSince(pdf.askedAt) >= requestUpdateInterval ? { askedAt: now } : {}
    return Result.succeed({
      patch: isOld ? { ...requestTime, status: "pending", failure: undefined, updatedAt: now } : requestTime,
      make
    })
  }
  if (pdf.status !== "pending") return Result.fail(`The PDF is ${pdf.status} already`)
  const { type, ...outcome } = event
  const status = type === "succeed" ? "done" : "failed"
  return Result.succeed({ patch: { ...outcome, status, updatedAt: now }, make: false })
}
