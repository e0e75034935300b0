/**
 * Transactions whose body waits between steps (see `Storage.inSteps`). One such transaction at a time controls the
 * store, from its turn in the queue until its end. A timer ends a body that exceeds the time limit.
 */
import { Context, Effect, Exit, Scheduler } from "effect"
import { withFence } from "./Fence.ts"
import { type Step, type StorageError, transactionLimit, TransactionMisuse } from "./Storage.ts"
import { timeLimitError, TransactionScope } from "./TransactionScope.ts"

interface StoreAccess {
  readonly store: object
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
  ({ store, acquire, nested }: StoreAccess) =>
  <A, E, R>(body: (step: Step) => Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    Effect.withFiber((fiber) => {
      const caller = fiber.context
      if (TransactionScope.current(store, caller) !== undefined) {
        return Effect.die(new TransactionMisuse("A transaction in steps can't be a part of another one"))
      }
      const scope = TransactionScope.open(store, caller)
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

      const step: Step = (part) => {
        type Part = typeof part
        return Effect.withFiber((stepFiber): Effect.Effect<Effect.Success<Part>, any, any> => {
          if (!scope.isOpen) {
            const isExpired = result !== undefined && Exit.isFailure(result) && hasExpired
            return isExpired
              ? Effect.fail(timeLimitError())
              : Effect.die(new TransactionMisuse("A step came after the end of its transaction"))
          }
          const bodyContext = Context.add(scope.contextFor(stepFiber.context), Scheduler.PreventSchedulerYield, true)
          const fiber = Effect.runForkWith(bodyContext)(
            Effect.withFiber((owner) => {
              scope.delegate(owner)
              return nested(scope, withFence(caller, part as Effect.Effect<unknown, unknown>))
            })
          )
          const exit = fiber.pollUnsafe()
          scope.delegate(undefined)
          if (exit !== undefined) return exit as Exit.Exit<any, any>
          const misuse = Exit.die(
            new TransactionMisuse("A step of a transaction waited for something other than the store")
          )
          end(misuse)
          fiber.interruptUnsafe()
          return misuse
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
