/**
 * A job is work that is done later, outside the request that caused it. It is enqueued in the
 * transaction that causes it and runs at least once: its effects must bear being repeated.
 *
 * A concept names its kind of job beside its rules, and lists its handler in `<Concept>Services.ts`:
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
 * Defaults: 10 attempts, the second 5 seconds after the first, then twice as long each time, at most
 * an hour. A recurring job comes back after its interval whatever became of it.
 *
 * Limits: a payload is small plain JSON; a failure is told in at most 1,000 characters.
 */
import { Duration, Effect, Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Table from "../storage/Table.ts"

export const JobId = Schema.String.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

/** `failed` after the last attempt; see `JobState` for what leads where. */
export const JobStatus = Schema.Literals(["waiting", "running", "done", "failed"])
export type JobStatus = typeof JobStatus.Type

export const JobRow = Schema.Struct({
  id: JobId,
  kind: Schema.String,
  /** Of the jobs of a kind with the same key at most one is unfinished. */
  key: Schema.optionalKey(Schema.String),
  payload: Schema.Json,
  status: JobStatus,
  /** How often it was begun. */
  attempts: Schema.Int,
  /** While it waits, when it may begin; while it runs, when its lease ends. */
  dueAt: Timestamp,
  /** The run it belongs to while it runs: whoever holds another one has lost it. */
  claim: Schema.optionalKey(Schema.String),
  /** It was enqueued again while it ran, and runs once more. */
  again: Schema.optionalKey(Schema.Literal(true)),
  /** Why it failed last, in words. */
  failure: Schema.optionalKey(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type JobRow = typeof JobRow.Type

export const isUnfinished = ({ status }: Pick<JobRow, "status">): boolean =>
  status === "waiting" || status === "running"

/** Identity of a job, unique among the jobs there are. */
export const identityOf = (kind: string, key: string) => `${kind} ${key}`

export const JobTable = Table.make("job", JobRow, {
  key: ["id"],
  derived: {
    due: (row: JobRow) => (isUnfinished(row) ? row.dueAt : null),
    identity: (row: JobRow) => (row.key !== undefined && isUnfinished(row) ? identityOf(row.kind, row.key) : row.id)
  },
  indexes: [
    ["due", "kind"],
    ["status", "updatedAt"]
  ],
  unique: [["identity"]]
})

/** Rules that all jobs of a kind share. */
export interface JobRules {
  /** How often it is begun before it counts as failed. */
  readonly attempts: number
  /** Of a recurring job: how long after one run the next begins. */
  readonly every?: Duration.Duration
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

const Nothing = Schema.Struct({})

/** A job that nobody enqueues: there is always one, which runs every so often. */
export const recurring = (name: string, every: Duration.Duration): JobKind<{}> => ({
  name,
  payload: Nothing,
  attempts: 10,
  every
})

/** The job is no longer this run's: its lease ended and another worker took it over. */
export class JobLost extends Schema.TaggedError<JobLost>()("JobLost", { message: Schema.String }) {}

/** A failure that no further attempt would mend: the job fails at once. */
export class JobHopeless extends Schema.TaggedError<JobHopeless>()("JobHopeless", { message: Schema.String }) {}

/** A job as its handler sees it. */
export interface RunningJob<P> {
  readonly id: JobId
  readonly payload: P
  /** Counts from 1. */
  readonly attempt: number
  /** True where the worker goes on by itself: there, a run may wait a moment for more to do. */
  readonly isStanding: boolean
  /**
   * Inside a transaction of the handler: its writes and the end of the job are one. Without it the
   * job ends when its handler does.
   */
  readonly complete: Effect.Effect<void, JobLost | StorageError>
  /** Inside a transaction likewise: the job goes on with this payload in a run to come, by default at once, with all its attempts. */
  readonly continueWith: (payload: P, runAt?: Timestamp) => Effect.Effect<void, JobLost | StorageError>
}

/** A kind of job as a worker knows it: its name, its rules, and its way to run a job. */
export interface JobHandler extends JobRules {
  readonly kind: string
  readonly run: (job: RunningJob<Schema.Json>) => Effect.Effect<void, unknown>
}

/** Whatever it fails with is a failed attempt. It may be interrupted between any two of its steps. */
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
        : Effect.fail(new JobHopeless({ message: `A job "${kind.name}" can't have this payload` }))
    }
  }
}

const longestReason = 1_000

/** Message of an error, in words that a row can hold. */
export const reasonOf = (error: unknown): string => {
  const text = error instanceof Error && error.message !== "" ? error.message : String(error)
  return text.slice(0, longestReason).toWellFormed().replaceAll("\u0000", "�")
}
