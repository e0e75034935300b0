/**
 * Enqueues jobs and lists them for the operator. Enqueueing is part of the enclosing transaction.
 *
 * ```ts
 * yield* jobs.enqueue(RemoveSpace, { space: id }, { runAt: Timestamps.at(now + week) })
 * ```
 *
 * Some kinds are enqueued with every write. The ids of the last 1,000 jobs with keys are cached, so that an existing
 * job is found by its key.
 */
import { Context, Effect, Layer, type Schema } from "effect"
import { Ids } from "../identity/Ids.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { LruCache } from "../storage/LruCache.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { identityOf, isUnfinished, JobId, type JobKind, type JobRow, type JobStatus, JobTable } from "./Job.ts"
import { type JobPatch, next } from "./JobState.ts"
import * as Lease from "./Lease.ts"
import { WorkSignal } from "./WorkSignal.ts"

export interface EnqueueOptions {
  /** Earliest start. Default: now. */
  readonly runAt?: Timestamp
  /**
   * Deduplication key. While a job of the kind with this key waits, no other is created. If it runs, it runs once more,
   * since it may have read data before this change. Jobs with one key must have equal payloads.
   */
  readonly key?: string
}

export interface JobFilter {
  /** Status of the work. */
  readonly status: JobStatus
  /** Kind of jobs, `event-reader`, `delivery` or `mail`. Default: all. */
  readonly kind?: string
  /** Maximum number of items of each kind of work, 1 to 1,000. Default: 100. */
  readonly limit?: number
}

const maxCachedIds = 1_000

/** Returns the change by which an existing job also serves a new request. Undefined if the job needs no change. */
const mergePatch = (job: JobRow, dueAt: Timestamp): JobPatch | undefined => {
  if (job.status === "running") return job.again === undefined ? { again: true } : undefined
  // A failed job keeps its backoff, however often it is enqueued.
  return job.attempts === 0 && dueAt < job.lease.until ? { lease: Lease.release(job.lease, dueAt) } : undefined
}

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Enqueues a job. Returns its id, or that of the existing job with the same key. */
    readonly enqueue: <P extends Schema.Json>(
      kind: JobKind<P>,
      payload: P,
      options?: EnqueueOptions
    ) => Effect.Effect<JobId, StorageError>
    readonly get: (id: JobId) => Effect.Effect<JobRow | undefined, StorageError>
    /** Lists jobs, most recently changed first. */
    readonly list: (filter: JobFilter) => Effect.Effect<ReadonlyArray<JobRow>, StorageError>
    /** Resets a failed job to waiting, with all its attempts. Returns false if another unfinished job has its key. */
    readonly retry: (id: JobId) => Effect.Effect<boolean, StorageError>
    /** Opens when a job may be due. */
    readonly signal: WorkSignal
  }
>()("@lectern/core/job/Jobs") {
  static readonly layer = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const jobs = storage.repository(JobTable)
      const signal = new WorkSignal()
      const announce = signal.announce(storage)
      const cachedIds = new LruCache<string, JobId>(maxCachedIds)

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
          lease: Lease.free(options.runAt ?? now),
          createdAt: now,
          updatedAt: now
        }
        yield* jobs.insert(row).pipe(cannotConflict)
        yield* announce
        return row.id
      })

      /** Returns the unfinished job of an identity, if its id is cached. */
      const cachedJob = Effect.fnUntraced(function* (identity: string) {
        const id = cachedIds.get(identity)
        const job = id === undefined ? undefined : yield* jobs.get({ id })
        return job !== undefined && isUnfinished(job) ? job : undefined
      })

      const find = Effect.fnUntraced(function* (identity: string) {
        const job = (yield* cachedJob(identity)) ?? (yield* jobs.list({ where: { identity } }))[0]
        if (job !== undefined) cachedIds.set(identity, job.id, 1)
        return job
      })

      /** Makes an existing job serve a new request. A running job opens the signal when it waits again. */
      const join = Effect.fnUntraced(function* (job: JobRow, dueAt: Timestamp) {
        const change = mergePatch(job, dueAt)
        if (change !== undefined) yield* patch(job.id, change)
        if (change?.lease !== undefined) yield* announce
        return job.id
      })

      return Jobs.of({
        signal,

        enqueue: Effect.fnUntraced(function* (kind, payload, options = {}) {
          const { key } = options
          if (key === undefined) return yield* storage.transaction(insert(kind.name, payload, options))
          const identity = identityOf(kind.name, key)
          const dueAt = options.runAt ?? (yield* Timestamps.now)
          const existingJob = yield* cachedJob(identity)
          if (existingJob !== undefined && mergePatch(existingJob, dueAt) === undefined) return existingJob.id
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
              const transition = job && next(job, { type: "retry", now: yield* Timestamps.now })
              if (transition === undefined || transition._tag === "Failure") return false
              yield* jobs.update({ id }, transition.success)
              yield* announce
              return true
            }).pipe(Effect.catchTag("UniqueConflict", () => Effect.succeed(false)))
          )
        })
      })
    })
  )
}
