/**
 * Interface between a store and the `TransactionQueue`. A store is synchronous, such as SQLite in the process, or remote:
 * it responds in a later turn of the event loop, such as a database over a network.
 *
 * The engine of a remote store works on data that it has fetched before (see `Overlay`). An operation that needs other
 * data throws `missing`. The body of the transaction ends there, the engine fetches the data, and the body runs again.
 */
import { Exit } from "effect"
import type { Reads } from "./Reads.ts"
import { StorageError, type UniqueConflict } from "./Storage.ts"

export type TransactionEngine = SynchronousEngine | RemoteEngine

/** Operations of every store. They may throw; `failure` converts exceptions. */
interface Engine {
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
  /** Rolls back to `begin`. Called after a failure, so it must not throw. */
  readonly rollback: () => void
  /** Converts an exception to a failure. Undefined: the exception is a defect. */
  readonly failure: (thrown: unknown) => StorageError | UniqueConflict | undefined
}

export interface SynchronousEngine extends Engine {
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
  /** Returns all uncommitted writes as a text. For tests that compare two runs of a body. */
  readonly uncommitted?: () => string
  readonly remote?: never
}

export interface RemoteEngine extends Engine {
  readonly remote: RemoteOperations
  readonly commit?: never
  readonly flush?: never
  readonly uncommitted?: never
}

/**
 * Result of a commit. The store has written no row unless it is `committed`.
 *
 * - `outdated`: another process wrote data that a transaction had read. The engine has dropped the old data.
 * - `missing`: the store has data that a transaction had assumed to be absent. The engine has it now.
 */
export type CommitOutcome = "committed" | "outdated" | "missing" | StorageError

/**
 * Operations of a remote store. Each calls `done` once, in bounded time, synchronously or later. The queue ignores
 * further calls.
 *
 * `fetch`, `commit` and `learn` each send a message when they are called, or later. Before `done`, the engine learns of
 * all commits that the store had when it handled the message. So `generation` covers every commit that was acknowledged
 * before the call, also by another process. A `StorageError` as result: the engine may know less.
 */
export interface RemoteOperations {
  /** Called before each run of a body. Operations of the run record in `reads` the data that their results depend on. */
  readonly start: (reads: Reads) => void
  /** Fetches all data that was missing since the last call. Calls `done` when it is available, or with the failure. */
  readonly fetch: (done: (failure?: StorageError) => void) => void
  /**
   * Commits a group of transactions, if nothing that they read was written since it was fetched. `reads` has an element
   * for each transaction, including those that wrote nothing or were rolled back: their results depend on the data, too.
   * No body runs until `done` is called.
   */
  readonly commit: (reads: ReadonlyArray<Reads>, done: (outcome: CommitOutcome) => void) => void
  /** Learns of commits. Called at most once at a time, for all callers that wait (see `LearnedCommits`). */
  readonly learn: (done: (failure?: StorageError) => void) => void
}

class Missing extends Error {
  override readonly name = "Missing"
}

/** Thrown by an operation of a remote store inside a transaction, if it needs data that must be fetched first. */
export const missing: Error = new Missing("The data of a remote store is not fetched yet")

/** Exit of an operation that threw `missing`, and of the run of the body that it ended. Compared by identity. */
export const missingExit: Exit.Exit<never> = Exit.die(missing)

/** Calls of the engine whose exceptions become values. */
export const checkedCalls = (engine: TransactionEngine) => ({
  attempt: <A>(run: () => A): Exit.Exit<A, StorageError | UniqueConflict> => {
    try {
      return Exit.succeed(run())
    } catch (thrown) {
      if (thrown === missing) return missingExit
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
