/**
 * Enqueues jobs and shows them to the operator. Enqueueing is part of the transaction around it, so
 * a job is there exactly if what caused it is.
 *
 * ```ts
 * yield* jobs.enqueue(RemoveSpace, { space: id }, { runAt: Timestamps.at(now + week) })
 * ```
 *
 * Some are enqueued with every write: one that is on its way by then costs no more than to find it. So its id is kept,
 * of the 1,000 used last.
 */
import { Context, Effect, Latch, type Schema } from "effect"
import { Ids } from "../identity/Ids.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { LruCache } from "../storage/LruCache.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { identityOf, isUnfinished, JobId, type JobKind, type JobRow, type JobStatus, JobTable } from "./Job.ts"
import { type JobPatch, next } from "./JobState.ts"
import { wired } from "../wiring/Wired.ts"

export interface EnqueueOptions {
  /** Not before then. Default: as soon as a worker is free. */
  readonly runAt?: Timestamp
  /**
   * While a job of the kind with this key waits, no other is made; one that runs already runs once
   * more, since it may have looked before what causes this. The same key means the same payload.
   */
  readonly key?: string
}

export interface JobFilter {
  readonly status: JobStatus
  readonly kind?: string
  /** Default: 100. */
  readonly limit?: number
}

const keptIds = 1_000

/** Change that makes a job do for another one that is due then; undefined where it does as it is. */
const joining = (job: JobRow, dueAt: Timestamp): JobPatch | undefined => {
  if (job.status === "running") return job.again === undefined ? { again: true } : undefined
  // What failed before keeps its pause, however often it is asked for.
  return job.attempts === 0 && dueAt < job.dueAt ? { dueAt } : undefined
}

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Tells the id of the job: of the one that is there already where there is one with the key. */
    readonly enqueue: <P extends Schema.Json>(
      kind: JobKind<P>,
      payload: P,
      options?: EnqueueOptions
    ) => Effect.Effect<JobId, StorageError>
    readonly get: (id: JobId) => Effect.Effect<JobRow | undefined, StorageError>
    /** Those that changed last come first. */
    readonly list: (filter: JobFilter) => Effect.Effect<ReadonlyArray<JobRow>, StorageError>
    /** Gives a failed job all its attempts again; tells whether it did. Another one with its key stands for it. */
    readonly retry: (id: JobId) => Effect.Effect<boolean, StorageError>
    /** Opened when there is something new to do: workers close it and look. */
    readonly arrival: Latch.Latch
  }
>()("@lectern/core/job/Jobs") {
  static readonly layer = wired(
    Jobs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const jobs = storage.repository(JobTable)
      const arrival = yield* Latch.make(false)
      const announce = storage.afterCommit(Effect.asVoid(arrival.open))
      const found = new LruCache<string, JobId>(keptIds)

      const patch = (id: JobId, fields: JobPatch) => jobs.update({ id }, fields).pipe(cannotConflict)

      const insert = Effect.fnUntraced(function* (kind: string, payload: Schema.Json, options: EnqueueOptions) {
        const now = yield* Timestamps.now
        const row: JobRow = {
          id: JobId.make(yield* ids.next),
          kind,
          ...(options.key !== undefined && { key: options.key }),
          payload,
          status: "waiting",
          attempts: 0,
          dueAt: options.runAt ?? now,
          createdAt: now,
          updatedAt: now
        }
        yield* jobs.insert(row).pipe(cannotConflict)
        yield* announce
        return row.id
      })

      /** The job of an identity that was found before. */
      const known = Effect.fnUntraced(function* (identity: string) {
        const id = found.get(identity)
        const job = id === undefined ? undefined : yield* jobs.get({ id })
        return job !== undefined && isUnfinished(job) ? job : undefined
      })

      const find = Effect.fnUntraced(function* (identity: string) {
        const job = (yield* known(identity)) ?? (yield* jobs.list({ where: { identity } }))[0]
        if (job !== undefined) found.set(identity, job.id, 1)
        return job
      })

      /** Makes one that is there already do for this. What runs tells of itself when it waits again. */
      const join = Effect.fnUntraced(function* (job: JobRow, dueAt: Timestamp) {
        const change = joining(job, dueAt)
        if (change !== undefined) yield* patch(job.id, change)
        if (change?.dueAt !== undefined) yield* announce
        return job.id
      })

      return Jobs.of({
        arrival,

        enqueue: Effect.fnUntraced(function* (kind, payload, options = {}) {
          const { key } = options
          if (key === undefined) return yield* storage.transaction(insert(kind.name, payload, options))
          const identity = identityOf(kind.name, key)
          const dueAt = options.runAt ?? (yield* Timestamps.now)
          const onItsWay = yield* known(identity)
          if (onItsWay !== undefined && joining(onItsWay, dueAt) === undefined) return onItsWay.id
          return yield* storage.transaction(
            Effect.flatMap(find(identity), (job) =>
              job === undefined ? insert(kind.name, payload, options) : join(job, dueAt)
            )
          )
        }),

        get: (id) => jobs.get({ id }),

        list: ({ status, kind, limit = 100 }) =>
          jobs.list({
            where: { status, ...(kind !== undefined && { kind }) },
            order: ["updatedAt"],
            descending: true,
            limit
          }),

        retry: Effect.fn("Jobs.retry")(function* (id) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              const job = yield* jobs.get({ id })
              const after = job && next(job, { type: "retry", now: yield* Timestamps.now })
              if (after === undefined || after._tag === "Failure") return false
              yield* jobs.update({ id }, after.success)
              yield* announce
              return true
            }).pipe(Effect.catchTag("UniqueConflict", () => Effect.succeed(false)))
          )
        })
      })
    })
  )
}
