/**
 * State machine of a spec's processing, as a pure function.
 *
 * | from | event | to |
 * |---|---|---|
 * | any | `request` | pending |
 * | pending, progress | `begin` | progress |
 * | progress | `succeed`, `fail` | complete |
 *
 * An event of an earlier request than the last is rejected. A failure keeps the last version.
 */
import { Result } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import type { Patch } from "../storage/Storage.ts"
import type { OpenApiSpecRow, OpenApiVersionId, ProcessErrorCode } from "./OpenApiSpec.ts"
import type { ParsedSpec, SpecProblems } from "./ReadSpec.ts"

export type SpecEvent =
  | { readonly type: "request"; readonly request: string; readonly source: OpenApiSpecRow["source"] }
  | { readonly type: "begin"; readonly request: string }
  | {
      readonly type: "succeed"
      readonly request: string
      readonly version: OpenApiVersionId
      /** Warnings of a new version; absent if the version is not new. */
      readonly parsed?: Pick<ParsedSpec, "warnings" | "warningCount">
    }
  | {
      readonly type: "fail"
      readonly request: string
      readonly code: ProcessErrorCode
      readonly problems: SpecProblems
    }

export type SpecPatch = Patch<Omit<OpenApiSpecRow, "id" | "organization" | "slug">>

const noProblems = { lastProcessErrorCode: undefined, lastProcessedErrors: undefined, lastProcessedErrorCount: 0 }

export const next = (
  spec: Pick<OpenApiSpecRow, "processingState" | "request">,
  event: SpecEvent,
  now: Timestamp
): Result.Result<SpecPatch, string> => {
  if (event.type === "request") {
    const { request, source } = event
    return Result.succeed({ processingState: "pending", request, source, ...noProblems, updatedAt: now })
  }
  if (event.request !== spec.request) return Result.fail("The spec was asked to be processed anew meanwhile")
  if (event.type === "begin") {
    return spec.processingState === "complete"
      ? Result.fail("The spec is processed already")
      : Result.succeed({ processingState: "progress" })
  }
  if (spec.processingState !== "progress") return Result.fail("The spec is not being processed")
  const completedFields = { processingState: "complete", lastProcessedAt: now, updatedAt: now } as const
  if (event.type === "succeed") {
    const { version: lastVersion, parsed } = event
    const { warnings = [], warningCount } = parsed ?? {}
    const warningFields = parsed && { warnings: warnings.length > 0 ? warnings : undefined, warningCount }
    return Result.succeed({ ...completedFields, ...noProblems, lastVersion, ...warningFields })
  }
  const { code, problems } = event
  return Result.succeed({
    ...completedFields,
    lastProcessErrorCode: code,
    lastProcessedErrors: problems.messages.map((message) => ({ message, code })),
    lastProcessedErrorCount: problems.count
  })
}
