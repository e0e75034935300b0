/**
 * State of one open transaction: the fiber that may use it, whether it is open, its commit hooks, and the failure that
 * prevents its commit. It is part of the context of the body. Forked fibers inherit the context, so the scope also
 * records the body's fiber and rejects others.
 */
import { Clock, Context, Effect, Exit, type Fiber } from "effect"
import type { Reads } from "./Reads.ts"
import { StorageError, transactionLimit, TransactionMisuse } from "./Storage.ts"
import { missingExit } from "./TransactionEngine.ts"

const Current = Context.Reference<TransactionScope | undefined>("@lectern/core/storage/TransactionScope", {
  defaultValue: () => undefined
})

/** Never continues, without a timer that would keep the process alive. The queue interrupts the fiber. */
const suspended = Effect.callback<never>(() => {})

const valueOf = (exit: Exit.Exit<unknown, unknown>): unknown => (Exit.isSuccess(exit) ? exit.value : undefined)

export class TransactionScope {
  /** Number of enclosing transactions of the same store. */
  readonly depth: number
  /** Effects that run after the commit. */
  readonly hooks: Array<Effect.Effect<void>> = []

  /** Identity of the store. A body may use several stores, each with its own transactions. */
  private readonly store: object
  private readonly enclosing: TransactionScope | undefined
  private readonly outermost: TransactionScope
  private readonly clock: Clock.Clock
  /** Fiber of the body: the only one that may use the transaction. */
  private owner: Fiber.Fiber<unknown, unknown> | undefined
  private startedAt = 0
  private closed = false
  private failure: StorageError | undefined
  private hasMissed = false
  /** Number of calls of `all` that are in progress. */
  private openGroups = 0
  private readonly recordedReads: Reads | undefined

  private constructor(
    store: object,
    clock: Clock.Clock,
    enclosing: TransactionScope | undefined,
    outermost: TransactionScope | undefined,
    depth: number,
    reads: Reads | undefined
  ) {
    this.depth = depth
    this.store = store
    this.clock = clock
    this.recordedReads = reads
    this.enclosing = enclosing
    this.outermost = outermost ?? this
  }

  /** Returns the innermost open transaction of a store in a context. */
  static current(store: object, context: Context.Context<never>): TransactionScope | undefined {
    let scope = Context.get(context, Current)
    while (scope !== undefined && scope.store !== store) scope = scope.enclosing
    return scope
  }

  /** `reads`: records the reads of the transaction, for a store that validates them at the commit. */
  static open(store: object, context: Context.Context<never>, reads?: Reads): TransactionScope {
    const clock = Context.get(context, Clock.Clock)
    return new TransactionScope(store, clock, Context.get(context, Current), undefined, 0, reads)
  }

  /** Creates a nested transaction, which can be rolled back separately. */
  nest(): TransactionScope {
    return new TransactionScope(this.store, this.clock, this, this.outermost, this.depth + 1, undefined)
  }

  /** Reads of the outermost transaction. Undefined if the store validates nothing at the commit. */
  get reads(): Reads | undefined {
    return this.outermost.recordedReads
  }

  /**
   * Ends the run of the body at a read whose data must be fetched first. In `all`, ends only this read, with
   * `missingExit`.
   */
  miss(): Effect.Effect<never> {
    this.outermost.hasMissed = true
    return this.outermost.openGroups > 0 ? missingExit : suspended
  }

  /** Runs all effects (see `Storage.all`), then ends the run of the body if one of them missed. */
  all(effects: ReadonlyArray<Effect.Effect<any, any, any>>): Effect.Effect<ReadonlyArray<any>, any, any> {
    const { outermost } = this
    const runAll = Effect.forEach(effects, (effect) =>
      Effect.flatMap(Effect.exit(effect), (exit) =>
        // After a miss, failures do not count, since the run ends without a result.
        Exit.isSuccess(exit) || outermost.hasMissed ? Effect.succeed(exit) : exit
      )
    )
    return Effect.suspend(() => {
      outermost.openGroups++
      return Effect.flatMap(
        Effect.ensuring(
          runAll,
          Effect.sync(() => outermost.openGroups--)
        ),
        (exits) => (outermost.hasMissed ? this.miss() : Effect.succeed(exits.map(valueOf)))
      )
    })
  }

  /** True if the run of the body ended at a read whose data must be fetched first. */
  get isMissing(): boolean {
    return this.outermost.hasMissed
  }

  /** Continues a transaction in steps after the fetch of missing data. */
  resumeAfterFetch() {
    this.hasMissed = false
  }

  /** Returns the context of the body. */
  contextFor<R>(context: Context.Context<R>): Context.Context<R> {
    return Context.add(context, Current, this) as Context.Context<R>
  }

  /** Starts the outermost transaction, with the fiber of its body. */
  start(owner: Fiber.Fiber<unknown, unknown>) {
    this.owner = owner
    this.startedAt = this.clock.currentTimeMillisUnsafe()
  }

  /** Sets the fiber that may use the transaction for one step. Undefined: no fiber may use it. */
  delegate(owner: Fiber.Fiber<unknown, unknown> | undefined) {
    this.owner = owner
  }

  /** Starts the time limit of a transaction in steps, before its first step. */
  startInSteps() {
    this.startedAt = this.clock.currentTimeMillisUnsafe()
  }

  get isOpen(): boolean {
    return !this.closed && !this.outermost.closed
  }

  /** Returns why a fiber must not use the transaction, or undefined if it may. */
  refusalOf(fiber: Fiber.Fiber<unknown, unknown>): Exit.Exit<never, StorageError> | undefined {
    if (!this.isOpen) return Exit.die(new TransactionMisuse("A transaction was used after its end"))
    if (fiber !== this.outermost.owner) {
      return Exit.die(new TransactionMisuse("A transaction was used by another fiber than the one of its body"))
    }
    this.checkTime()
    const failure = this.failure ?? this.outermost.failure
    return failure === undefined ? undefined : Exit.fail(failure)
  }

  /** Records a failure of the store. The transaction cannot commit afterwards, even if the body catches the failure. */
  recordFailure<A, E>(exit: Exit.Exit<A, E>): Exit.Exit<A, E> {
    if (Exit.isFailure(exit)) {
      for (const reason of exit.cause.reasons) {
        if (reason._tag === "Fail" && reason.error instanceof StorageError) this.failure ??= reason.error
      }
    }
    return exit
  }

  /** Returns the result of the transaction for the exit of its body. */
  outcome<A, E>(exit: Exit.Exit<A, E>): Exit.Exit<A, E | StorageError> {
    this.checkTime()
    const failure = this.failure ?? this.outermost.failure
    return Exit.isSuccess(exit) && failure !== undefined ? Exit.fail(failure) : exit
  }

  /** Closes the transaction and returns its duration (ms). */
  close(): number {
    this.closed = true
    return this.clock.currentTimeMillisUnsafe() - this.startedAt
  }

  private checkTime() {
    const outermost = this.outermost
    if (outermost.failure !== undefined) return
    if (outermost.clock.currentTimeMillisUnsafe() - outermost.startedAt <= transactionLimit) return
    outermost.failure = timeLimitError()
  }
}

/** Creates the failure of a transaction that exceeds the time limit. */
export const timeLimitError = () =>
  new StorageError({ reason: "failed", message: `The body of a transaction took longer than ${transactionLimit} ms` })
