/**
 * Transactions whose body waits between steps (see `Storage.inSteps`). One such transaction at a time controls the
 * store, from its turn in the queue until its end. A timer ends a body that exceeds the time limit. Over a remote store,
 * a step that reads missing data runs again after the fetch.
 */
import { Clock, Context, Effect, Exit, Scheduler } from "effect"
import { withFence } from "./Fence.ts"
import { CurrentReads, Reads } from "./Reads.ts"
import { type Step, type StorageError, transactionLimit, TransactionMisuse } from "./Storage.ts"
import { Tape } from "./Tape.ts"
import { missingExit, type RemoteOperations, type TransactionEngine } from "./TransactionEngine.ts"
import { timeLimitError, TransactionScope } from "./TransactionScope.ts"

interface StoreAccess {
  readonly store: object
  readonly engine: TransactionEngine
  /** Operations of a remote store, whose callbacks are called once. */
  readonly remote: RemoteOperations | undefined
  /**
   * Enqueues the transaction. Calls `delegate` when the transaction controls the store, and `resume` with its result.
   * Returns the function that ends the transaction.
   */
  readonly acquire: (
    caller: Context.Context<never>,
    scope: TransactionScope,
    delegate: () => void,
    resume: (exit: Exit.Exit<any, any>) => void
  ) => (exit: Exit.Exit<unknown, unknown>) => void
  readonly nested: <A, E, R>(
    outer: TransactionScope,
    body: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
}

export const inSteps =
  ({ store, engine, remote, acquire, nested }: StoreAccess) =>
  <A, E, R>(body: (step: Step) => Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    Effect.withFiber((fiber) => {
      const caller = fiber.context
      if (TransactionScope.current(store, caller) !== undefined) {
        return Effect.die(new TransactionMisuse("A transaction in steps can't be a part of another one"))
      }
      const scope = TransactionScope.open(store, caller, remote && new Reads())
      let result: Exit.Exit<A, E | StorageError> | undefined
      let onDone: (() => void) | undefined
      let endWith: (exit: Exit.Exit<unknown, unknown>) => void
      /** Ends the transaction, at most once. */
      const end = (exit: Exit.Exit<unknown, unknown>) => {
        if (scope.isOpen) endWith(exit)
      }

      const delegated = Effect.callback<boolean>((resume) => {
        onDone = () => resume(Effect.succeed(false))
        const delegate = () => {
          scope.startInSteps()
          resume(Effect.succeed(true))
        }
        endWith = acquire(caller, scope, delegate, (exit) => {
          result = exit
          onDone?.()
        })
      })

      const isOver = Effect.callback<void>((resume) => {
        if (result !== undefined) return resume(Effect.void)
        onDone = () => resume(Effect.void)
      })

      const runOnce = (
        part: Effect.Effect<unknown, unknown>,
        context: Context.Context<never>
      ): Exit.Exit<unknown, unknown> => {
        const bodyContext = Context.add(scope.contextFor(context), Scheduler.PreventSchedulerYield, true)
        const fiber = Effect.runForkWith(bodyContext)(
          Effect.withFiber((owner) => {
            scope.delegate(owner)
            return nested(scope, withFence(caller, part))
          })
        )
        const exit = fiber.pollUnsafe()
        scope.delegate(undefined)
        if (exit !== undefined) return exit
        const result = scope.isMissing
          ? missingExit
          : Exit.die(new TransactionMisuse("A step of a transaction waited for something other than the store"))
        if (result !== missingExit) end(result)
        fiber.interruptUnsafe()
        return result
      }

      /** Runs a part of the body until it reads no missing data. */
      const runRemotely = (
        part: Effect.Effect<unknown, unknown>,
        context: Context.Context<never>,
        operations: RemoteOperations
      ): Effect.Effect<unknown, unknown> => {
        const tape = new Tape()
        const clock = tape.clock(Context.get(context, Clock.Clock))
        const runContext = Context.add(Context.add(context, Clock.Clock, clock), CurrentReads, scope.reads)
        const fetch = Effect.callback<void, StorageError>((resume) =>
          operations.fetch((failure) => resume(failure === undefined ? Effect.void : Effect.fail(failure)))
        )
        const runAgain: Effect.Effect<unknown, unknown> = Effect.suspend(() => {
          if (!scope.isOpen) return endedStep()
          operations.start(scope.reads!)
          const exit = Tape.play(tape, () => runOnce(part, runContext))
          if (exit !== missingExit) return exit
          scope.resumeAfterFetch()
          // The interruption of a part that can't be interrupted has not rolled it back.
          engine.rollbackTo(1)
          return Effect.andThen(fetch, runAgain)
        })
        return runAgain
      }

      /** Result of a step after the end of the transaction. */
      const endedStep = () =>
        hasExpired
          ? Effect.fail(timeLimitError())
          : Effect.die(new TransactionMisuse("A step came after the end of its transaction"))

      const step: Step = (part) => {
        type Part = typeof part
        return Effect.withFiber((stepFiber): Effect.Effect<Effect.Success<Part>, any, any> => {
          if (!scope.isOpen) return endedStep()
          const closed = part as Effect.Effect<unknown, unknown>
          const result =
            remote === undefined ? runOnce(closed, stepFiber.context) : runRemotely(closed, stepFiber.context, remote)
          return result as Effect.Effect<Effect.Success<Part>, any>
        })
      }

      let hasExpired = false
      const limit = Effect.andThen(
        Effect.sleep(transactionLimit),
        Effect.suspend(() => {
          hasExpired = true
          const failed = Exit.fail(timeLimitError())
          end(failed)
          return failed
        })
      )

      return Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          if (yield* delegated) {
            end(
              yield* Effect.exit(
                restore(
                  Effect.raceFirst(
                    Effect.suspend(() => body(step)),
                    limit
                  )
                )
              )
            )
            yield* isOver
          }
          return yield* result!
        })
      )
    })
