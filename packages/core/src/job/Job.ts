/**
 * A job is work that runs later, outside the request that caused it. It is enqueued in the transaction of its cause and
 * runs at least once, so its effects must be idempotent.
 *
 * A concept declares its job kind next to its rules, and lists the handler in `<Concept>Services.ts`:
 *
 * ```ts
 * export const IndexSpace = Job.kind("index-space", Schema.Struct({ space: SpaceId }))
 *
 * yield* jobs.enqueue(IndexSpace, { space: row.id })            // in the transaction that copies it
 *
 * export const indexSpace = Effect.gen(function* () {           // one of its `jobs`
 *   const search = yield* Search
 *   return Job.handler(IndexSpace, ({ payload }) => search.index(payload.space))
 * })
 * ```
 *
 * Defaults: 10 attempts. The backoff starts at 5 seconds and doubles up to an hour. A recurring job runs again after
 * its interval, even if it failed.
 *
 * Limits: a payload is small plain JSON. A failure message has at most 1,000 characters.
 */
import { Effect, Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Table from "../storage/Table.ts"
import type { DurationLike } from "../time/DurationLike.ts"
import { leasedFields } from "./LeasedWork.ts"

/** Id of a job. */
export const JobId = Schema.String.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

/** `failed`: the last attempt failed. `JobState` lists the transitions. */
export const JobStatus = Schema.Literals(["waiting", "running", "done", "failed"])
export type JobStatus = typeof JobStatus.Type

export const JobRow = Schema.Struct({
  id: JobId,
  kind: Schema.String,
  /** Deduplication key. At most one job of a kind with this key is unfinished. */
  key: Schema.optionalKey(Schema.String),
  payload: Schema.Json,
  status: JobStatus,
  /** Waiting: the lease is free until the earliest start. Running: a worker holds it. */
  ...leasedFields,
  /** True if the job was enqueued again while it ran. It runs once more. */
  again: Schema.optionalKey(Schema.Literal(true)),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type JobRow = typeof JobRow.Type

export const isUnfinished = ({ status }: Pick<JobRow, "status">): boolean =>
  status === "waiting" || status === "running"

/** Returns the unique identity of an unfinished job with a key. */
export const identityOf = (kind: string, key: string) => `${kind} ${key}`

export const JobTable = Table.make("job", JobRow, {
  key: ["id"],
  derived: {
    due: (row: JobRow) => (isUnfinished(row) ? row.lease.until : null),
    identity: (row: JobRow) => (row.key !== undefined && isUnfinished(row) ? identityOf(row.kind, row.key) : row.id)
  },
  indexes: [
    ["due", "kind"],
    ["status", "updatedAt"]
  ],
  unique: [["identity"]]
})

/** Rules of all jobs of a kind. */
export interface JobRules {
  /** Maximum number of attempts. */
  readonly attempts: number
  /** Interval of a recurring job, from the end of a run to the next start. */
  readonly every?: DurationLike
}

export interface JobKind<P> extends JobRules {
  readonly name: string
  readonly payload: Schema.Schema<P>
}

export const kind = <P extends Schema.Json>(
  name: string,
  payload: Schema.Schema<P>,
  options: { readonly attempts?: number } = {}
): JobKind<P> => ({ name, payload, attempts: options.attempts ?? 10 })

const NoPayload = Schema.Struct({})

/** Creates a recurring kind. One job of it always exists and runs once per interval. */
export const recurring = (name: string, every: DurationLike): JobKind<{}> => ({
  name,
  payload: NoPayload,
  attempts: 10,
  every
})

/** Raised if the run no longer holds the job: it has ended the job, or another worker has taken over. */
export class JobLost extends Schema.TaggedError<JobLost>()("JobLost", { message: Schema.String }) {}

/** Raised by a handler if no retry can succeed. The job fails immediately. */
export class JobNotRetryable extends Schema.TaggedError<JobNotRetryable>()("JobNotRetryable", {
  message: Schema.String
}) {}

/** Job as passed to its handler. */
export interface RunningJob<P> {
  readonly id: JobId
  readonly payload: P
  /** Number of this attempt, starting at 1. */
  readonly attempt: number
  /**
   * Completes the job. Inside a transaction of the handler, its writes and the completion are atomic. Without it, the
   * job completes when the handler ends.
   */
  readonly complete: Effect.Effect<void, JobLost | StorageError>
  /**
   * Continues the job in a later run with this payload and all attempts. Default: immediately. May be part of a
   * transaction of the handler.
   */
  readonly continueWith: (payload: P, runAt?: Timestamp) => Effect.Effect<void, JobLost | StorageError>
}

/** Handler of a job kind, as registered with a worker. */
export interface JobHandler extends JobRules {
  readonly kind: string
  readonly run: (job: RunningJob<Schema.Json>) => Effect.Effect<void, unknown>
}

/** Creates a handler. Any failure of `run` is a failed attempt. `run` may be interrupted between any two steps. */
export const handler = <P extends Schema.Json>(
  kind: JobKind<P>,
  run: (job: RunningJob<P>) => Effect.Effect<void, unknown>
): JobHandler => {
  const fits = Schema.is(kind.payload)
  return {
    kind: kind.name,
    attempts: kind.attempts,
    ...(kind.every && { every: kind.every }),
    run: (job) => {
      const { payload } = job
      return fits(payload)
        ? run({ ...job, payload })
        : Effect.fail(
            new JobNotRetryable({ message: `The payload does not match the schema of the kind "${kind.name}"` })
          )
    }
  }
}

const maxReasonLength = 1_000

/**
 * Returns the message of an error as a text that can be stored: at most `maxReasonLength` characters, well-formed, and
 * without NUL characters.
 */
export const reasonOf = (error: unknown): string => {
  const text = error instanceof Error && error.message !== "" ? error.message : String(error)
  return text.slice(0, maxReasonLength).toWellFormed().replaceAll("\u0000", "�")
}
