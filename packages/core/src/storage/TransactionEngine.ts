/** Interface between a synchronous store and the `TransactionQueue`. */
import { Exit } from "effect"
import { StorageError, type UniqueConflict } from "./Storage.ts"

/** Operations of the store. They may throw; `failure` converts exceptions. */
export interface TransactionEngine {
  /** Starts a transaction. Throws an `unavailable` failure while another process holds the write lock. */
  readonly begin: () => void
  /** Creates a savepoint. Savepoints nest: the outermost has depth 0. */
  readonly savepoint: (depth: number) => void
  readonly release: (depth: number) => void
  /** Rolls back to a savepoint and releases it and deeper ones. */
  readonly rollbackTo: (depth: number) => void
  /** Returns a number that changes after every commit of any process. */
  readonly generation: () => number
  /** Throws if the store rolled back the transaction without a request. */
  readonly check: () => void
  /**
   * Commits a group of transactions. Writes are durable afterwards, or after `flush`. If it throws, all are rolled
   * back.
   */
  readonly commit: (transactions: number) => void
  /**
   * Calls `done` when the last commit is durable, or with the failure. May call `done` synchronously or later. Other
   * transactions continue and see the commit. Absent: `commit` is durable.
   */
  readonly flush?: (done: (failure?: StorageError) => void) => void
  /** Rolls back to `begin`. Called after a failure, so it must not throw. */
  readonly rollback: () => void
  /** Returns all uncommitted writes as a text. For tests that compare two runs of a body. */
  readonly uncommitted?: () => string
  /** Converts an exception to a failure. Undefined: the exception is a defect. */
  readonly failure: (thrown: unknown) => StorageError | UniqueConflict | undefined
}

/** Calls of the engine whose exceptions become values. */
export const checkedCalls = (engine: TransactionEngine) => ({
  attempt: <A>(run: () => A): Exit.Exit<A, StorageError | UniqueConflict> => {
    try {
      return Exit.succeed(run())
    } catch (thrown) {
      const failure = engine.failure(thrown)
      return failure === undefined ? Exit.die(thrown) : Exit.fail(failure)
    }
  },

  /** Runs a transaction statement. Returns undefined on success. */
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
