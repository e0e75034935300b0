/**
 * Runs jobs: claims due jobs, renews their leases, and records their results. New jobs of this process start
 * immediately; the worker polls for jobs of other processes.
 *
 * ```ts
 * yield* (yield* JobWorker).start      // until the scope closes; running jobs may finish first
 * ```
 *
 * Defaults: two concurrent jobs, a lease of 15 seconds renewed every 5, a poll every 5 seconds, 10 seconds to finish
 * jobs at shutdown. After a crash, the process's jobs wait until their leases end. Jobs that do not finish at shutdown
 * return to the queue.
 *
 * Several workers, in one process or many, may share a store. A host that knows that a worker has ended can release its
 * jobs immediately with `takeOverLeases`.
 *
 * A handler runs with a fence: every write of its fibers fails with the `StorageError` `lease-lost` after another
 * worker has taken over the job.
 */
import {
  Cause,
  Clock,
  Context,
  Duration,
  Effect,
  Exit,
  Fiber,
  FiberSet,
  Latch,
  Layer,
  Result,
  Schedule,
  type Scope
} from "effect"
import { Ids } from "../identity/Ids.ts"
import { idleWait } from "../time/IdleWait.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { type JobHandler, JobNotRetryable, JobLost, type JobRow, JobTable, reasonOf } from "./Job.ts"
import { JobHandlers } from "./JobHandlers.ts"
import { Jobs } from "./Jobs.ts"
import { type JobEvent, next } from "./JobState.ts"
import * as Lease from "./Lease.ts"
import { runLeased } from "./LeasedRun.ts"

export interface JobWorkerOptions {
  /** Maximum number of concurrent jobs. Default: 2. */
  readonly concurrency?: number
  /** Duration of a lease. Default: 15 seconds. */
  readonly lease?: Duration.Duration
  /** Interval between polls. Default: 5 seconds. */
  readonly poll?: Duration.Duration
  /** Maximum wait for running jobs at shutdown. Default: 10 seconds. */
  readonly shutdownTimeout?: Duration.Duration
}

export class JobWorker extends Context.Service<
  JobWorker,
  {
    /** Unique name of the worker. */
    readonly name: string
    /** Makes the running jobs of a worker due now. The host must be certain that the worker's process has ended. */
    readonly takeOverLeases: (worker: string) => Effect.Effect<void, StorageError>
    /** Runs jobs in the background until the scope closes. */
    readonly start: Effect.Effect<void, never, Scope.Scope>
    /**
     * Runs due jobs one after another until no job is left, and returns their number. For tests, and for hosts that
     * schedule work by themselves.
     */
    readonly runDue: Effect.Effect<number, StorageError>
  }
>()("@lectern/core/job/JobWorker") {
  /**
   * Creates a worker with these handlers; undefined ones are skipped. Jobs of other kinds are left to other workers.
   */
  static readonly layer = <Handler extends Effect.Effect<JobHandler | undefined, never, unknown>>(
    handlers: ReadonlyArray<Handler>,
    options: JobWorkerOptions = {}
  ) =>
    Layer.effect(
      JobWorker,
      Effect.gen(function* () {
        const built: Array<JobHandler> = []
        for (const handler of handlers as ReadonlyArray<
          Effect.Effect<JobHandler | undefined, never, Effect.Services<Handler>>
        >) {
          const registeredHandler = yield* handler
          if (registeredHandler !== undefined) built.push(registeredHandler)
        }
        return yield* make(built, options)
      })
    )
}

const make = Effect.fnUntraced(function* (handlers: ReadonlyArray<JobHandler>, options: JobWorkerOptions) {
  const storage = yield* Storage
  const ids = yield* Ids
  const { arrival } = yield* Jobs
  const { add, byKind, ensure, hasHostHandlers } = yield* JobHandlers
  const jobs = storage.repository(JobTable)
  for (const handler of handlers) yield* add(handler)
  const concurrency = options.concurrency ?? 2
  const duration = Duration.toMillis(options.lease ?? Duration.seconds(15))
  const poll = Duration.toMillis(options.poll ?? Duration.seconds(5))
  const shutdownTimeout = options.shutdownTimeout ?? Duration.seconds(10)
  const name = yield* ids.next

  /**
   * Applies an event to a job in a transaction and returns the changed job. Fails with `JobLost` if the event is not
   * allowed.
   */
  const step = Effect.fnUntraced(function* (id: JobRow["id"], event: JobEvent) {
    return yield* storage.transaction(
      Effect.gen(function* () {
        const job = yield* jobs.get({ id })
        if (job === undefined) return yield* new JobLost({ message: "The job is gone" })
        const transition = next(job, event, byKind.get(job.kind))
        if (Result.isFailure(transition)) return yield* new JobLost({ message: transition.failure })
        yield* jobs.update({ id }, transition.success).pipe(cannotConflict)
        if (transition.success.status === "waiting") yield* storage.afterCommit(Effect.asVoid(arrival.open))
        return applyPatch(JobTable, job, transition.success)
      })
    )
  })

  /** Claims the job that has been due longest. */
  const claimNext: Effect.Effect<ClaimResult, StorageError> = Effect.gen(function* () {
    const now = yield* Timestamps.now
    const [firstDue] = yield* jobs.list({
      where: { kind: { in: [...byKind.keys()] }, due: { gte: "" } },
      order: ["due"],
      limit: 1
    })
    if (firstDue === undefined || !Lease.isExpired(firstDue.lease, now)) return { nextAt: firstDue?.lease.until }
    const job = yield* step(firstDue.id, { type: "claim", now, holder: name, duration }).pipe(
      Effect.catchTag("JobLost", () => Effect.undefined)
    )
    // A job without attempts left fails instead.
    return job?.status === "running" ? { due: firstDue.id, claimed: job } : { due: firstDue.id }
  })

  /** Runs a claimed job and records its result. Never fails: errors become the job's failure. */
  const run = Effect.fnUntraced(function* (job: JobRow, isStanding: boolean) {
    const { id } = job
    const claim = { holder: name, number: job.lease.number }
    const fence = Lease.fence(
      claim,
      Effect.map(jobs.get({ id }), (row) => row?.lease)
    )
    const finish = (event: (now: Timestamp) => JobEvent) =>
      Effect.asVoid(Effect.flatMap(Timestamps.now, (now) => step(id, event(now))))
    const renew = finish((now) => ({ type: "renew", now, claim, duration })).pipe(
      Effect.as(true),
      Effect.catchTag("JobLost", () => Effect.succeed(false))
    )
    const complete = finish((now) => ({ type: "complete", now, claim }))
    const release = finish((now) => ({ type: "release", now, claim }))
    const fail = (cause: Cause.Cause<unknown>) => {
      const error = Cause.squash(cause)
      const reason = reasonOf(error)
      const nonRetryable = error instanceof JobNotRetryable
      return Effect.andThen(
        Effect.logWarning(`A job failed: ${reason}`),
        finish((now) => ({ type: "fail", now, claim, reason, nonRetryable }))
      )
    }
    const work = byKind.get(job.kind)!.run({
      id,
      payload: job.payload,
      attempt: job.attempts,
      isStanding,
      complete,
      continueWith: (payload, dueAt) =>
        finish((now) => ({ type: "continue", now, claim, payload, ...(dueAt !== undefined && { dueAt }) }))
    })
    const record = (result: Exit.Exit<void, unknown> | undefined) => {
      if (result === undefined) return Effect.void
      return Exit.isFailure(result) ? fail(result.cause) : complete
    }
    yield* runLeased(work, { duration, fence, renew }).pipe(
      // The run itself is interrupted only when the worker shuts down.
      Effect.onExit((exit) =>
        (Exit.isFailure(exit) ? release : record(exit.value)).pipe(
          // A run that lost the job, or completed it itself, has nothing to record.
          Effect.catchTag("JobLost", () => Effect.void),
          Effect.catchCause((cause) => Effect.logError("The end of a job could not be written", cause))
        )
      ),
      Effect.annotateLogs({ job: id, kind: job.kind, attempt: job.attempts })
    )
  })

  /** Creates missing jobs of recurring kinds. */
  const ensureRecurring = Effect.suspend(() => Effect.forEach([...byKind.values()], ensure, { discard: true }))

  return JobWorker.of({
    name,

    takeOverLeases: Effect.fn("JobWorker.takeOver")(function* (worker) {
      const now = yield* Timestamps.now
      yield* storage.transaction(
        Effect.gen(function* () {
          for (const { id, lease } of yield* jobs.list({ where: { status: "running" } })) {
            if (lease.holder === worker) yield* jobs.update({ id }, { lease: { ...lease, until: now } })
          }
        }).pipe(cannotConflict)
      )
    }),

    runDue: Effect.gen(function* () {
      yield* ensureRecurring
      for (let runs = 0; ;) {
        const claimResult = yield* claimNext
        if (claimResult.due === undefined) return runs
        if (claimResult.claimed === undefined) continue
        yield* run(claimResult.claimed, false)
        runs++
      }
    }),

    start: Effect.gen(function* () {
      const runningJobs = yield* FiberSet.make<void>()
      const freeSlot = yield* Latch.make(true)
      let slots = concurrency
      let polledAt = 0

      const startJob = (job: JobRow) => {
        slots--
        if (slots === 0) freeSlot.closeUnsafe()
        const releaseSlot = Effect.sync(() => {
          slots++
          freeSlot.openUnsafe()
        })
        return FiberSet.run(runningJobs, Effect.ensuring(run(job, true), releaseSlot))
      }
      const runOnce = Effect.gen(function* () {
        yield* freeSlot.await
        yield* arrival.close
        const now = yield* Clock.currentTimeMillis
        // If the clock was set back, recurring jobs may be due too far in the future, so they are scheduled again.
        if (now < polledAt) yield* ensureRecurring
        polledAt = now
        // Claim and start are uninterruptible. A shutdown between them would block the job until its lease ends.
        const { due, nextAt } = yield* Effect.uninterruptible(
          Effect.tap(claimNext, ({ claimed }) => (claimed === undefined ? Effect.void : startJob(claimed)))
        )
        if (due !== undefined) return
        const untilNext = nextAt === undefined ? poll : Date.parse(nextAt) - (yield* Clock.currentTimeMillis)
        // If the host handles jobs in this process, waiting must keep the process alive.
        const wait = hasHostHandlers() ? Effect.sleep : idleWait
        yield* Effect.raceFirst(arrival.await, wait(Math.min(poll, Math.max(1, untilNext))))
      })
      const loop = yield* ensureRecurring.pipe(
        Effect.andThen(Effect.forever(runOnce)),
        Effect.tapError((failure) => Effect.logWarning("The jobs can't be read", failure)),
        Effect.retry(Schedule.spaced(poll)),
        Effect.forkScoped
      )
      yield* Effect.addFinalizer(() =>
        Fiber.interrupt(loop).pipe(
          Effect.andThen(Effect.timeoutOption(FiberSet.awaitEmpty(runningJobs), shutdownTimeout)),
          Effect.interruptible
        )
      )
    })
  })
})

interface ClaimResult {
  /** Id of the due job. Absent if no job is due. */
  readonly due?: JobRow["id"]
  /** Claimed job. Absent if another worker was faster, or no attempt was left. */
  readonly claimed?: JobRow
  /** Due time of the next job if no job is due now. */
  readonly nextAt?: Timestamp | undefined
}
