/** Every event in every state of a translation. */
import { assert, describe, it } from "@effect/vitest"
import type { RevisionId } from "@lectern/core/content/revisions/Revision"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { next, type StateOf, type TranslationEvent } from "@lectern/core/translation/TranslationState"
import { Result } from "effect"

const now = Timestamps.at(10_000)
const result = { space: "result" as SpaceId, revision: "r2" as RevisionId }
const made = { source: "r1" as RevisionId, key: "key", content: {} as never }
const stats = {
  runs: 3,
  totalWords: 30,
  totalPages: 4,
  totalDuration: 1.5,
  latestRunDuration: 0.5,
  latestPages: 1,
  latestWords: 7
}

const states = {
  pending: { status: "pending", stats },
  completed: { status: "completed", result, stats },
  asked: { status: "running", run: "now", runAt: Timestamps.at(7_500), stats },
  begun: {
    status: "running",
    run: "now",
    runAt: Timestamps.at(7_500),
    stats,
    result,
    progress: { source: "r1" as RevisionId, words: 12, pages: 2, newPages: 1 }
  }
} satisfies Record<string, StateOf>

const events = {
  request: { type: "request", run: "new", job: "job", working: false },
  "request, at work": { type: "request", run: "new", job: "job", working: true },
  begin: { type: "begin", run: "now", source: "r9" as RevisionId },
  progress: { type: "progress", run: "now", words: 5, page: true, isNew: true },
  finish: { type: "finish", run: "now", result, translated: made, untranslated: 1 },
  fail: { type: "fail", run: "now", reason: "No answer" },
  "begin of another": { type: "begin", run: "earlier", source: "r9" as RevisionId },
  "progress of another": { type: "progress", run: "earlier", words: 5, page: true, isNew: true },
  "finish of another": { type: "finish", run: "earlier", result, translated: made, untranslated: 0 },
  "fail of another": { type: "fail", run: "earlier", reason: "No answer" }
} satisfies Record<string, TranslationEvent>

const expected: Record<keyof typeof states, Partial<Record<keyof typeof events, string>>> = {
  pending: { request: "running", "request, at work": "running" },
  completed: { request: "running", "request, at work": "running" },
  asked: { request: "running", begin: "same", finish: "completed", fail: "pending" },
  begun: { request: "running", begin: "same", progress: "same", finish: "completed", fail: "completed" }
}

describe("TranslationState", () => {
  for (const [state, translation] of Object.entries(states)) {
    for (const [name, event] of Object.entries(events)) {
      const to = expected[state as keyof typeof states][name as keyof typeof events]
      it(`${state}: ${name} leads to ${to ?? "nothing"}`, () => {
        const after = next(translation, event, now)
        if (to === undefined) assert.isTrue(Result.isFailure(after))
        else assert.strictEqual(Result.getOrThrow(after).status ?? "same", to)
      })
    }
  }

  it("keeps what a run began with, and counts what it does", () => {
    assert.deepStrictEqual(Result.getOrThrow(next(states.begun, events.begin, now)), {})
    assert.deepStrictEqual(Result.getOrThrow(next(states.asked, events.begin, now)), {
      progress: { source: "r9" as RevisionId, words: 0, pages: 0, newPages: 0 }
    })
    assert.deepStrictEqual(Result.getOrThrow(next(states.begun, events.progress, now)), {
      progress: { source: "r1" as RevisionId, words: 17, pages: 3, newPages: 2 }
    })
  })

  for (const end of ["finish", "fail"] as const) {
    it(`adds a run up when it ends: ${end}`, () => {
      const patch = Result.getOrThrow(next(states.begun, events[end], now))
      assert.deepStrictEqual(patch.stats, {
        runs: 4,
        totalWords: 42,
        totalPages: 5,
        totalDuration: 4,
        latestRunDuration: 2.5,
        latestPages: 2,
        latestWords: 12
      })
      assert.strictEqual(patch.lastError, end === "fail" ? "No answer" : undefined)
    })
  }
})
