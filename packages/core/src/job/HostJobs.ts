/**
 * The jobs of the host application's own kinds (see `JobHandlers`), and a look at all there are: for
 * the host alone.
 *
 * Limits: a payload of 64 KiB of JSON; a key of 1 to 200 characters; lists of 1,000.
 */
import { Context, Effect, Schema } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import { between, type Timestamp } from "../schema/Text.ts"
import { GivenTime, millisOf } from "../schema/GivenTime.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { StorageError } from "../storage/Storage.ts"
import { type JobId, type JobKind, type JobRow, JobStatus } from "./Job.ts"
import { HostKindName } from "./JobHandlers.ts"
import { type JobFilter, Jobs } from "./Jobs.ts"
import { wired } from "../wiring/Wired.ts"

const maxPayload = 64 * 1024

export interface HostEnqueueOptions {
  /** The earliest time, as `schema/GivenTime` says. Default: as soon as a worker is free. */
  readonly runAt?: string
  /**
   * While a job of the kind with this key waits, no other is made; one that runs already runs once
   * more. The same key means the same input. 1 to 200 characters.
   */
  readonly key?: string
}

const acceptOptions = accepting(
  Schema.Struct({
    kind: HostKindName,
    runAt: Schema.optionalKey(GivenTime),
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
     * Leaves work of one of the host's kinds to whichever process handles it, and answers the id of the
     * job: of the one that waits already, where it has the same key. In a transaction, the job is there
     * exactly if the transaction is committed.
     *
     * Fails with `Forbidden` for users, and with `InvalidInput` for an input that does not fit the
     * kind's schema or takes more than 64 KiB, or for a kind of the core's.
     */
    readonly enqueue: <P extends Schema.Json>(
      kind: JobKind<P>,
      input: P,
      options?: HostEnqueueOptions
    ) => Effect.Effect<JobId, Forbidden | InvalidInput | StorageError, CurrentActor>
    /** Answers a job of any kind, or undefined: done ones are gone after 7 days, failed ones after 30. `Forbidden` for users. */
    readonly get: (id: JobId) => Effect.Effect<JobRow | undefined, Forbidden | StorageError, CurrentActor>
    /**
     * Lists the jobs of a status, and of a kind, that changed last first: 100, or `limit` of them (1
     * to 1,000, otherwise `InvalidInput`). `Forbidden` for users.
     */
    readonly list: (
      filter: JobFilter
    ) => Effect.Effect<ReadonlyArray<JobRow>, Forbidden | InvalidInput | StorageError, CurrentActor>
    /** Gives a failed job all its attempts again and tells whether it did: not where another job has its key. `Forbidden` for users. */
    readonly retry: (id: JobId) => Effect.Effect<boolean, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/job/HostJobs") {
  static readonly layer = wired(
    HostJobs,
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const allowed = requireHost("look after jobs")

      return HostJobs.of({
        enqueue: Effect.fn("HostJobs.enqueue")(function* (kind, input, options = {}) {
          yield* allowed
          const { runAt, key } = yield* acceptOptions({ kind: kind.name, ...options })
          const payload = yield* accepting(Schema.toType(kind.payload))(input)
          yield* bounded(payload)
          return yield* jobs.enqueue(kind, payload, {
            ...(runAt !== undefined && { runAt: Timestamps.at(millisOf(runAt)) as Timestamp }),
            ...(key !== undefined && { key })
          })
        }),

        get: (id) => Effect.andThen(allowed, jobs.get(id)),

        list: Effect.fn("HostJobs.list")(function* (filter) {
          yield* allowed
          return yield* jobs.list(yield* acceptFilter(filter))
        }),

        retry: (id) => Effect.andThen(allowed, jobs.retry(id))
      })
    }),
    [Jobs.layer]
  )
}

/** Refuses a payload before it is stored: one that is no JSON, or too much of it. */
const bounded = (payload: unknown): Effect.Effect<void, InvalidInput> =>
  Effect.suspend(() => {
    const refuse = (message: string) => Effect.fail(new InvalidInput({ issues: [{ path: "input", message }] }))
    if (!Schema.is(Schema.Json)(payload)) return refuse("Expected plain JSON")
    return JSON.stringify(payload).length > maxPayload ? refuse("Expected at most 64 KiB of JSON") : Effect.void
  })
