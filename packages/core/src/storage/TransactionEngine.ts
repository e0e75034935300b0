/** Functions that a synchronous store gives to the `TransactionQueue`. */
import { Exit } from "effect"
import { StorageError, type UniqueConflict } from "./Storage.ts"

/** Functions of the store. `failure` reads the errors that they throw. */
export interface Engine {
  /** Throws a failure that is `unavailable` while somebody else holds the store. */
  readonly begin: () => void
  /** Savepoints nest: the outermost has depth 0. */
  readonly savepoint: (depth: number) => void
  readonly release: (depth: number) => void
  /** Undoes all since that savepoint, deeper ones included, and forgets them. */
  readonly rollbackTo: (depth: number) => void
  /** Another number after every commit, whoever's it was. */
  readonly generation: () => number
  /** Throws when the store has given up the transaction by itself. */
  readonly check: () => void
  /** Makes the writes of so many transactions durable, or leaves that to `secure`. When it throws, none of them is kept. */
  readonly commit: (transactions: number) => void
  /**
   * Calls `done` once what was committed last is durable, or with why it may not be: at once, or when that is known.
   * Others go on meanwhile, and see it. Absent: it is with `commit`.
   */
  readonly flush?: (done: (failure?: StorageError) => void) => void
  /** Undoes all since `begin`. Called after a failure, so it must not throw. */
  readonly rollback: () => void
  /** The failure that was thrown; undefined: a defect. */
  readonly failure: (thrown: unknown) => StorageError | UniqueConflict | undefined
}

/** The calls to a store, whose exceptions become values here. */
export const checkedCalls = (engine: Engine) => ({
  attempt: <A>(run: () => A): Exit.Exit<A, StorageError | UniqueConflict> => {
    try {
      return Exit.succeed(run())
    } catch (thrown) {
      const failure = engine.failure(thrown)
      return failure === undefined ? Exit.die(thrown) : Exit.fail(failure)
    }
  },

  /** A step of the transaction itself; undefined when it was done. */
  step: (run: (depth: number) => void, depth = 0): StorageError | undefined => {
    try {
      run(depth)
      return undefined
    } catch (thrown) {
      const failure = engine.failure(thrown)
      return failure instanceof StorageError
        ? failure
        : new StorageError({ reason: "failed", message: "The store failed unexpectedly", cause: thrown })
    }
  }
})
