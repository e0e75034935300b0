/**
 * State of the Git operation of a space, as a pure function. There is one operation at a time.
 *
 * | from | `begin` | `end` | `expire` |
 * | --- | --- | --- | --- |
 * | none, success, failure, timeout | running | - | - |
 * | running | - | success, failure | timeout, after its time is over |
 * | running, time over | running | - | timeout |
 *
 * Events of an operation other than the running one are rejected.
 */
import { Result } from "effect"
import type { ImportReport } from "@lectern/core/exchange/ImportReport"
import type { ImportProblem } from "../import/Folder.ts"
import type { RevisionId } from "@lectern/core/content/revisions/Revision"
import type { Timestamp } from "@lectern/core/schema/Text"
import type { UserId } from "@lectern/core/user/User"
import { maxProblems, operationTimeout } from "./GitSync.ts"
import type { GitOperation, GitTask } from "@lectern/core/exchange/GitSyncRow"

export type GitEvent =
  | { readonly type: "begin"; readonly id: string; readonly task: GitTask; readonly actor: UserId | null }
  | {
      readonly type: "end"
      readonly id: string
      /** Error of a failed operation. */
      readonly error?: string
      /** Revision of a successful operation. */
      readonly revision?: RevisionId
      readonly problems?: ReadonlyArray<ImportProblem>
      readonly report?: ImportReport
    }
  | { readonly type: "expire"; readonly id: string }

const maxMessageLength = 1_000

/** Returns true if an operation has exceeded its time limit. */
export const isTimedOut = ({ startedAt }: Pick<GitOperation, "startedAt">, now: Timestamp): boolean =>
  Date.parse(now) - Date.parse(startedAt) >= operationTimeout

/** Returns the current state, including a timeout that is not stored yet. */
export const stateOf = (operation: GitOperation, now: Timestamp): GitOperation["state"] =>
  operation.state === "running" && isTimedOut(operation, now) ? "timeout" : operation.state

export const timeoutMessage = `It took longer than ${operationTimeout / 60_000} minutes`

export const next = (
  operation: GitOperation | undefined,
  event: GitEvent,
  now: Timestamp
): Result.Result<GitOperation, string> => {
  const runs = operation !== undefined && stateOf(operation, now) === "running"
  if (event.type === "begin") {
    const { id, task, actor } = event
    return runs
      ? Result.fail(`An ${operation.task.direction} of this space is running`)
      : Result.succeed({ id, task, actor, state: "running", startedAt: now })
  }
  if (operation?.id !== event.id || operation.state !== "running") return Result.fail("The operation is over")
  const ended = { ...operation, endedAt: now }
  if (!runs) return Result.succeed({ ...ended, state: "timeout", error: timeoutMessage })
  if (event.type === "expire") return Result.fail("The operation has time left")
  const { error, revision, problems = [], report } = event
  const listed = problems.slice(0, maxProblems).map(({ path, line, message }) => ({
    path: wellFormed(path),
    message: wellFormed(line === undefined ? message : `Line ${line}: ${message}`)
  }))
  return Result.succeed({
    ...ended,
    ...(error === undefined
      ? {
          state: "success",
          ...(revision !== undefined && { revision }),
          ...(report !== undefined && { report: shortened(report) })
        }
      : { state: "failure", error: wellFormed(error) }),
    ...(listed.length > 0 && { problems: listed, problemCount: problems.length })
  })
}

/** Returns the report, limited to the number of problems that an operation lists. */
const shortened = (report: ImportReport): ImportReport => ({
  ...report,
  problems: report.problems.slice(0, maxProblems).map(({ files, ...one }) => ({
    ...one,
    path: wellFormed(one.path),
    message: wellFormed(one.message),
    ...(files !== undefined && { files: files.slice(0, maxFiles).map(wellFormed) })
  })),
  markup: report.markup.map((one) => ({
    ...one,
    places: one.places.map((place) => ({ ...place, path: wellFormed(place.path), text: wellFormed(place.text) }))
  })),
  specs: report.specs.slice(0, maxProblems).map((one) => ({ ...one, spec: wellFormed(one.spec) })),
  sentences: report.sentences.map(wellFormed)
})

const maxFiles = 100

const wellFormed = (text: string): string =>
  text.slice(0, maxMessageLength).toWellFormed().replaceAll("\u0000", "\uFFFD")
