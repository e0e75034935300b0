/**
 * Loop of all background work: claims due work, runs it under a renewed lease, and records how each run ended. A source
 * defines how to claim, run and record its work: jobs, the events of a reader, or deliveries to integrations.
 *
 * A loop waits until the next work is due, until its signal opens, or until one of its runs ends, and polls for work of
 * other processes. A run has a fence: its writes fail with the `StorageError` `lease-lost` after another worker has
 * claimed its row. A run that lost its lease is interrupted, and records nothing.
 *
 * Defaults: a lease of 15 seconds, renewed three times in its duration; a poll every 5 seconds; 10 seconds to finish
 * runs at shutdown. Longer runs are interrupted, and their attempt does not count.
 */
import { Cause, Clock, Duration, Effect, Exit, Fiber, FiberSet, type Scope } from "effect"
import type { OptionNames } from "../schema/OptionNames.ts"
import { CurrentFence } from "../storage/Fence.ts"
import type { StorageError } from "../storage/Storage.ts"
import { type DurationLike, durationNames } from "../time/DurationLike.ts"
import { reasonOf } from "./Job.ts"
import type { LeaseAccess, LeasedTable } from "./LeasedWork.ts"
import { WorkSignal } from "./WorkSignal.ts"

export interface WorkOptions {
  /** Duration of a lease. Default: 15 seconds. */
  readonly lease?: DurationLike
  /** Interval between polls. Default: 5 seconds. */
  readonly poll?: DurationLike
  /** Maximum wait for runs at shutdown. Default: 10 seconds. */
  readonly shutdownTimeout?: DurationLike
}

export const workOptionNames: OptionNames<WorkOptions> = {
  lease: durationNames,
  poll: durationNames,
  shutdownTimeout: durationNames
}

/** Result of one claim. */
export interface Claims<Item> {
  readonly items: ReadonlyArray<Item>
  /** Time of the next claim that may succeed (ms). Absent if the time is unknown. */
  readonly nextAt?: number | undefined
}

/** Mode of a loop. `standing`: runs until its scope closes. `until-idle`: ends when no work is due. */
export type LoopMode = "standing" | "until-idle"

/** Worker that claims work. */
export interface Claimant {
  readonly holder: string
  /** Duration of the lease in ms. */
  readonly duration: number
  readonly mode: LoopMode
}

export interface RunFailure {
  readonly error: unknown
  /** Message of the error (see `reasonOf`). */
  readonly reason: string
}

export interface WorkSource<Item> {
  /** Noun for one item in log messages, such as "job". */
  readonly name: string
  /** Table of the leased rows. Absent if no other process can claim them. */
  readonly table?: LeasedTable
  /** Opens when new work may be due. */
  readonly signal: WorkSignal
  /** Maximum number of concurrent runs in a mode. */
  readonly concurrency: (mode: LoopMode) => number
  /** Claims due work. Exactly the returned items are claimed. */
  readonly claim: (claimant: Claimant) => Effect.Effect<Claims<Item>, StorageError>
  readonly lease: (item: Item) => LeaseAccess
  /** Runs claimed work. `isStopping` returns true when the worker shuts down: the run may then end early. */
  readonly run: (item: Item, isStopping: () => boolean) => Effect.Effect<unknown, unknown>
  /** Records that a run has completed. */
  readonly complete: (item: Item) => Effect.Effect<void, StorageError>
  /** Records that a run has failed. */
  readonly fail: (item: Item, failure: RunFailure) => Effect.Effect<void, StorageError>
  /** Records that a run was interrupted by a shutdown. */
  readonly release: (item: Item) => Effect.Effect<void, StorageError>
  /** Fields of the log lines of a run. */
  readonly logFields: (item: Item) => Readonly<Record<string, string | number>>
  /** Waits for a number of milliseconds until the next poll. Default: `Effect.sleep`. */
  readonly wait?: (millis: number) => Effect.Effect<void>
}

export interface WorkLoop {
  /** Runs work until the scope closes. */
  readonly start: Effect.Effect<void, never, Scope.Scope>
  /** Runs all due work, and returns the number of runs. */
  readonly runDue: Effect.Effect<number, StorageError>
}

/** Creates the loop of a source. `holder`: unique name of the worker. */
export const makeLoop = <Item>(source: WorkSource<Item>, holder: string, options: WorkOptions): WorkLoop => {
  const duration = Duration.toMillis(options.lease ?? { seconds: 15 })
  const poll = Duration.toMillis(options.poll ?? { seconds: 5 })
  const shutdownTimeout = options.shutdownTimeout ?? { seconds: 10 }
  const sleep = source.wait ?? Effect.sleep

  const renew = ({ renew }: LeaseAccess) =>
    Effect.sleep(duration / 3).pipe(
      Effect.andThen(renew(duration)),
      // A failed renewal is retried, since a store may be unavailable only briefly.
      Effect.catch((failure) => Effect.as(Effect.logWarning("A lease could not be renewed", failure), true)),
      Effect.repeat({ while: (isHeld) => isHeld }),
      Effect.andThen(Effect.logWarning("The lease ended, and another process has claimed the work")),
      Effect.as(undefined)
    )

  const record = (item: Item, result: Exit.Exit<unknown, unknown> | undefined) => {
    if (result === undefined) return Effect.void
    if (Exit.isSuccess(result)) return source.complete(item)
    const error = Cause.squash(result.cause)
    const reason = reasonOf(error)
    return Effect.andThen(Effect.logWarning(`A ${source.name} failed: ${reason}`), source.fail(item, { error, reason }))
  }

  /** Runs claimed work and records the result. Never fails. */
  const run = (item: Item, isStopping: () => boolean): Effect.Effect<void> => {
    const lease = source.lease(item)
    const work = Effect.provideService(
      Effect.suspend(() => source.run(item, isStopping)),
      CurrentFence,
      lease.fence
    )
    return Effect.raceFirst(Effect.exit(work), renew(lease)).pipe(
      // Only a shutdown interrupts the run itself.
      Effect.onExit((exit) =>
        Effect.catchCause(Exit.isFailure(exit) ? source.release(item) : record(item, exit.value), (cause) =>
          Effect.logError(`The result of a ${source.name} could not be written`, cause)
        )
      ),
      Effect.annotateLogs(source.logFields(item)),
      Effect.asVoid
    )
  }

  const makeSteps = (mode: LoopMode, runs: FiberSet.FiberSet<void>, isStopping: () => boolean) => {
    const ended = new WorkSignal()
    const concurrency = source.concurrency(mode)
    let running = 0
    let started = 0

    const startRun = (item: Item) => {
      running++
      started++
      const end = Effect.andThen(
        Effect.sync(() => running--),
        ended.open
      )
      return FiberSet.run(runs, Effect.ensuring(run(item, isStopping), end))
    }

    /** Claims and starts work, or waits. Returns false if no work is left in the mode `until-idle`. */
    const step = Effect.gen(function* () {
      const [signalOpen, runEnd] = [source.signal.next, ended.next]
      if (running >= concurrency) {
        yield* runEnd.await
        return true
      }
      // Claim and start are uninterruptible. A shutdown between them would block the work until its lease ends.
      const { items, nextAt = Infinity } = yield* Effect.uninterruptible(
        Effect.tap(source.claim({ holder, duration, mode }), ({ items }) =>
          Effect.forEach(items, startRun, { discard: true })
        )
      )
      const millis = nextAt - (yield* Clock.currentTimeMillis)
      if (items.length > 0 || millis <= 0) return true
      const changed = Effect.raceFirst(signalOpen.await, runEnd.await)
      if (mode === "until-idle" && running === 0) return false
      yield* Effect.raceFirst(changed, sleep(Math.min(poll, millis)))
      return true
    })
    return { step, startedCount: () => started }
  }

  return {
    start: Effect.gen(function* () {
      let isStopping = false
      const runs = yield* FiberSet.make<void>()
      const { step } = makeSteps("standing", runs, () => isStopping)
      const loop = yield* step.pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logWarning(`A ${source.name} could not be claimed`, cause), sleep(poll))
        ),
        Effect.forever,
        Effect.forkScoped
      )
      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => {
          isStopping = true
          return Fiber.interrupt(loop)
        }).pipe(Effect.andThen(Effect.timeoutOption(FiberSet.awaitEmpty(runs), shutdownTimeout)), Effect.interruptible)
      )
    }),

    runDue: Effect.scoped(
      Effect.gen(function* () {
        const { step, startedCount } = makeSteps("until-idle", yield* FiberSet.make<void>(), () => false)
        while (yield* step);
        return startedCount()
      })
    )
  }
}
