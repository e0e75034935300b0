/**
 * Runs transactions of a `TransactionQueue` over a remote store. A body runs on the data that is available, as over any
 * other store. It runs again, from its start, in two cases:
 *
 * - It reads data that is not available. It runs again after the fetch, before the transactions that wait. Others run
 *   and commit meanwhile.
 * - The store refuses the commit of its group: it has data that a transaction assumed to be absent, or another process
 *   wrote data that a transaction had read. In the second case the groups are half as large after each refusal, so that
 *   one transaction does not hold up others. From the third refusal on, a group waits for a random time first.
 *
 * A body gets equal ids, secrets and times in each run (see `Tape`).
 *
 * Limits: a body that still reads new data in its 100th run dies with `TransactionMisuse`. A transaction whose commit is
 * refused 10 times fails with `StorageError` (`contended`), and so does a transaction in steps at the first refusal.
 */
import { Clock, Context, Effect, Exit, Random } from "effect"
import { CurrentReads, Reads } from "./Reads.ts"
import { StorageError, TransactionMisuse } from "./Storage.ts"
import { Tape } from "./Tape.ts"
import { type CommitOutcome, missingExit, type RemoteOperations, type TransactionEngine } from "./TransactionEngine.ts"
import { noop, type TransactionEntry } from "./TransactionEntry.ts"
import { TransactionScope } from "./TransactionScope.ts"

const maxRuns = 100
const maxRefusals = 10
const immediateRefusals = 2
const maxRetryDelay = 100

/** Creates the failure of a transaction whose commit was refused too often. */
const contendedError = () =>
  new StorageError({
    reason: "contended",
    message: "Other processes changed the data of a transaction each time that it ran"
  })

interface Queue {
  /** Identity of the store. */
  readonly store: object
  readonly engine: TransactionEngine
  readonly context: Context.Context<never>
  /** Maximum number of transactions of a group. */
  readonly groupSize: number
  /** Starts a group. The returned function is true if the group has run for long enough. */
  readonly startTimer: () => () => boolean
  readonly start: (entry: TransactionEntry) => boolean
  readonly runBody: <A, E>(
    caller: Context.Context<never>,
    scope: TransactionScope,
    body: Effect.Effect<A, E>
  ) => Exit.Exit<A, E | StorageError>
  readonly close: (context: Context.Context<never>, scope: TransactionScope) => void
  readonly complete: (group: ReadonlyArray<TransactionEntry>, failure: StorageError | undefined) => void
  /** Enqueues transactions before all others. */
  readonly requeue: (entries: ReadonlyArray<TransactionEntry>) => void
  /** Continues with the queue after a group. */
  readonly onIdle: () => void
}

export interface RemoteTransactions {
  /** Returns the function that runs a body once more. */
  readonly repeatable: <A, E>(
    caller: Context.Context<never>,
    body: Effect.Effect<A, E>
  ) => (entry: TransactionEntry) => Exit.Exit<A, E | StorageError>
  /** Runs the first group. Returns the entries that are left, and the function that fetches and commits. */
  readonly runGroup: (due: ReadonlyArray<TransactionEntry>) => {
    readonly rest: ReadonlyArray<TransactionEntry>
    readonly finish: () => void
  }
  /** Commits a transaction in steps. Its body can't run again. */
  readonly commitSteps: (scope: TransactionScope, done: (failure: StorageError | undefined) => void) => void
}

/** `remote`: operations whose callbacks are called once (see `LearnedCommits`). */
export const make = (queue: Queue, remote: RemoteOperations): RemoteTransactions => {
  const { complete, context, engine, requeue, start } = queue

  const repeatable = <A, E>(caller: Context.Context<never>, body: Effect.Effect<A, E>) => {
    const tape = new Tape()
    const clock = tape.clock(Context.get(caller, Clock.Clock))
    const callerReads = Context.get(caller, CurrentReads)
    let runs = 0
    return (entry: TransactionEntry): Exit.Exit<A, E | StorageError> => {
      if (++runs > maxRuns) return Exit.die(new TransactionMisuse(`A body reads new data in each of ${maxRuns} runs`))
      const reads = new Reads()
      const scope = TransactionScope.open(queue.store, caller, reads)
      entry.scope = scope
      remote.start(reads)
      const runContext = Context.add(Context.add(caller, Clock.Clock, clock), CurrentReads, reads)
      const exit = Tape.play(tape, () => queue.runBody(runContext, scope, body))
      callerReads?.add(reads)
      return exit
    }
  }

  const runGroup: RemoteTransactions["runGroup"] = (due) => {
    const group: Array<TransactionEntry> = []
    const missed: Array<TransactionEntry> = []
    const isOver = queue.startTimer()
    let next = 0
    while (next < due.length) {
      const entry = due[next]!
      if (entry.delegate !== undefined || (group.length > 0 && group.length >= queue.groupSize >> entry.refusals)) break
      next++
      if (!start(entry)) continue
      engine.savepoint(0)
      entry.exit = entry.run(entry)
      queue.close(entry.context, entry.scope!)
      if (Exit.isFailure(entry.exit)) engine.rollbackTo(0)
      if (entry.exit !== missingExit) group.push(entry)
      else {
        entry.state = "queued"
        missed.push(entry)
      }
      if (isOver()) break
    }
    const finish = () => {
      if (missed.length > 0) remote.fetch((failure) => onFetched(missed, failure))
      if (group.length === 0) return queue.onIdle()
      const reads = group.map(({ scope }) => scope!.reads!)
      remote.commit(reads, (outcome) => onCommitted(group, outcome))
    }
    return { rest: due.slice(next), finish }
  }

  const onFetched = (missed: ReadonlyArray<TransactionEntry>, failure: StorageError | undefined) => {
    if (failure === undefined) requeue(missed)
    else fail(missed.filter(start), failure)
  }

  const onCommitted = (group: ReadonlyArray<TransactionEntry>, outcome: CommitOutcome) => {
    if (outcome === "committed") complete(group, undefined)
    else {
      engine.rollback()
      if (outcome === "outdated" || outcome === "missing") runAgain(group, outcome)
      else fail(group, outcome)
    }
    queue.onIdle()
  }

  /** Fails transactions. A body that failed itself may have read outdated data, so its own failure is not returned. */
  const fail = (group: ReadonlyArray<TransactionEntry>, failure: StorageError) => {
    for (const entry of group) entry.exit = Exit.fail(failure)
    complete(group, failure)
  }

  const runAgain = (group: ReadonlyArray<TransactionEntry>, outcome: "outdated" | "missing") => {
    const repeated: Array<TransactionEntry> = []
    let refusals = 0
    for (const entry of group) {
      if (outcome === "outdated") entry.refusals++
      // The caller of an entry with a listener was interrupted and waits for the end. No write was committed.
      if (entry.onAcknowledged !== noop) complete([entry], undefined)
      else if (entry.refusals > maxRefusals) fail([entry], contendedError())
      else {
        entry.state = "queued"
        repeated.push(entry)
        refusals = Math.max(refusals, entry.refusals)
      }
    }
    if (outcome === "missing" || refusals <= immediateRefusals) return requeue(repeated)
    const delay = Math.min(2 ** refusals, maxRetryDelay)
    Effect.runForkWith(context)(
      Effect.flatMap(Random.nextBetween(0, delay), (millis) =>
        Effect.andThen(
          Effect.sleep(millis),
          Effect.sync(() => requeue(repeated))
        )
      )
    )
  }

  return {
    repeatable,
    runGroup,
    commitSteps: (scope, done) =>
      remote.commit([scope.reads!], (outcome) => {
        if (outcome !== "committed") engine.rollback()
        done(outcome === "committed" ? undefined : outcome instanceof StorageError ? outcome : contendedError())
      })
  }
}
