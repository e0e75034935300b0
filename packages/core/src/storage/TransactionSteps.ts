/**
 * Transactions whose body waits between its steps (see `Storage.inSteps`). The store is lent to one of
 * them at a time, from its turn in the queue to its end, or to the end of its time: a timer beside the
 * body ends what never ends by itself.
 */
import { Context, Effect, Exit, Scheduler } from "effect"
import { type Step, type StorageError, transactionLimit, TransactionMisuse } from "./Storage.ts"
import { tookTooLong, TransactionScope } from "./TransactionScope.ts"

interface Lender {
  readonly store: object
  /** Asks for the store: `lend` is called when it is the transaction's, `resume` when all is over. Gives what ends it. */
  readonly borrow: (
    caller: Context.Context<never>,
    scope: TransactionScope,
    lend: () => void,
    resume: (exit: Exit.Exit<any, any>) => void
  ) => (exit: Exit.Exit<unknown, unknown>) => void
  readonly nested: <A, E, R>(
    outer: TransactionScope,
    body: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
}

export const inSteps =
  ({ store, borrow, nested }: Lender) =>
  <A, E, R>(body: (step: Step) => Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
    Effect.withFiber((fiber) => {
      const caller = fiber.context
      if (TransactionScope.current(store, caller) !== undefined) {
        return Effect.die(new TransactionMisuse("A transaction in steps can't be a part of another one"))
      }
      const scope = TransactionScope.open(store, caller)
      let answer: Exit.Exit<A, E | StorageError> | undefined
      let answered: (() => void) | undefined
      let endWith: (exit: Exit.Exit<unknown, unknown>) => void
      /** Ends the transaction, once. */
      const end = (exit: Exit.Exit<unknown, unknown>) => {
        if (scope.isOpen) endWith(exit)
      }

      const turn = Effect.callback<boolean>((resume) => {
        answered = () => resume(Effect.succeed(false))
        const lend = () => {
          scope.beginInSteps()
          resume(Effect.succeed(true))
        }
        endWith = borrow(caller, scope, lend, (exit) => {
          answer = exit
          answered?.()
        })
      })

      const isOver = Effect.callback<void>((resume) => {
        if (answer !== undefined) return resume(Effect.void)
        answered = () => resume(Effect.void)
      })

      const step: Step = (part) => {
        type Part = typeof part
        return Effect.withFiber((asking): Effect.Effect<Effect.Success<Part>, any, any> => {
          if (!scope.isOpen) {
            const late = answer !== undefined && Exit.isFailure(answer) && expired
            return late
              ? Effect.fail(tookTooLong())
              : Effect.die(new TransactionMisuse("A step came after the end of its transaction"))
          }
          const inside = Context.add(scope.inside(asking.context), Scheduler.PreventSchedulerYield, true)
          const stepping = Effect.runForkWith(inside)(
            Effect.withFiber((owner) => {
              scope.lend(owner)
              return nested(scope, part as Effect.Effect<unknown, unknown>)
            })
          )
          const exit = stepping.pollUnsafe()
          scope.lend(undefined)
          if (exit !== undefined) return exit as Exit.Exit<any, any>
          const misuse = Exit.die(
            new TransactionMisuse("A step of a transaction waited for something other than the store")
          )
          end(misuse)
          stepping.interruptUnsafe()
          return misuse
        })
      }

      let expired = false
      const limit = Effect.andThen(
        Effect.sleep(transactionLimit),
        Effect.suspend(() => {
          expired = true
          const failed = Exit.fail(tookTooLong())
          end(failed)
          return failed
        })
      )

      return Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          if (yield* turn) {
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
          return yield* answer!
        })
      )
    })
