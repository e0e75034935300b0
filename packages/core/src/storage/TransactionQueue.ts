/**
 * Transactions over a store that works synchronously: first come first served, strictly one after
 * another. Those that wait are taken in groups (at most 64, or what fits in 2 ms), each between a
 * savepoint and its release (one that is alone has none), and one commit answers the group; if that commit fails, all
 * of the group fail. A store may make durable in the background what it has committed: whoever wrote waits for that, the
 * next group does not. An adapter gives an `Engine`, and says `read` or `write` for each of its operations.
 *
 * The body of a transaction runs to its end in one go, in the context of its caller (clock, tracer
 * and logger included) on a fiber of its own. A body that is not done by then waits for something:
 * it is rolled back and its caller dies with `TransactionMisuse`.
 *
 * Limits: while somebody else holds the store (another process, say) the queue asks again until
 * `patience` is over; then those that wait fail as `unavailable`. Work that is forked in a body and
 * outlives it must yield by itself: it inherits that the body never does.
 */
import { Clock, Context, Effect, Exit, Scheduler } from "effect"
import { slowTransaction, type Step, type StorageError, TransactionMisuse, type UniqueConflict } from "./Storage.ts"
import { checkedCalls, type Engine } from "./TransactionEngine.ts"
import { CurrentReads, type Reads } from "./Reads.ts"
import { inSteps } from "./TransactionSteps.ts"
import { TransactionScope } from "./TransactionScope.ts"

export interface Options {
  /** Run at once what nothing is in front of: for stores whose commit costs nothing. Default: false. */
  readonly immediate?: boolean
  /** How long to wait for a store that somebody else holds (ms). Default: 10,000. */
  readonly busyTimeout?: number
}

export interface TransactionQueue {
  /**
   * Reads: `inside` a transaction among its own writes, outside committed data only. May throw. `note`: notes what is
   * read. Default: that it may be anything.
   */
  readonly read: <A>(run: (inside: boolean) => A, note?: (reads: Reads) => void) => Effect.Effect<A, StorageError>
  /** Writes, as a transaction of its own outside one. May throw, and then must have changed nothing. */
  readonly write: <A>(run: () => A) => Effect.Effect<A, StorageError>
  /** A write that may conflict; where the type of its table says that it can't, `E` is never. */
  readonly writeUnique: <A, E extends UniqueConflict>(run: () => A) => Effect.Effect<A, StorageError | E>
  readonly transaction: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  readonly inSteps: <A, E, R>(body: (step: Step) => Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly generation: Effect.Effect<number | undefined, StorageError>
}

const groupSize = 64
const groupNanos = 2_000_000n
const minRetryDelay = 1
const maxRetryDelay = 100

interface Entry {
  /** The context of the caller. */
  readonly context: Context.Context<never>
  /** Undefined for a single write, which needs no savepoint. */
  readonly scope: TransactionScope | undefined
  readonly run: () => Exit.Exit<unknown, unknown>
  /** Tells a transaction in steps that the store is its own, in place of `run`. */
  readonly delegate?: () => void
  readonly resume: (exit: Exit.Exit<any, any>) => void
  state: "queued" | "cancelled" | "started" | "answered"
  exit: Exit.Exit<unknown, unknown>
  /** Tells a caller that was interrupted meanwhile. */
  onAcknowledged: () => void
}

const noop = () => {}

const addEverything = (reads: Reads) => reads.addEverything()

/** A queue for one store. It takes its scheduler and its clock (for waiting) from where it is made. */
export const make = (engine: Engine, options: Options = {}): Effect.Effect<TransactionQueue> =>
  Effect.withFiber((fiber) => Effect.succeed(makeUnsafe(engine, fiber.context, options)))

const makeUnsafe = (engine: Engine, context: Context.Context<never>, options: Options): TransactionQueue => {
  const { immediate = false, busyTimeout: patience = 10_000 } = options
  const dispatcher = Context.get(context, Scheduler.Scheduler).makeDispatcher()
  const clock = Context.get(context, Clock.Clock)
  let waiting: Array<Entry> = []
  let isDraining = false
  let isScheduled = false
  let waited = 0

  const { attempt, step } = checkedCalls(engine)

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
        waited = 0
        const [first, ...rest] = due
        // From here until the end of its steps, everybody else waits.
        if (first?.delegate !== undefined && start(first)) {
          waiting = [...rest, ...waiting]
          return first.delegate()
        }
        due = runGroup(due)
      } else if (failure.reason === "unavailable" && waited < patience) {
        isBusy = true
      } else {
        waited = 0
        complete(due.filter(start), failure)
        due = []
      }
    }
    waiting = [...due, ...waiting]
    isDraining = false
    if (isBusy) retryLater()
    else if (waiting.length > 0) schedule()
  }

  const retryLater = () => {
    isScheduled = true
    const pause = Math.min(Math.max(waited, minRetryDelay), maxRetryDelay, patience - waited)
    waited += pause
    Effect.runForkWith(context)(Effect.andThen(Effect.sleep(pause), Effect.sync(drain)))
  }

  const start = (entry: Entry): boolean => {
    if (entry.state === "cancelled") return false
    entry.state = "started"
    return true
  }

  /** Runs and commits as many as a group takes, and answers the others. */
  const runGroup = (due: ReadonlyArray<Entry>): Array<Entry> => {
    const group: Array<Entry> = []
    const isAlone = due.length === 1
    const startedAt = clock.monotonicTimeNanosUnsafe()
    let next = 0
    let failure: StorageError | undefined
    while (next < due.length && group.length < groupSize && failure === undefined) {
      const entry = due[next]!
      if (entry.delegate !== undefined) break
      next++
      if (!start(entry)) continue
      group.push(entry)
      failure = runEntry(entry, isAlone)
      if (clock.monotonicTimeNanosUnsafe() - startedAt > groupNanos) break
    }
    const isRolledBack = isAlone && group.some(({ exit }) => Exit.isFailure(exit))
    if (!isRolledBack) failure ??= step(() => engine.commit(group.length))
    if (isRolledBack || failure !== undefined) engine.rollback()
    complete(group, failure)
    return due.slice(next)
  }

  /** A failure it answers is one of the whole group: the store lost what the group wrote. */
  const runEntry = (entry: Entry, isAlone: boolean): StorageError | undefined => {
    const { scope } = entry
    const failure = scope === undefined || isAlone ? undefined : step(engine.savepoint)
    if (failure !== undefined) return failure
    entry.exit = entry.run()
    if (scope !== undefined) close(entry.context, scope)
    // A body that caught what the store failed with may have lost the whole transaction, too.
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

  /** A transaction in steps is over: its writes are committed or undone, and the others go on. */
  const endSteps = (entry: Entry, scope: TransactionScope, exit: Exit.Exit<unknown, unknown>) => {
    entry.exit = scope.outcome(exit)
    close(entry.context, scope)
    const failure = Exit.isSuccess(entry.exit) ? step(() => engine.commit(1)) : undefined
    if (failure !== undefined || Exit.isFailure(entry.exit)) engine.rollback()
    complete([entry], failure)
    isDraining = false
    if (waiting.length > 0) schedule()
  }

  const complete = (group: ReadonlyArray<Entry>, failure: StorageError | undefined) => {
    let left = group.length + 1
    const done = () => {
      left--
      if (left === 0) for (const entry of group) acknowledge(entry)
    }
    const secured = (lost: StorageError | undefined) => {
      for (const entry of group) {
        if (lost !== undefined && Exit.isSuccess(entry.exit)) entry.exit = Exit.fail(lost)
      }
      done()
    }
    // Every cache hears of every commit of the group before the first caller goes on.
    for (const entry of group) {
      if (failure !== undefined && Exit.isSuccess(entry.exit)) entry.exit = Exit.fail(failure)
      const hooks = Exit.isSuccess(entry.exit) ? entry.scope?.hooks : undefined
      if (hooks === undefined || hooks.length === 0) done()
      else Effect.runForkWith(entry.context)(runHooks(hooks)).addObserver(done)
    }
    // Who waits for the disk holds up nobody else.
    if (failure === undefined && engine.flush !== undefined) engine.flush(secured)
    else done()
  }

  const acknowledge = (entry: Entry) => {
    entry.state = "answered"
    entry.onAcknowledged()
    entry.resume(entry.exit)
  }

  const submit = <A, E>(
    caller: Context.Context<never>,
    scope: TransactionScope | undefined,
    run: () => Exit.Exit<A, E>
  ): Effect.Effect<A, E | StorageError> =>
    Effect.callback((resume) => {
      const entry: Entry = {
        context: caller,
        scope,
        run,
        resume,
        state: "queued",
        exit: Exit.void,
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
        // An answer that is itself an interruption comes by here too.
        if (entry.state !== "started") return Effect.void
        // What has run is committed or it is not, whatever the caller wishes by now: it is told first.
        return Effect.callback<void>((told) => {
          entry.onAcknowledged = () => told(Effect.void)
        })
      })
    })

  const runBody = <A, E>(
    caller: Context.Context<never>,
    scope: TransactionScope,
    body: Effect.Effect<A, E>
  ): Exit.Exit<A, E | StorageError> => {
    const inside = Context.add(scope.contextFor(caller), Scheduler.PreventSchedulerYield, true)
    const fiber = Effect.runForkWith(inside)(
      Effect.withFiber((owner) => {
        scope.start(owner)
        return body
      })
    )
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return scope.outcome(exit)
    scope.close()
    fiber.interruptUnsafe()
    return Exit.die(new TransactionMisuse("The body of a transaction waited for something other than the store"))
  }

  const nested = <A, E, R>(
    outer: TransactionScope,
    body: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, R> =>
    Effect.suspend(() => {
      const scope = outer.nest()
      const lost = step(engine.savepoint, scope.depth)
      if (lost !== undefined) return outer.recordFailure(Exit.fail(lost))
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
    // When the outermost is over, its end has undone this one.
    if (!scope.isOpen) return Effect.void
    const verdict = scope.outcome(exit)
    scope.close()
    const lost = step(Exit.isSuccess(verdict) ? engine.release : engine.rollbackTo, scope.depth)
    if (lost !== undefined) return outer.recordFailure(Exit.fail(lost))
    if (Exit.isSuccess(verdict)) outer.hooks.push(...scope.hooks)
    // Its own failure goes on by itself; only a success that could not be kept has to be replaced.
    return Exit.isSuccess(exit) && Exit.isFailure(verdict)
      ? Exit.asVoid(verdict as Exit.Exit<A, StorageError>)
      : Effect.void
  }

  const store = {}

  /** Waits for the store; the answer comes when the steps are over. */
  const acquire = (
    caller: Context.Context<never>,
    scope: TransactionScope,
    lend: () => void,
    resume: (exit: Exit.Exit<any, any>) => void
  ) => {
    const entry: Entry = {
      context: caller,
      scope,
      run: () => Exit.void,
      delegate: lend,
      resume,
      state: "queued",
      exit: Exit.void,
      onAcknowledged: noop
    }
    waiting.push(entry)
    if (immediate && !isDraining && !isScheduled) drain()
    else schedule()
    return (exit: Exit.Exit<unknown, unknown>) => endSteps(entry, scope, exit)
  }

  const perform = <A>(
    run: (inside: boolean) => A,
    writes: boolean,
    note: (reads: Reads) => void = addEverything
  ): Effect.Effect<A, StorageError | UniqueConflict> =>
    Effect.withFiber((fiber) => {
      const reads = Context.get(fiber.context, CurrentReads)
      if (reads !== undefined) note(reads)
      const scope = TransactionScope.current(store, fiber.context)
      if (scope !== undefined) return scope.refusalOf(fiber) ?? scope.recordFailure(attempt(() => run(true)))
      return writes ? submit(fiber.context, undefined, () => attempt(() => run(true))) : attempt(() => run(false))
    })

  const generation = (inside: boolean) => (inside ? undefined : engine.generation())

  return {
    generation: perform(generation, false) as Effect.Effect<number | undefined, StorageError>,
    // Only some writes conflict, and their adapter says which.
    read: <A>(run: (inside: boolean) => A, note?: (reads: Reads) => void) =>
      perform(run, false, note) as Effect.Effect<A, StorageError>,
    write: <A>(run: () => A) => perform(run, true) as Effect.Effect<A, StorageError>,
    writeUnique: <A, E extends UniqueConflict>(run: () => A) =>
      perform(run, true) as Effect.Effect<A, StorageError | E>,
    transaction: <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
      Effect.withFiber((fiber): Effect.Effect<A, E | StorageError, R> => {
        const outer = TransactionScope.current(store, fiber.context)
        if (outer !== undefined) return outer.refusalOf(fiber) ?? nested(outer, body)
        // The fiber of the caller carries what the body requires.
        const closed = body as Effect.Effect<A, E>
        const caller = fiber.context
        const scope = TransactionScope.open(store, caller)
        return submit(caller, scope, () => runBody(caller, scope, closed))
      }),
    inSteps: inSteps({ store, acquire: acquire, nested }),
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

/** Each of them runs, whatever becomes of the others: the commit has happened. */
const runHooks = (hooks: ReadonlyArray<Effect.Effect<void>>) =>
  hooks.length === 1 ? logFailure(hooks[0]!) : Effect.forEach(hooks, logFailure, { discard: true })

const logFailure = (hook: Effect.Effect<void>) =>
  Effect.catchCause(hook, (cause) => Effect.logError("What runs after a commit died", cause))
