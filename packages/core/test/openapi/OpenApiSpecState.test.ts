/** Every state of a spec and every event. */
import { assert, describe, it } from "@effect/vitest"
import type { OpenApiVersionId, ProcessingState } from "@lectern/core/openapi/OpenApiSpec"
import { next, type SpecEvent } from "@lectern/core/openapi/OpenApiSpecState"
import type { Timestamp } from "@lectern/core/schema/Text"
import { Result } from "effect"

const now = "2026-01-01T00:00:00.000Z" as Timestamp
const version = "v" as OpenApiVersionId
const problems = { messages: ["No"], count: 3 }

const events = (request: string): ReadonlyArray<SpecEvent> => [
  { type: "begin", request },
  { type: "succeed", request, version },
  { type: "fail", request, code: "PARSE_ERROR", problems }
]

const table: Record<ProcessingState, Record<string, ProcessingState | undefined>> = {
  pending: { begin: "progress", succeed: undefined, fail: undefined },
  progress: { begin: "progress", succeed: "complete", fail: "complete" },
  complete: { begin: undefined, succeed: undefined, fail: undefined }
}

describe("The state of a spec", () => {
  for (const [state, row] of Object.entries(table) as ReadonlyArray<[ProcessingState, Record<string, string>]>) {
    for (const event of events("now")) {
      it(`${state}: ${event.type} leads to ${row[event.type] ?? "nowhere"}`, () => {
        const after = next({ processingState: state, request: "now" }, event, now)
        assert.strictEqual(Result.isSuccess(after) ? after.success.processingState : undefined, row[event.type])
      })
    }
    for (const event of events("earlier")) {
      it(`${state}: ${event.type} of an earlier request leads nowhere`, () => {
        assert.isTrue(Result.isFailure(next({ processingState: state, request: "now" }, event, now)))
      })
    }
    it(`${state}: a request leads to pending, and forgets what went wrong`, () => {
      const event = { type: "request", request: "new", source: { url: "https://example.com/" } } as const
      assert.deepInclude(Result.getOrThrow(next({ processingState: state, request: "now" }, event, now)), {
        processingState: "pending",
        request: "new",
        lastProcessErrorCode: undefined,
        lastProcessedErrorCount: 0
      })
    })
  }

  it("keeps the warnings of a version until there is another one", () => {
    const after = (event: SpecEvent) =>
      Result.getOrThrow(next({ processingState: "progress", request: "now" }, event, now))
    const succeed = events("now")[1]! as Extract<SpecEvent, { type: "succeed" }>
    for (const event of events("now").slice(1)) assert.notProperty(after(event), "warnings")
    const warnings = [{ message: "No", path: "/a", line: 1, column: 2 }]
    assert.deepInclude(after({ ...succeed, parsed: { warnings, warningCount: 3 } }), { warnings, warningCount: 3 })
    assert.deepInclude(after({ ...succeed, parsed: { warnings: [], warningCount: 0 } }), {
      warnings: undefined,
      warningCount: 0
    })
  })

  it("keeps the last version where it fails, and tells how much went wrong", () => {
    const patch = Result.getOrThrow(next({ processingState: "progress", request: "now" }, events("now")[2]!, now))
    assert.notProperty(patch, "lastVersion")
    assert.deepInclude(patch, {
      lastProcessErrorCode: "PARSE_ERROR",
      lastProcessedErrors: [{ message: "No", code: "PARSE_ERROR" }],
      lastProcessedErrorCount: 3,
      lastProcessedAt: now
    })
  })
})
