/**
 * The port that runs what integrations are made of: this script, with this event, within these bounds.
 * Scripts are of strangers, so an adapter keeps them apart from everything else: no network but through
 * a guarded door, bounded in time and memory, and one that loops or takes too much harms no other.
 *
 * The default runs nothing: integrations can be published and installed, and what would run answers
 * that nothing runs here. A runtime that has no room for another program for too long fails with a `StorageError` that
 * says `busy`, as everything does of which too much waits: nothing was begun.
 *
 * Limits: 30 seconds for an answer, 60 for what a script goes on with behind it; an answer of 20 MiB;
 * 1,000 lines of logs with 64 KiB in all; 50 requests of a script for one event.
 */
import { Context, Duration, Effect, Layer, Schema, type Scope, Stream } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import { concatenated } from "../schema/Bytes.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { IntegrationKey } from "./Integration.ts"
import { RunLog } from "./RunLog.ts"

export const answerTimeout = Duration.seconds(30)
export const lingerTimeout = Duration.seconds(60)
export const maxAnswerBytes = 20 * 1024 * 1024
export const maxLogs = 1_000
export const maxLogBytes = 64 * 1024
export const maxSubrequests = 50

/** The program to run: a version of an integration, or its developer's own. */
export interface Program {
  readonly integration: IntegrationKey
  readonly version: number
  /** The one that published it. */
  readonly organization: OrganizationId
  /** A classic script, or a module. */
  readonly runtime: "v1" | "v2"
  /** The text of the script, read when it is started. */
  readonly script: Effect.Effect<string, StorageError>
  /** URL of the developer's machine, where it runs instead. */
  readonly tunnelUrl?: string
}

/** Input of a program. */
export interface Delivery {
  /** The event and the environment as JSON (see `IntegrationEnvironment`). */
  readonly event: string
  readonly environment: string
  /** The body of the request that the event is about. */
  readonly body?: Uint8Array
  /** The event was queued: nobody waits for its answer, so it leaves room for those that somebody waits for. */
  readonly queued?: Queued
}

/** Told where others leave an event no room for a while, for which its program is not to blame. Each is called once at most. */
export interface Queued {
  readonly waits: () => void
  readonly begun: () => void
}

export interface RunAnswer {
  readonly status: number
  /** A name may stand more than once, as `set-cookie` does. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Stream.Stream<Uint8Array, RunFailed>
  /** All of the body in one go, in place of it; fails where that is longer than so many bytes. */
  readonly bytes: (maxBytes: number) => Effect.Effect<Uint8Array, RunFailed>
  /** True where the program is known to be done with the event, so that the trace is there. */
  readonly isDone: boolean
  /** Once the program is done with the event, behind its answer too. */
  readonly trace: Effect.Effect<RunTrace>
}

/** An answer in one piece; `body`: or why it can't be read. */
export interface WholeAnswer extends Pick<RunAnswer, "status" | "headers" | "isDone" | "trace"> {
  readonly body: Uint8Array | RunFailed
}

/** Trace of a run, beside its answer. */
export interface RunTrace {
  readonly logs: ReadonlyArray<RunLog>
  /**
   * True where the program asked for more than it may, of which a line at level `error` says what: the event has
   * failed.
   */
  readonly overstepped: boolean
}

/** A program's answer to an event whose body nobody reads. */
export interface HeardAnswer extends RunTrace {
  readonly status: number
}

/**
 * No answer came of it.
 *
 * - `nothing-runs`: there is nothing here that runs integrations
 * - `unreachable`: it could not be started, or its tunnel is gone
 * - `timed-out`, `too-large`: it took, wrote or answered more than it may
 * - `crashed`: it ended in the middle, for nothing that is known of this event
 * - `unusable`: it answered what can't be used
 */
export class RunFailed extends Schema.TaggedError<RunFailed>()("RunFailed", {
  reason: Schema.Literals(["nothing-runs", "unreachable", "timed-out", "crashed", "too-large", "unusable"]),
  message: Schema.String,
  logs: Schema.Array(RunLog)
}) {}

/** Log of a failed run, with the reason of the failure, which was known at a time, as its last line. */
export const logsAt = ({ message, logs }: RunFailed, timestamp: Timestamp): ReadonlyArray<RunLog> => [
  ...logs,
  { level: "error", message, timestamp }
]

/** The answer is an error. */
export const answeredError = (status: number): RunFailed =>
  new RunFailed({ reason: "unusable", message: `It answered ${status}`, logs: [] })

/** The same, where the log does not end with an error, which says more than a status: one that was thrown, mostly. */
export const untold = (status: number, logs: ReadonlyArray<RunLog>): RunFailed | undefined =>
  logs.at(-1)?.level === "error" ? undefined : answeredError(status)

export const nothingRuns = new RunFailed({
  reason: "nothing-runs",
  message: "This instance of Lectern runs no integrations",
  logs: []
})

export const tooLarge = (maxBytes: number) =>
  new RunFailed({ reason: "too-large", message: `It answers more than ${maxBytes / 1024} KiB`, logs: [] })

/** All of a body; fails where it is longer than so many bytes. */
export const bytesOf = (body: RunAnswer["body"], maxBytes: number): Effect.Effect<Uint8Array, RunFailed> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return Stream.runForEach(body, (chunk) => {
      size += chunk.byteLength
      if (size > maxBytes) return Effect.fail(tooLarge(maxBytes))
      chunks.push(chunk)
      return Effect.void
    }).pipe(Effect.map(() => (chunks.length === 1 ? chunks[0]! : concatenated(chunks))))
  })

/** A whole answer as text. */
export const textOf = ({ bytes }: Pick<RunAnswer, "bytes">, maxBytes: number): Effect.Effect<string, RunFailed> =>
  Effect.map(bytes(maxBytes), (read) => decoder.decode(read))

const decoder = new TextDecoder()

/** Gives a program an event, and reads all of its answer. */
export const whole = ({ run, runWhole }: Pick<IntegrationRuntime["Service"], "run" | "runWhole">) =>
  runWhole ??
  ((program: Program, delivery: Delivery, maxBytes: number): Effect.Effect<WholeAnswer, RunFailed | StorageError> =>
    Effect.scoped(
      Effect.flatMap(run(program, delivery), ({ bytes, ...answer }) =>
        Effect.match(bytes(maxBytes), {
          onSuccess: (body) => ({ ...answer, body }),
          onFailure: (body) => ({ ...answer, body })
        })
      )
    ))

export class IntegrationRuntime extends Context.Service<
  IntegrationRuntime,
  {
    /** True where anything is run at all. */
    readonly isThere: boolean
    /** Gives a program an event. The answer is there once its headers are; its body lasts as long as the scope. */
    readonly run: (
      program: Program,
      delivery: Delivery
    ) => Effect.Effect<RunAnswer, RunFailed | StorageError, Scope.Scope>
    /**
     * The same, answered once all of the body is there, of at most so many bytes: for many small answers, without a
     * stream and a scope. Default: `run`, whose body is read (see `whole`).
     */
    readonly runWhole?: (
      program: Program,
      delivery: Delivery,
      maxBytes: number
    ) => Effect.Effect<WholeAnswer, RunFailed | StorageError>
    /**
     * Gives a program several events, each once it is done with the one before, behind its answer too. `heard` is called
     * for each of them then, in their order; the bounds are those of each. Fails for the first that was not heard of:
     * nothing behind that was begun. It may end before all were heard of, of which the rest was not begun either, and
     * does behind one that has changed something through the interface: the environment of the next is another one.
     * Nothing has a body. Default: only `run` is used.
     */
    readonly runInTurn?: (
      program: Program,
      deliveries: ReadonlyArray<Delivery>,
      heard: (answer: HeardAnswer) => void
    ) => Effect.Effect<void, RunFailed | StorageError>
    /** Ends what runs of an integration: it was unpublished, or published anew. */
    readonly end: (integration: IntegrationKey) => Effect.Effect<void>
  }
>()("@lectern/core/integration/IntegrationRuntime") {
  static readonly layer = Layer.succeed(
    IntegrationRuntime,
    IntegrationRuntime.of({ isThere: false, run: () => Effect.fail(nothingRuns), end: () => Effect.void })
  )
}
