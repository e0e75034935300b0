/**
 * Runs the background work of this process: jobs, and the work of other sources, such as deliveries to integrations.
 * New work of this process starts immediately; each loop polls for work of other processes (see `WorkLoop`).
 *
 * ```ts
 * yield* (yield* JobWorker).start      // until the scope closes; running jobs may finish first
 * ```
 *
 * Defaults: two concurrent jobs, and those of `WorkOptions`. After a crash, the process's jobs wait until their leases
 * end. A host that knows that a worker has ended can release its work immediately with `takeOverLeases`.
 *
 * Several workers, in one process or many, may share a store.
 */
import { Clock, Context, Effect, identity, Layer, Result, type Scope } from "effect"
import { Ids } from "../identity/Ids.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { idleWait } from "../time/IdleWait.ts"
import { type JobHandler, JobLost, JobNotRetryable, type JobRow, JobTable } from "./Job.ts"
import { JobHandlers } from "./JobHandlers.ts"
import { Jobs } from "./Jobs.ts"
import { type JobEvent, next } from "./JobState.ts"
import * as Lease from "./Lease.ts"
import * as LeasedWork from "./LeasedWork.ts"
import { makeLoop, type WorkOptions, type WorkSource } from "./WorkLoop.ts"

/** Handler of a kind of jobs, or another source of work. Undefined if this process does not do the work. */
export type WorkerPart = JobHandler | WorkSource<any> | undefined

export interface JobWorkerOptions extends WorkOptions {
  /** Maximum number of concurrent jobs. Default: 2. */
  readonly concurrency?: number
}

export class JobWorker extends Context.Service<
  JobWorker,
  {
    /** Unique name of the worker. */
    readonly name: string
    /**
     * Makes the running work of a worker due now. The host must be certain that the process of the worker has ended.
     *
     * @param worker Name of the worker.
     */
    readonly takeOverLeases: (worker: string) => Effect.Effect<void, StorageError>
    /** Runs work in the background until the scope closes. */
    readonly start: Effect.Effect<void, never, Scope.Scope>
    /**
     * Runs all due work, one job at a time. For tests, and for hosts that schedule work by themselves.
     *
     * @returns Number of runs.
     * @example
     * ```ts
     * const runs = await lectern.jobs.worker.runDue()
     * ```
     */
    readonly runDue: Effect.Effect<number, StorageError>
  }
>()("@lectern/core/job/JobWorker") {
  /**
   * Creates a worker with these handlers and sources; undefined ones are skipped. Jobs of other kinds are left to other
   * workers.
   */
  static readonly layer = <Part extends Effect.Effect<WorkerPart, never, unknown>>(
    parts: ReadonlyArray<Part>,
    options: JobWorkerOptions = {}
  ) =>
    Layer.effect(
      JobWorker,
      Effect.flatMap(
        Effect.forEach(parts as ReadonlyArray<Effect.Effect<WorkerPart, never, Effect.Services<Part>>>, identity),
        (built) => make(built, options)
      )
    )
}

const make = Effect.fnUntraced(function* (parts: ReadonlyArray<WorkerPart>, options: JobWorkerOptions) {
  const storage = yield* Storage
  const ids = yield* Ids
  const { signal } = yield* Jobs
  const { add, byKind, ensure, hasHostHandlers } = yield* JobHandlers
  const jobs = storage.repository(JobTable)
  const otherSources: Array<WorkSource<any>> = []
  for (const part of parts) {
    if (part === undefined) continue
    if ("kind" in part) yield* add(part)
    else otherSources.push({ wait: idleWait, ...part })
  }
  const name = yield* ids.next
  let claimedAt = Infinity

  /**
   * Applies an event to a job in a transaction and returns the changed job. Fails with `JobLost` if the event is not
   * allowed.
   */
  const step = Effect.fnUntraced(function* (id: JobRow["id"], event: JobEvent) {
    return yield* storage.transaction(
      Effect.gen(function* () {
        const job = yield* jobs.get({ id })
        if (job === undefined) return yield* new JobLost({ message: "The job was deleted" })
        const transition = next(job, event, byKind.get(job.kind))
        if (Result.isFailure(transition)) return yield* new JobLost({ message: transition.failure })
        yield* jobs.update({ id }, transition.success).pipe(cannotConflict)
        if (transition.success.status === "waiting") yield* signal.announce(storage)
        return applyPatch(JobTable, job, transition.success)
      })
    )
  })

  const claimOf = ({ lease: { number } }: JobRow): Lease.Claim => ({ holder: name, number })

  const end = (job: JobRow, event: (now: Timestamp, claim: Lease.Claim) => JobEvent) =>
    Effect.asVoid(Effect.flatMap(Timestamps.now, (now) => step(job.id, event(now, claimOf(job)))))

  /** Records the end of a run. A run that lost the job, or completed it itself, has nothing to record. */
  const record = (job: JobRow, event: (now: Timestamp, claim: Lease.Claim) => JobEvent) =>
    Effect.catchTag(end(job, event), "JobLost", () => Effect.void)

  const source: WorkSource<JobRow> = {
    name: "job",
    table: JobTable,
    signal,
    concurrency: (mode) => (mode === "standing" ? (options.concurrency ?? 2) : 1),

    /** Claims the job that has been due longest. */
    claim: Effect.fnUntraced(function* ({ duration }) {
      const millis = yield* Clock.currentTimeMillis
      // Creates missing jobs of recurring kinds, and schedules them again if the clock was set back.
      if (millis < claimedAt) yield* Effect.forEach([...byKind.values()], ensure, { discard: true })
      claimedAt = millis
      const now = Timestamps.at(millis)
      const where = { kind: { in: [...byKind.keys()] }, due: { gte: "" } }
      const [job] = yield* jobs.list({ where, order: ["due"], limit: 1 })
      if (job === undefined) return { items: [] }
      const nextAt = Date.parse(job.lease.until)
      if (!Lease.isExpired(job.lease, now)) return { items: [], nextAt }
      const claimed = yield* step(job.id, { type: "claim", now, holder: name, duration }).pipe(
        Effect.catchTag("JobLost", () => Effect.undefined)
      )
      // A job without attempts left fails instead.
      return { items: claimed?.status === "running" ? [claimed] : [], nextAt }
    }),

    lease: (job) => LeasedWork.leaseAccess(storage, JobTable, { id: job.id }, claimOf(job)),

    run: (job) =>
      byKind.get(job.kind)!.run({
        id: job.id,
        payload: job.payload,
        attempt: job.attempts,
        complete: end(job, (now, claim) => ({ type: "complete", now, claim })),
        continueWith: (payload, dueAt) =>
          end(job, (now, claim) => ({
            type: "continue",
            now,
            claim,
            payload,
            ...(dueAt !== undefined && { dueAt })
          }))
      }),

    complete: (job) => record(job, (now, claim) => ({ type: "complete", now, claim })),
    release: (job) => record(job, (now, claim) => ({ type: "release", now, claim })),
    fail: (job, { error, reason }) =>
      record(job, (now, claim) => ({
        type: "fail",
        now,
        claim,
        reason,
        nonRetryable: error instanceof JobNotRetryable
      })),

    logFields: ({ id, kind, attempts }) => ({ job: id, kind, attempt: attempts }),

    // If the host handles jobs in this process, waiting must keep the process alive.
    wait: (millis) => (hasHostHandlers() ? Effect.sleep(millis) : idleWait(millis))
  }

  const sources = [source, ...otherSources]
  const loops = sources.map((source) => makeLoop(source, name, options))
  return JobWorker.of({
    name,

    takeOverLeases: Effect.fn("JobWorker.takeOverLeases")(function* (worker) {
      for (const { table } of sources) if (table !== undefined) yield* LeasedWork.takeOver(storage, table, worker)
    }),

    start: Effect.forEach(loops, ({ start }) => start, { discard: true }),

    runDue: Effect.gen(function* () {
      for (let total = 0; ;) {
        let runs = 0
        // Work of one source can cause work of another one.
        for (const { runDue } of loops) runs += yield* runDue
        if (runs === 0) return total
        total += runs
      }
    })
  })
})
