/**
 * State of a translation, as a pure function.
 *
 * | from | event | to |
 * | --- | --- | --- |
 * | pending, completed | `request` | running |
 * | running | `request`, if no job works on the run | running, another run |
 * | running | `begin`, `progress` | running |
 * | running | `finish` | completed |
 * | running | `fail` | completed if there is a result, otherwise pending |
 *
 * A run in progress is not started twice. Events of earlier runs are rejected. A failure keeps the last result and
 * stores the error.
 */
import { Result } from "effect"
import type { RevisionId } from "../content/revisions/Revision.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { Patch } from "../storage/Storage.ts"
import type { TranslationRow } from "./Translation.ts"

export type TranslationEvent =
  | { readonly type: "request"; readonly run: string; readonly job: string; readonly working: boolean }
  | { readonly type: "begin"; readonly run: string; readonly source: RevisionId }
  /** A page or a reusable content was translated. */
  | {
      readonly type: "progress"
      readonly run: string
      readonly words: number
      readonly page: boolean
      readonly isNew: boolean
    }
  | {
      readonly type: "finish"
      readonly run: string
      readonly result: NonNullable<TranslationRow["result"]>
      readonly translated: NonNullable<TranslationRow["made"]>
      readonly untranslated: number
    }
  | { readonly type: "fail"; readonly run: string; readonly reason: string }

export type TranslationPatch = Patch<Omit<TranslationRow, "id" | "organization" | "source" | "language" | "startedBy">>

export type StateOf = Pick<TranslationRow, "status" | "run" | "runAt" | "progress" | "result" | "stats">

export const next = (
  translation: StateOf,
  event: TranslationEvent,
  now: Timestamp
): Result.Result<TranslationPatch, string> => {
  const { status, run, progress, stats } = translation
  if (event.type === "request") {
    if (status === "running" && event.working) return Result.fail("The translation is running already")
    return Result.succeed({
      status: "running",
      run: event.run,
      job: event.job,
      runAt: now,
      progress: undefined,
      lastError: undefined,
      updatedAt: now
    })
  }
  if (status !== "running") return Result.fail("The translation is not running")
  if (event.run !== run) return Result.fail("The translation was run anew meanwhile")
  switch (event.type) {
    case "begin":
      return Result.succeed(
        progress === undefined ? { progress: { source: event.source, words: 0, pages: 0, newPages: 0 } } : {}
      )
    case "progress":
      if (progress === undefined) return Result.fail("The run has not begun")
      return Result.succeed({
        progress: {
          source: progress.source,
          words: progress.words + event.words,
          pages: progress.pages + (event.page ? 1 : 0),
          newPages: progress.newPages + (event.page && event.isNew ? 1 : 0)
        }
      })
    case "finish":
      return Result.succeed({
        ...ended(translation, now),
        status: "completed",
        result: event.result,
        made: event.translated,
        untranslated: event.untranslated,
        lastError: undefined
      })
    case "fail":
      return Result.succeed({
        ...ended(translation, now),
        status: translation.result === undefined ? "pending" : "completed",
        lastError: event.reason.slice(0, longestReason).toWellFormed()
      })
  }

  function ended({ runAt }: StateOf, time: Timestamp) {
    const seconds = Math.max(0, Date.parse(time) - Date.parse(runAt ?? time)) / 1000
    const { words, pages, newPages } = progress ?? { words: 0, pages: 0, newPages: 0 }
    return {
      job: undefined,
      progress: undefined,
      updatedAt: time,
      stats: {
        runs: stats.runs + 1,
        totalWords: stats.totalWords + words,
        totalPages: stats.totalPages + newPages,
        // Rounded, since sums of floats are inexact.
        totalDuration: Math.round((stats.totalDuration + seconds) * 1000) / 1000,
        latestRunDuration: seconds,
        latestPages: pages,
        latestWords: words
      }
    } as const
  }
}

const longestReason = 1_000
