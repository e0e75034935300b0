/**
 * One open transaction, as the fiber that runs its body carries it: who may use it, whether it is
 * still open, what it does after its commit and why it can no longer be committed. It travels in
 * the context of the body, so a fiber that is forked there, or outlives it, is told from the body.
 */
import { Clock, Context, type Effect, Exit, type Fiber } from "effect"
import { StorageError, transactionLimit, TransactionMisuse } from "./Storage.ts"

const Current = Context.Reference<TransactionScope | undefined>("@lectern/core/storage/TransactionScope", {
  defaultValue: () => undefined
})

export class TransactionScope {
  /** How many transactions of its store it is inside of. */
  readonly depth: number
  /** Effects that run after the commit. */
  readonly hooks: Array<Effect.Effect<void>> = []

  /** Which store it is of: a body may use several stores, each with transactions of its own. */
  private readonly store: object
  private readonly enclosing: TransactionScope | undefined
  private readonly outermost: TransactionScope
  private readonly clock: Clock.Clock
  /** The fiber of the body, the only one that may use the transaction. */
  private owner: Fiber.Fiber<unknown, unknown> | undefined
  private startedAt = 0
  private closed = false
  private failure: StorageError | undefined

  private constructor(
    store: object,
    clock: Clock.Clock,
    around: TransactionScope | undefined,
    outermost: TransactionScope | undefined,
    depth: number
  ) {
    this.depth = depth
    this.store = store
    this.clock = clock
    this.enclosing = around
    this.outermost = outermost ?? this
  }

  /** The transaction of this store that a context is inside of. */
  static current(store: object, context: Context.Context<never>): TransactionScope | undefined {
    let scope = Context.get(context, Current)
    while (scope !== undefined && scope.store !== store) scope = scope.enclosing
    return scope
  }

  static open(store: object, context: Context.Context<never>): TransactionScope {
    return new TransactionScope(store, Context.get(context, Clock.Clock), Context.get(context, Current), undefined, 0)
  }

  /** A part of this transaction that can be rolled back alone. */
  nest(): TransactionScope {
    return new TransactionScope(this.store, this.clock, this, this.outermost, this.depth + 1)
  }

  /** The context that a body runs in. */
  contextFor<R>(context: Context.Context<R>): Context.Context<R> {
    return Context.add(context, Current, this) as Context.Context<R>
  }

  /** The body of the outermost begins, on this fiber. */
  start(owner: Fiber.Fiber<unknown, unknown>) {
    this.owner = owner
    this.startedAt = this.clock.currentTimeMillisUnsafe()
  }

  /** Another fiber may use the transaction for one step; without one, nobody may. */
  delegate(owner: Fiber.Fiber<unknown, unknown> | undefined) {
    this.owner = owner
  }

  /** The time of a transaction in steps begins; none of them has. */
  startInSteps() {
    this.startedAt = this.clock.currentTimeMillisUnsafe()
  }

  get isOpen(): boolean {
    return !this.closed && !this.outermost.closed
  }

  /** Why this fiber can't go on with the transaction; undefined: it can. */
  refusalOf(fiber: Fiber.Fiber<unknown, unknown>): Exit.Exit<never, StorageError> | undefined {
    if (!this.isOpen) return Exit.die(new TransactionMisuse("A transaction was used after its end"))
    if (fiber !== this.outermost.owner) {
      return Exit.die(new TransactionMisuse("A transaction was used by another fiber than the one of its body"))
    }
    this.checkTime()
    const failure = this.failure ?? this.outermost.failure
    return failure === undefined ? undefined : Exit.fail(failure)
  }

  /** Remembers that the store failed in it: whoever catches the failure can't commit the rest. */
  recordFailure<A, E>(exit: Exit.Exit<A, E>): Exit.Exit<A, E> {
    if (Exit.isFailure(exit)) {
      for (const reason of exit.cause.reasons) {
        if (reason._tag === "Fail" && reason.error instanceof StorageError) this.failure ??= reason.error
      }
    }
    return exit
  }

  /** Outcome of a body once it has ended. */
  outcome<A, E>(exit: Exit.Exit<A, E>): Exit.Exit<A, E | StorageError> {
    this.checkTime()
    const failure = this.failure ?? this.outermost.failure
    return Exit.isSuccess(exit) && failure !== undefined ? Exit.fail(failure) : exit
  }

  /** Ends it, and tells how long it took (ms). */
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

/** Why a transaction over the limit is rolled back. */
export const timeLimitError = () =>
  new StorageError({ reason: "failed", message: `The body of a transaction took longer than ${transactionLimit} ms` })
