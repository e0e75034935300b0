/**
 * Port that runs the scripts of integrations: a script, an event, and limits. Scripts come from strangers, so an
 * adapter isolates them: network access only through a guarded proxy, bounded time and memory, and no effect on other
 * programs.
 *
 * The default adapter runs nothing: integrations can be published and installed, and each run fails with
 * `nothing-runs`. If a runtime has no capacity for another program for too long, it fails with a `StorageError` of
 * reason `busy`, and nothing was started.
 *
 * Limits: 30 seconds for a response, 60 for work of a script after its response; a response of 20 MiB; 1,000 lines of
 * logs with 64 KiB in total; 50 requests of a script for one event.
 */
import { Context, Duration, Effect, Layer, Schema, type Scope, Stream } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import { concatenated } from "../schema/Bytes.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { IntegrationKey } from "./Integration.ts"
import { RunLog } from "./RunLog.ts"

export const responseTimeout = Duration.seconds(30)
export const backgroundTimeout = Duration.seconds(60)
export const maxResponseBytes = 20 * 1024 * 1024
export const maxLogs = 1_000
export const maxLogBytes = 64 * 1024
export const maxSubrequests = 50

/** The program to run: a version of an integration, or the program of its developer. */
export interface Program {
  readonly integration: IntegrationKey
  readonly version: number
  /** The publishing organization. */
  readonly organization: OrganizationId
  /** `v1`: a classic script; `v2`: a module. */
  readonly runtime: "v1" | "v2"
  /** The text of the script, read when the program starts. */
  readonly script: Effect.Effect<string, StorageError>
  /** URL of the developer's machine that runs the program instead. */
  readonly tunnelUrl?: string
}

/** Input of a program. */
export interface Delivery {
  /** The event and the environment as JSON (see `IntegrationEnvironments`). */
  readonly event: string
  readonly environment: string
  /** Body of the request that the event describes. */
  readonly body?: Uint8Array
  /**
   * Set for queued events, which have no caller that waits for the response. They leave capacity for events that need a
   * response.
   */
  readonly queued?: CapacityCallbacks
}

/** Callbacks for a queued event that waits because the runtime has no capacity. Each is called at most once. */
export interface CapacityCallbacks {
  readonly onWait: () => void
  readonly onStart: () => void
}

export interface RunResponse {
  readonly status: number
  /** A name may occur more than once, such as `set-cookie`. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Stream.Stream<Uint8Array, RunFailed>
  /** Reads the whole body, instead of `body`. Fails if it is longer than `maxBytes`. */
  readonly bytes: (maxBytes: number) => Effect.Effect<Uint8Array, RunFailed>
  /** True if the program has finished the event, so that the trace is complete. */
  readonly isDone: boolean
  /** The trace, after the program has finished the event, including work after its response. */
  readonly trace: Effect.Effect<RunTrace>
}

/** A response with its whole body, or the error if the body could not be read. */
export interface BufferedResponse extends Pick<RunResponse, "status" | "headers" | "isDone" | "trace"> {
  readonly body: Uint8Array | RunFailed
}

/** Logs and violations of a run. */
export interface RunTrace {
  readonly logs: ReadonlyArray<RunLog>
  /** True if the program exceeded a limit. A line at level `error` names the limit, and the event counts as failed. */
  readonly exceededLimit: boolean
}

/** Result of an event whose response body is not read. */
export interface EventResult extends RunTrace {
  readonly status: number
}

/**
 * Raised if a run produced no usable response.
 *
 * - `nothing-runs`: no runtime is available
 * - `unreachable`: the program could not be started, or its tunnel is unreachable
 * - `timed-out`, `too-large`: the program exceeded a limit of time, output or logs
 * - `crashed`: its process ended during the run, not necessarily because of this event
 * - `unusable`: the response is invalid
 */
export class RunFailed extends Schema.TaggedError<RunFailed>()("RunFailed", {
  reason: Schema.Literals(["nothing-runs", "unreachable", "timed-out", "crashed", "too-large", "unusable"]),
  message: Schema.String,
  logs: Schema.Array(RunLog)
}) {}

/** Returns the log of a failed run. Its last line states the reason of the failure. */
export const logsAt = ({ message, logs }: RunFailed, timestamp: Timestamp): ReadonlyArray<RunLog> => [
  ...logs,
  { level: "error", message, timestamp }
]

/** Returns the failure for a response with an error status. */
export const statusFailure = (status: number): RunFailed =>
  new RunFailed({ reason: "unusable", message: `The program responded with status ${status}`, logs: [] })

/**
 * Returns a failure for an error status, or undefined if the log ends with an error, usually an exception, which is
 * more specific than a status.
 */
export const unloggedFailure = (status: number, logs: ReadonlyArray<RunLog>): RunFailed | undefined =>
  logs.at(-1)?.level === "error" ? undefined : statusFailure(status)

export const noRuntime = new RunFailed({
  reason: "nothing-runs",
  message: "This instance of Lectern runs no integrations",
  logs: []
})

export const tooLarge = (maxBytes: number) =>
  new RunFailed({ reason: "too-large", message: `The response is longer than ${maxBytes / 1024} KiB`, logs: [] })

/** Reads a whole body. Fails if it is longer than `maxBytes`. */
export const bytesOf = (body: RunResponse["body"], maxBytes: number): Effect.Effect<Uint8Array, RunFailed> =>
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

/** Reads a whole response as text. */
export const textOf = ({ bytes }: Pick<RunResponse, "bytes">, maxBytes: number): Effect.Effect<string, RunFailed> =>
  Effect.map(bytes(maxBytes), (read) => decoder.decode(read))

const decoder = new TextDecoder()

/** Returns a function that runs a program and reads its whole response. */
export const bufferedRun = ({ run, runBuffered }: Pick<IntegrationRuntime["Service"], "run" | "runBuffered">) =>
  runBuffered ??
  ((
    program: Program,
    delivery: Delivery,
    maxBytes: number
  ): Effect.Effect<BufferedResponse, RunFailed | StorageError> =>
    Effect.scoped(
      Effect.flatMap(run(program, delivery), ({ bytes, ...response }) =>
        Effect.match(bytes(maxBytes), {
          onSuccess: (body) => ({ ...response, body }),
          onFailure: (body) => ({ ...response, body })
        })
      )
    ))

export class IntegrationRuntime extends Context.Service<
  IntegrationRuntime,
  {
    /** True if the adapter runs programs. */
    readonly isAvailable: boolean
    /**
     * Runs a program with an event. Returns the response after its headers arrive. The body is readable until the scope
     * closes.
     */
    readonly run: (
      program: Program,
      delivery: Delivery
    ) => Effect.Effect<RunResponse, RunFailed | StorageError, Scope.Scope>
    /**
     * Runs a program and reads a body of at most `maxBytes` bytes, without a stream and a scope, for many small
     * responses. Default: `run` followed by reading its body (see `bufferedRun`).
     */
    readonly runBuffered?: (
      program: Program,
      delivery: Delivery,
      maxBytes: number
    ) => Effect.Effect<BufferedResponse, RunFailed | StorageError>
    /** Stops the running programs of an integration, after it was unpublished or published again. */
    readonly stop: (integration: IntegrationKey) => Effect.Effect<void>
  }
>()("@lectern/core/integration/IntegrationRuntime") {
  static readonly layer = Layer.succeed(
    IntegrationRuntime,
    IntegrationRuntime.of({ isAvailable: false, run: () => Effect.fail(noRuntime), stop: () => Effect.void })
  )
}
