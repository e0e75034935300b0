/**
 * Jobs of the host application's own kinds (see `JobHandlers`), and inspection of all jobs. For the host only.
 *
 * Limits: a payload of 64 KiB of JSON; a key of 1 to 200 characters; lists of 1,000.
 */
import { Context, Effect, Schema, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import { between, type Timestamp } from "../schema/Text.ts"
import { InputTime, millisOf } from "../schema/InputTime.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { StorageError } from "../storage/Storage.ts"
import { type JobId, type JobKind, type JobRow, JobStatus } from "./Job.ts"
import { HostKindName } from "./JobHandlers.ts"
import { type JobFilter, Jobs } from "./Jobs.ts"

const maxPayload = 64 * 1024

export interface HostEnqueueOptions {
  /** Earliest start, in a format of `schema/InputTime`. Default: now. */
  readonly runAt?: string
  /**
   * Deduplication key, 1 to 200 characters. While a job of the kind with this key waits, no other is created. If it
   * runs, it runs once more. Jobs with one key must have equal input.
   */
  readonly key?: string
}

const acceptOptions = accepting(
  Schema.Struct({
    kind: HostKindName,
    runAt: Schema.optionalKey(InputTime),
    key: Schema.optionalKey(between(1, 200))
  })
)

const acceptFilter = accepting(
  Schema.Struct({
    status: JobStatus,
    kind: Schema.optionalKey(between(1, 200)),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })))
  })
)

export class HostJobs extends Context.Service<
  HostJobs,
  {
    /**
     * Enqueues a job of one of the host's kinds, for any process that handles the kind. Returns the id of the job, or
     * of the waiting job with the same key. Inside a transaction, the job exists only after the commit.
     *
     * Fails with `Forbidden` for users. Fails with `InvalidInput` if the input does not match the kind's schema or
     * exceeds 64 KiB, and for kinds of the core.
     */
    readonly enqueue: <P extends Schema.Json>(
      kind: JobKind<P>,
      input: P,
      options?: HostEnqueueOptions
    ) => Effect.Effect<JobId, Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Returns a job of any kind. Undefined if it does not exist; finished jobs are removed after 7 days, failed ones
     * after 30. `Forbidden` for users.
     */
    readonly get: (id: JobId) => Effect.Effect<JobRow | undefined, Forbidden | StorageError, CurrentActor>
    /**
     * Lists jobs with a status, optionally of one kind, most recently changed first. `limit`: 1 to 1,000, default 100,
     * otherwise `InvalidInput`. `Forbidden` for users.
     */
    readonly list: (
      filter: JobFilter
    ) => Effect.Effect<ReadonlyArray<JobRow>, Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Resets a failed job to waiting, with all its attempts. Returns false if another unfinished job has its key.
     * `Forbidden` for users.
     */
    readonly retry: (id: JobId) => Effect.Effect<boolean, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/job/HostJobs") {
  static readonly layer = Layer.effect(
    HostJobs,
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const requireHostActor = requireHost("look after jobs")

      return HostJobs.of({
        enqueue: Effect.fn("HostJobs.enqueue")(function* (kind, input, options = {}) {
          yield* requireHostActor
          const { runAt, key } = yield* acceptOptions({ kind: kind.name, ...options })
          const payload = yield* accepting(Schema.toType(kind.payload))(input)
          yield* checkPayload(payload)
          return yield* jobs.enqueue(kind, payload, {
            ...(runAt !== undefined && { runAt: Timestamps.at(millisOf(runAt)) as Timestamp }),
            ...(key !== undefined && { key })
          })
        }),

        get: (id) => Effect.andThen(requireHostActor, jobs.get(id)),

        list: Effect.fn("HostJobs.list")(function* (filter) {
          yield* requireHostActor
          return yield* jobs.list(yield* acceptFilter(filter))
        }),

        retry: (id) => Effect.andThen(requireHostActor, jobs.retry(id))
      })
    })
  )
}

/** Rejects a payload that is not JSON or exceeds the limit. */
const checkPayload = (payload: unknown): Effect.Effect<void, InvalidInput> =>
  Effect.suspend(() => {
    const refuse = (message: string) => Effect.fail(new InvalidInput({ issues: [{ path: "input", message }] }))
    if (!Schema.is(Schema.Json)(payload)) return refuse("Expected plain JSON")
    return JSON.stringify(payload).length > maxPayload ? refuse("Expected at most 64 KiB of JSON") : Effect.void
  })
