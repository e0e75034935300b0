/**
 * Queue of transactions over a store: first come, first served, strictly one after another. Waiting transactions run in
 * groups (at most 64, or 2 ms) with one commit per group. In a group of several, each transaction has a savepoint. If
 * the commit fails, all transactions of the group fail. A store may make commits durable in the background. Writers then
 * wait until their commit is durable, but the next group starts at once. An adapter implements `TransactionEngine` and
 * marks its operations as `read` or `write`. A remote store may run bodies again (see `RemoteTransactions`).
 *
 * The body of a transaction runs synchronously to its end, on a fiber of its own with the context of its caller
 * (including clock, tracer and logger). A body that waits is rolled back, and its caller dies with `TransactionMisuse`.
 *
 * Limits: while another process holds the write lock the queue retries until `busyTimeout`; then waiting transactions
 * fail with `unavailable`. A fiber that is forked in a body and outlives it must yield explicitly, since it inherits
 * `PreventSchedulerYield`.
 */
import { Clock, Context, Effect, Exit, Scheduler } from "effect"
import {
  slowTransaction,
  type Step,
  type Storage,
  type StorageError,
  TransactionMisuse,
  type UniqueConflict
} from "./Storage.ts"
import { CurrentFence, withFence } from "./Fence.ts"
import { type Arrival, CurrentArrival, make as makeLearnedCommits } from "./LearnedCommits.ts"
import { checkedCalls, missingExit, type SynchronousEngine, type TransactionEngine } from "./TransactionEngine.ts"
import { noop, type TransactionEntry } from "./TransactionEntry.ts"
import { CurrentReads, type Reads } from "./Reads.ts"
import * as RemoteTransactions from "./RemoteTransactions.ts"
import { inSteps } from "./TransactionSteps.ts"
import { Tape } from "./Tape.ts"
import { TransactionScope } from "./TransactionScope.ts"

export interface Options {
  /** True to run a transaction immediately if the queue is empty. For stores whose commit is free. Default: false. */
  readonly immediate?: boolean
  /**
   * True to run each body twice: once to roll it back, and once to commit it. Both runs must write equal rows, otherwise
   * the caller dies with `TransactionMisuse`. For tests. Default: false.
   */
  readonly rerunBodies?: boolean
  /** Maximum wait for the write lock of another process (ms). Default: 10,000. */
  readonly busyTimeout?: number
}

export interface TransactionQueue {
  /**
   * Reads. If `isInside` is true, the read sees the writes of its transaction, otherwise committed data only. `run` may
   * throw. `note` records the reads. Default: a read of everything. `outside` replaces `run` outside of transactions, for
   * a remote store.
   */
  readonly read: <A>(
    run: (isInside: boolean) => A,
    note?: (reads: Reads) => void,
    outside?: Effect.Effect<A, StorageError>
  ) => Effect.Effect<A, StorageError>
  /**
   * Runs a write. Outside of a transaction, the write becomes a separate transaction. If `run` throws, it must have
   * changed nothing.
   */
  readonly write: <A>(run: () => A) => Effect.Effect<A, StorageError>
  /** Writes rows that may conflict. `E`: conflicts that the table allows; never if it allows none. */
  readonly writeUnique: <A, E extends UniqueConflict>(run: () => A) => Effect.Effect<A, StorageError | E>
  readonly all: Storage["Service"]["all"]
  readonly transaction: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  readonly inSteps: <A, E, R>(body: (step: Step) => Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly generation: Effect.Effect<number | undefined, StorageError>
  readonly lastCommit: Effect.Effect<number, StorageError>
  readonly arrival: () => Arrival | undefined
  readonly learnedCommit: (arrival: Arrival | undefined) => number | undefined
}

const groupSize = 64
const groupNanos = 2_000_000n
const minRetryDelay = 1
const maxRetryDelay = 100

const addEverything = (reads: Reads) => reads.addEverything()

/** Creates a queue for one store, with the scheduler and the clock of the calling fiber. */
export const make = (engine: TransactionEngine, options: Options = {}): Effect.Effect<TransactionQueue> =>
  Effect.withFiber((fiber) => Effect.succeed(makeUnsafe(engine, fiber.context, options)))

const makeUnsafe = (engine: TransactionEngine, context: Context.Context<never>, options: Options): TransactionQueue => {
  const { immediate = false, busyTimeout = 10_000, rerunBodies = false } = options
  const dispatcher = Context.get(context, Scheduler.Scheduler).makeDispatcher()
  const clock = Context.get(context, Clock.Clock)
  let waiting: Array<TransactionEntry> = []
  let isDraining = false
  let isScheduled = false
  let waitedMillis = 0

  const { attempt, step } = checkedCalls(engine)
  const commit = (transactions: number) => (engine as SynchronousEngine).commit(transactions)

  const schedule = () => {
    if (isScheduled || isDraining) return
    isScheduled = true
    dispatcher.scheduleTask(drain, 0)
  }

  const drain = () => {
    isScheduled = false
    isDraining = true
    let due = waiting.filter((entry) => entry.state === "queued")
    waiting = []
    let isBusy = false
    while (due.length > 0 && !isBusy) {
      const failure = step(engine.begin)
      if (failure === undefined) {
        waitedMillis = 0
        const [first, ...rest] = due
        // All other transactions wait until these steps end.
        if (first?.delegate !== undefined && start(first)) {
          waiting = [...rest, ...waiting]
          return first.delegate()
        }
        if (remote !== undefined) {
          const { rest, finish } = remote.runGroup(due)
          waiting = [...rest, ...waiting]
          return finish()
        }
        due = runGroup(due)
      } else if (failure.reason === "unavailable" && waitedMillis < busyTimeout) {
        isBusy = true
      } else {
        waitedMillis = 0
        complete(due.filter(start), failure)
        due = []
      }
    }
    waiting = [...due, ...waiting]
    isDraining = false
    if (isBusy) retryLater()
    else if (waiting.length > 0) schedule()
  }

  /** Continues after a group of a remote store, or after steps. */
  const resume = () => {
    isDraining = false
    if (waiting.length > 0) schedule()
  }

  const retryLater = () => {
    isScheduled = true
    const pause = Math.min(Math.max(waitedMillis, minRetryDelay), maxRetryDelay, busyTimeout - waitedMillis)
    waitedMillis += pause
    Effect.runForkWith(context)(Effect.andThen(Effect.sleep(pause), Effect.sync(drain)))
  }

  const start = (entry: TransactionEntry): boolean => {
    if (entry.state === "cancelled") return false
    entry.state = "started"
    return true
  }

  /** Returns a function that is true if a group that starts now has run for long enough. */
  const startTimer = () => {
    const startedAt = clock.monotonicTimeNanosUnsafe()
    return () => clock.monotonicTimeNanosUnsafe() - startedAt > groupNanos
  }

  /** Runs and commits the first group. Returns the entries that are left. */
  const runGroup = (due: ReadonlyArray<TransactionEntry>): Array<TransactionEntry> => {
    const group: Array<TransactionEntry> = []
    const isAlone = due.length === 1
    const isOver = startTimer()
    let next = 0
    let failure: StorageError | undefined
    while (next < due.length && group.length < groupSize && failure === undefined) {
      const entry = due[next]!
      if (entry.delegate !== undefined) break
      next++
      if (!start(entry)) continue
      group.push(entry)
      failure = runEntry(entry, isAlone)
      if (isOver()) break
    }
    const isRolledBack = isAlone && group.some(({ exit }) => Exit.isFailure(exit))
    if (!isRolledBack) failure ??= step(() => commit(group.length))
    if (isRolledBack || failure !== undefined) engine.rollback()
    complete(group, failure)
    return due.slice(next)
  }

  /** Runs one transaction. A returned failure fails the whole group, since the store lost its writes. */
  const runEntry = (entry: TransactionEntry, isAlone: boolean): StorageError | undefined => {
    const { scope } = entry
    const failure = scope === undefined || isAlone ? undefined : step(engine.savepoint)
    if (failure !== undefined) return failure
    entry.exit = entry.run(entry)
    if (scope !== undefined) close(entry.context, scope)
    // The body may have caught a failure that rolled back the whole transaction, so the engine checks for a rollback.
    if (isAlone) return step(engine.check)
    if (scope === undefined) return Exit.isSuccess(entry.exit) ? undefined : step(engine.check)
    return step(Exit.isSuccess(entry.exit) ? engine.release : engine.rollbackTo)
  }

  const close = (context: Context.Context<never>, scope: TransactionScope) => {
    const millis = scope.close()
    if (millis > slowTransaction) {
      Effect.runForkWith(context)(Effect.logWarning(`The body of a transaction took ${millis} ms`))
    }
  }

  /** Ends a transaction in steps: commits it or rolls it back, and continues with the queue. */
  const endSteps = (entry: TransactionEntry, scope: TransactionScope, exit: Exit.Exit<unknown, unknown>) => {
    entry.exit = scope.outcome(exit)
    close(entry.context, scope)
    const onCommitted = (failure: StorageError | undefined) => {
      if (failure !== undefined || Exit.isFailure(entry.exit)) engine.rollback()
      complete([entry], failure)
      resume()
    }
    if (Exit.isFailure(entry.exit)) onCommitted(undefined)
    else if (remote === undefined) onCommitted(step(() => commit(1)))
    else remote.commitSteps(scope, onCommitted)
  }

  const complete = (group: ReadonlyArray<TransactionEntry>, failure: StorageError | undefined) => {
    let remainingCount = group.length + 1
    const onEntryEnd = () => {
      remainingCount--
      if (remainingCount === 0) for (const entry of group) acknowledge(entry)
    }
    const onFlushed = (flushFailure: StorageError | undefined) => {
      for (const entry of group) {
        if (flushFailure !== undefined && Exit.isSuccess(entry.exit)) entry.exit = Exit.fail(flushFailure)
      }
      onEntryEnd()
    }
    // All hooks of the group run before its first caller continues, so every cache knows of every commit.
    for (const entry of group) {
      if (failure !== undefined && Exit.isSuccess(entry.exit)) entry.exit = Exit.fail(failure)
      const hooks = Exit.isSuccess(entry.exit) ? entry.scope?.hooks : undefined
      if (hooks === undefined || hooks.length === 0) onEntryEnd()
      else Effect.runForkWith(entry.context)(runHooks(hooks)).addObserver(onEntryEnd)
    }
    // Waiting for the disk does not block the next group.
    if (failure === undefined && engine.flush !== undefined) engine.flush(onFlushed)
    else onEntryEnd()
  }

  const acknowledge = (entry: TransactionEntry) => {
    entry.state = "acknowledged"
    entry.onAcknowledged()
    entry.resume(entry.exit)
  }

  const submit = <A, E>(
    caller: Context.Context<never>,
    scope: TransactionScope | undefined,
    run: (entry: TransactionEntry) => Exit.Exit<A, E>
  ): Effect.Effect<A, E | StorageError> =>
    Effect.callback((resume) => {
      const entry: TransactionEntry = {
        context: caller,
        scope,
        run,
        resume,
        state: "queued",
        exit: Exit.void,
        refusals: 0,
        onAcknowledged: noop
      }
      waiting.push(entry)
      if (immediate && !isDraining && !isScheduled) drain()
      else schedule()
      return Effect.suspend(() => {
        if (entry.state === "queued") {
          entry.state = "cancelled"
          return Effect.void
        }
        // The finalizer also runs if the result itself is an interruption.
        if (entry.state !== "started") return Effect.void
        // The transaction has run, so the interruption waits until the caller knows whether it was committed.
        return Effect.callback<void>((resumeCaller) => {
          entry.onAcknowledged = () => resumeCaller(Effect.void)
        })
      })
    })

  const runBody = <A, E>(
    caller: Context.Context<never>,
    scope: TransactionScope,
    body: Effect.Effect<A, E>
  ): Exit.Exit<A, E | StorageError> => {
    const bodyContext = Context.add(scope.contextFor(caller), Scheduler.PreventSchedulerYield, true)
    const fiber = Effect.runForkWith(bodyContext)(
      Effect.withFiber((owner) => {
        scope.start(owner)
        return body
      })
    )
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return scope.outcome(exit)
    const { isMissing } = scope
    scope.close()
    fiber.interruptUnsafe()
    if (isMissing) return missingExit
    return Exit.die(new TransactionMisuse("The body of a transaction waited for something other than the store"))
  }

  /** Runs a body, rolls it back, and runs it again. */
  const runTwice = <A, E>(
    caller: Context.Context<never>,
    scope: TransactionScope,
    body: Effect.Effect<A, E>
  ): Exit.Exit<A, E | StorageError> => {
    const tape = new Tape()
    const tapedContext = Context.add(caller, Clock.Clock, tape.clock(Context.get(caller, Clock.Clock)))
    const savepointFailure = step(engine.savepoint)
    if (savepointFailure !== undefined) return Exit.fail(savepointFailure)
    const firstScope = TransactionScope.open(store, caller)
    const firstExit = Tape.play(tape, () => runBody(tapedContext, firstScope, body))
    firstScope.close()
    const firstWrites = engine.uncommitted?.()
    const rollbackFailure = step(engine.rollbackTo)
    if (rollbackFailure !== undefined) return Exit.fail(rollbackFailure)
    const exit = Tape.play(tape, () => runBody(tapedContext, scope, body))
    const isRepeatable = Exit.isSuccess(firstExit) === Exit.isSuccess(exit) && firstWrites === engine.uncommitted?.()
    return isRepeatable
      ? exit
      : Exit.die(new TransactionMisuse("The body of a transaction did something else when it ran again"))
  }

  const nested = <A, E, R>(
    outer: TransactionScope,
    body: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, R> =>
    Effect.suspend(() => {
      const scope = outer.nest()
      const savepointFailure = step(engine.savepoint, scope.depth)
      if (savepointFailure !== undefined) return outer.recordFailure(Exit.fail(savepointFailure))
      return Effect.onExit(
        Effect.updateContext(body, (context: Context.Context<R>) => scope.contextFor(context)),
        (exit) => endNested(outer, scope, exit)
      )
    })

  const endNested = <A, E>(
    outer: TransactionScope,
    scope: TransactionScope,
    exit: Exit.Exit<A, E>
  ): Effect.Effect<void, StorageError> => {
    // The end of the outermost transaction has already rolled back this one.
    if (!scope.isOpen) return Effect.void
    const outcome = scope.outcome(exit)
    scope.close()
    const endFailure = step(Exit.isSuccess(outcome) ? engine.release : engine.rollbackTo, scope.depth)
    if (endFailure !== undefined) return outer.recordFailure(Exit.fail(endFailure))
    if (Exit.isSuccess(outcome)) outer.hooks.push(...scope.hooks)
    // A failure of the body propagates without this effect. If the body succeeded and its transaction failed, the
    // failure of the transaction is returned.
    return Exit.isSuccess(exit) && Exit.isFailure(outcome)
      ? Exit.asVoid(outcome as Exit.Exit<A, StorageError>)
      : Effect.void
  }

  const store = {}

  /** Enqueues a transaction in steps. `resume` receives the result when the steps end. */
  const acquire = (
    caller: Context.Context<never>,
    scope: TransactionScope,
    delegate: () => void,
    resume: (exit: Exit.Exit<any, any>) => void
  ) => {
    const entry: TransactionEntry = {
      context: caller,
      scope,
      run: () => Exit.void,
      delegate,
      resume,
      state: "queued",
      exit: Exit.void,
      refusals: 0,
      onAcknowledged: noop
    }
    waiting.push(entry)
    if (immediate && !isDraining && !isScheduled) drain()
    else schedule()
    return (exit: Exit.Exit<unknown, unknown>) => endSteps(entry, scope, exit)
  }

  const transaction = <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    Effect.withFiber((fiber): Effect.Effect<A, E | StorageError, R> => {
      const outer = TransactionScope.current(store, fiber.context)
      if (outer !== undefined) return outer.refusalOf(fiber) ?? nested(outer, body)
      const caller = fiber.context
      // The calling fiber provides the requirements of the body.
      const fencedBody = withFence(caller, body as Effect.Effect<A, E>)
      if (remote !== undefined) return submit(caller, undefined, remote.repeatable(caller, fencedBody))
      const scope = TransactionScope.open(store, caller)
      return submit(caller, scope, () =>
        rerunBodies ? runTwice(caller, scope, fencedBody) : runBody(caller, scope, fencedBody)
      )
    })

  const perform = <A>(
    run: (isInside: boolean) => A,
    writes: boolean,
    note: (reads: Reads) => void = addEverything,
    outside?: Effect.Effect<A, StorageError>
  ): Effect.Effect<A, StorageError | UniqueConflict> =>
    Effect.withFiber((fiber) => {
      const reads = Context.get(fiber.context, CurrentReads)
      const scope = TransactionScope.current(store, fiber.context)
      // A remote store itself records the reads of the writes of a body.
      if (reads !== undefined && !(writes && reads === scope?.reads)) note(reads)
      if (scope !== undefined) {
        const refusal = scope.refusalOf(fiber)
        if (refusal !== undefined) return refusal
        const exit = attempt(() => run(true))
        return exit === missingExit ? scope.miss() : scope.recordFailure(exit)
      }
      if (!writes) return outside ?? attempt(() => run(false))
      // The fence of the caller is checked in a transaction, and a remote store may run the write again.
      if (remote !== undefined || Context.get(fiber.context, CurrentFence) !== undefined)
        return transaction(perform(run, writes, note))
      return submit(fiber.context, undefined, () => attempt(() => run(true)))
    })

  const learnedCommits = engine.remote && makeLearnedCommits(engine.remote, (task) => dispatcher.scheduleTask(task, 0))

  const remote =
    learnedCommits &&
    RemoteTransactions.make(
      {
        store,
        engine,
        context,
        groupSize,
        startTimer,
        start,
        runBody,
        close,
        complete,
        requeue: (entries) => {
          waiting = [...entries, ...waiting]
          schedule()
        },
        onIdle: resume
      },
      learnedCommits.operations
    )

  const all = (effects: ReadonlyArray<Effect.Effect<any, any, any>>): Effect.Effect<ReadonlyArray<any>, any, any> =>
    remote === undefined
      ? Effect.all(effects)
      : Effect.withFiber(({ context }) => {
          const scope = TransactionScope.current(store, context)
          return scope === undefined ? Effect.all(effects, { concurrency: "unbounded" }) : scope.all(effects)
        })

  const generation = (isInside: boolean) => (isInside ? undefined : engine.generation())

  const learnedCommit = (arrival: Arrival | undefined): number | undefined => {
    if (learnedCommits !== undefined) return learnedCommits.covers(arrival) ? engine.generation() : undefined
    const exit = attempt(() => engine.generation())
    return Exit.isSuccess(exit) ? exit.value : undefined
  }

  /** Last commit outside of transactions, of a remote store. */
  const lastCommitOutside =
    learnedCommits &&
    Effect.withFiber(({ context }) => {
      const commit = learnedCommit(Context.get(context, CurrentArrival))
      return commit === undefined ? Effect.map(learnedCommits.learn, () => engine.generation()) : Effect.succeed(commit)
    })

  return {
    generation: perform(generation, false, addEverything, lastCommitOutside) as Effect.Effect<
      number | undefined,
      StorageError
    >,
    lastCommit: perform(() => engine.generation(), false, addEverything, lastCommitOutside) as Effect.Effect<
      number,
      StorageError
    >,
    arrival: () => learnedCommits?.arrival(),
    learnedCommit,
    // The type of the repository states which writes can conflict.
    read: <A>(run: (isInside: boolean) => A, note?: (reads: Reads) => void, outside?: Effect.Effect<A, StorageError>) =>
      perform(run, false, note, outside) as Effect.Effect<A, StorageError>,
    write: <A>(run: () => A) => perform(run, true) as Effect.Effect<A, StorageError>,
    writeUnique: <A, E extends UniqueConflict>(run: () => A) =>
      perform(run, true) as Effect.Effect<A, StorageError | E>,
    all: all as TransactionQueue["all"],
    transaction,
    inSteps: inSteps({ store, engine, remote: learnedCommits?.operations, acquire, nested }),
    afterCommit: (effect) =>
      Effect.withFiber((fiber) => {
        const scope = TransactionScope.current(store, fiber.context)
        if (scope === undefined) return effect
        const refused = scope.refusalOf(fiber)
        if (refused === undefined) scope.hooks.push(effect)
        else if (Exit.hasDies(refused)) return refused as Exit.Exit<never>
        return Effect.void
      })
  }
}

/** Runs all hooks even if one dies, since the commit has happened. */
const runHooks = (hooks: ReadonlyArray<Effect.Effect<void>>) =>
  hooks.length === 1 ? logFailure(hooks[0]!) : Effect.forEach(hooks, logFailure, { discard: true })

const logFailure = (hook: Effect.Effect<void>) =>
  Effect.catchCause(hook, (cause) => Effect.logError("What runs after a commit died", cause))
