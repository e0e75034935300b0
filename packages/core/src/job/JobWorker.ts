/**
 * Runs jobs: claims what is due, renews its lease while it runs, and writes down how it ended. It
 * is told of new jobs of its own process at once, and looks for those of others every few seconds.
 *
 * ```ts
 * yield* (yield* JobWorker).start      // until the scope closes; what runs then may finish first
 * ```
 *
 * Defaults: two jobs at once, a lease of 15 seconds renewed every 5 (for so long nobody does what a process was at that
 * was killed, where nobody knows that it is gone), a look every 5 seconds, 10 seconds for what runs at shutdown. What
 * does not finish in them goes back to wait.
 *
 * Several workers, in one process or in many, may share the jobs of a store. A host that knows one of them to be gone
 * need not wait for its leases: `takeOver`.
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
import { idleWait } from "../moment/IdleWait.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { type JobHandler, JobHopeless, JobLost, type JobRow, JobTable, reasonOf } from "./Job.ts"
import { JobHandlers } from "./JobHandlers.ts"
import { Jobs } from "./Jobs.ts"
import { type JobEvent, next } from "./JobState.ts"

export interface JobWorkerOptions {
  /** How many jobs run at once. Default: 2. */
  readonly concurrency?: number
  /** Default: 15 seconds. */
  readonly lease?: Duration.Duration
  /** Default: 5 seconds. */
  readonly poll?: Duration.Duration
  /** How long what runs may take to finish at shutdown. Default: 10 seconds. */
  readonly patience?: Duration.Duration
}

export class JobWorker extends Context.Service<
  JobWorker,
  {
    /** Tells it from every other worker. */
    readonly name: string
    /** Makes what a worker runs due at once: for hosts that are certain that it is gone, with its process. */
    readonly takeOver: (gone: string) => Effect.Effect<void, StorageError>
    /** Works in the background until the scope closes. */
    readonly start: Effect.Effect<void, never, Scope.Scope>
    /**
     * Runs one job after another until none is due, and tells how many runs that were: for hosts
     * that work at times of their own choosing, and for tests.
     */
    readonly runDue: Effect.Effect<number, StorageError>
  }
>()("@lectern/core/job/JobWorker") {
  /** A worker for these handlers, without those that are undefined; jobs of other kinds are left to others. */
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
          const known = yield* handler
          if (known !== undefined) built.push(known)
        }
        return yield* make(built, options)
      })
    )
}

const make = Effect.fnUntraced(function* (handlers: ReadonlyArray<JobHandler>, options: JobWorkerOptions) {
  const storage = yield* Storage
  const ids = yield* Ids
  const { arrival } = yield* Jobs
  const { add, byKind, ensure, hasOfHost } = yield* JobHandlers
  const jobs = storage.repository(JobTable)
  for (const handler of handlers) yield* add(handler)
  const concurrency = options.concurrency ?? 2
  const lease = Duration.toMillis(options.lease ?? Duration.seconds(15))
  const poll = Duration.toMillis(options.poll ?? Duration.seconds(5))
  const patience = options.patience ?? Duration.seconds(10)
  const name = yield* ids.next

  /** Takes a job one step on, if it is still where the step starts from; gives the job as it is then. */
  const step = Effect.fnUntraced(function* (id: JobRow["id"], event: JobEvent) {
    return yield* storage.transaction(
      Effect.gen(function* () {
        const job = yield* jobs.get({ id })
        if (job === undefined) return yield* new JobLost({ message: "The job is gone" })
        const after = next(job, event, byKind.get(job.kind))
        if (Result.isFailure(after)) return yield* new JobLost({ message: after.failure })
        yield* jobs.update({ id }, after.success).pipe(cannotConflict)
        if (after.success.status === "waiting") yield* storage.afterCommit(Effect.asVoid(arrival.open))
        return applyPatch(JobTable, job, after.success)
      })
    )
  })

  /** Claims the job that is due for the longest, and tells what it found. */
  const claimNext: Effect.Effect<Found, StorageError> = Effect.gen(function* () {
    const now = yield* Timestamps.now
    const [first] = yield* jobs.list({
      where: { kind: { in: [...byKind.keys()] }, due: { gte: "" } },
      order: ["due"],
      limit: 1
    })
    if (first === undefined || first.dueAt > now) return { nextAt: first?.dueAt }
    const claim = claimOf(name, yield* ids.next)
    const job = yield* step(first.id, { type: "claim", now, claim, lease }).pipe(
      Effect.catchTag("JobLost", () => Effect.undefined)
    )
    return job?.claim === claim ? { due: first.id, claimed: { ...job, claim } } : { due: first.id }
  })

  /** Keeps the lease; ends when it is lost. */
  const renewing = (job: ClaimedJob): Effect.Effect<void> =>
    Effect.sleep(lease / 3).pipe(
      Effect.andThen(Timestamps.now),
      Effect.flatMap((now) => step(job.id, { type: "renew", now, claim: job.claim, lease })),
      // A store that can't be reached for a moment is tried again before the lease is over.
      Effect.catchTag("StorageError", (failure) => Effect.logWarning("A lease could not be renewed", failure)),
      Effect.forever,
      Effect.catchTag("JobLost", () => Effect.logWarning("A job was lost to another worker: its lease had ended"))
    )

  /** Runs a claimed job to its end and writes that down. Never fails: what goes wrong is the job's failure. */
  const run = Effect.fnUntraced(function* (job: ClaimedJob, isStanding: boolean) {
    const { id, claim } = job
    const settle = (event: (now: Timestamp) => JobEvent) =>
      Effect.asVoid(Effect.flatMap(Timestamps.now, (now) => step(id, event(now))))
    const complete = settle((now) => ({ type: "complete", now, claim }))
    const release = settle((now) => ({ type: "release", now, claim }))
    const fail = (cause: Cause.Cause<unknown>) => {
      const error = Cause.squash(cause)
      const reason = reasonOf(error)
      const hopeless = error instanceof JobHopeless
      return Effect.andThen(
        Effect.logWarning(`A job failed: ${reason}`),
        settle((now) => ({ type: "fail", now, claim, reason, hopeless }))
      )
    }
    const work = byKind.get(job.kind)!.run({
      id,
      payload: job.payload,
      attempt: job.attempts,
      isStanding,
      complete,
      continueWith: (payload, dueAt) =>
        settle((now) => ({ type: "continue", now, claim, payload, ...(dueAt !== undefined && { dueAt }) }))
    })
    yield* Effect.raceFirst(work, renewing(job)).pipe(
      Effect.exit,
      // Where the run itself was interrupted, the worker is shutting down.
      Effect.onExit((exit) =>
        (Exit.isFailure(exit) ? release : Exit.isFailure(exit.value) ? fail(exit.value.cause) : complete).pipe(
          // A run that was lost, or has ended the job itself, has nothing to write.
          Effect.catchTag("JobLost", () => Effect.void),
          Effect.catchCause((cause) => Effect.logError("The end of a job could not be written", cause))
        )
      ),
      Effect.annotateLogs({ job: id, kind: job.kind, attempt: job.attempts })
    )
  })

  /** Sees to it that there is one of each recurring job. */
  const ensureRecurring = Effect.suspend(() => Effect.forEach([...byKind.values()], ensure, { discard: true }))

  return JobWorker.of({
    name,

    takeOver: Effect.fn("JobWorker.takeOver")(function* (gone) {
      const now = yield* Timestamps.now
      yield* storage.transaction(
        Effect.gen(function* () {
          for (const { id, claim } of yield* jobs.list({ where: { status: "running" } })) {
            if (claim?.startsWith(claimOf(gone, "")) === true) yield* jobs.update({ id }, { dueAt: now })
          }
        }).pipe(cannotConflict)
      )
    }),

    runDue: Effect.gen(function* () {
      yield* ensureRecurring
      for (let runs = 0; ;) {
        const found = yield* claimNext
        if (found.due === undefined) return runs
        if (found.claimed === undefined) continue
        yield* run(found.claimed, false)
        runs++
      }
    }),

    start: Effect.gen(function* () {
      const running = yield* FiberSet.make<void>()
      const free = yield* Latch.make(true)
      let slots = concurrency
      let lookedAt = 0

      const begin = (job: ClaimedJob) => {
        slots--
        if (slots === 0) free.closeUnsafe()
        const finished = Effect.sync(() => {
          slots++
          free.openUnsafe()
        })
        return FiberSet.run(running, Effect.ensuring(run(job, true), finished))
      }
      const round = Effect.gen(function* () {
        yield* free.await
        yield* arrival.close
        const now = yield* Clock.currentTimeMillis
        // The next run of each is as far away as the clock was ahead.
        if (now < lookedAt) yield* ensureRecurring
        lookedAt = now
        // What is claimed is begun: a shutdown between the two would leave it to the end of its lease.
        const { due, nextAt } = yield* Effect.uninterruptible(
          Effect.tap(claimNext, ({ claimed }) => (claimed === undefined ? Effect.void : begin(claimed)))
        )
        if (due !== undefined) return
        const untilNext = nextAt === undefined ? poll : Date.parse(nextAt) - (yield* Clock.currentTimeMillis)
        // A process in which the host handles jobs may be there for nothing else.
        const wait = hasOfHost() ? Effect.sleep : idleWait
        yield* Effect.raceFirst(arrival.await, wait(Math.min(poll, Math.max(1, untilNext))))
      })
      const loop = yield* ensureRecurring.pipe(
        Effect.andThen(Effect.forever(round)),
        Effect.tapError((failure) => Effect.logWarning("The jobs can't be read", failure)),
        Effect.retry(Schedule.spaced(poll)),
        Effect.forkScoped
      )
      yield* Effect.addFinalizer(() =>
        Fiber.interrupt(loop).pipe(
          Effect.andThen(Effect.timeoutOption(FiberSet.awaitEmpty(running), patience)),
          Effect.interruptible
        )
      )
    })
  })
})

/** Names the worker first. */
const claimOf = (worker: string, run: string) => `${worker} ${run}`

type ClaimedJob = JobRow & { readonly claim: string }

interface Found {
  /** The job that is due. */
  readonly due?: JobRow["id"]
  /** The same where it is this worker's; otherwise another one was faster, or it had no attempt left. */
  readonly claimed?: ClaimedJob
  /** When the next one is due where none is. */
  readonly nextAt?: Timestamp | undefined
}
