/**
 * Commits of a remote store that one process has learned of. Each response of the store names the commits up to then (see
 * `RemoteOperations`). So a response covers every commit that was acknowledged before its message was sent, by any
 * process.
 *
 * A caller that needs all commits before its arrival waits for the response to a message that is sent later. Callers
 * share messages: one is underway at a time, and the next one is for all callers that came meanwhile.
 */
import { Context, Effect } from "effect"
import { StorageError } from "./Storage.ts"
import type { CommitOutcome, RemoteOperations } from "./TransactionEngine.ts"

/** Point in time before which a caller needs all acknowledged commits, such as the arrival of a request. */
export interface Arrival {
  /** Identity of the store. */
  readonly store: object
  /** Number of messages that were sent before. */
  readonly sent: number
}

/**
 * Arrival of the request that a fiber handles. The request then learns of commits once, at its first use of the store.
 * Undefined: each use learns of all commits up to then.
 */
export const CurrentArrival = Context.Reference<Arrival | undefined>("@lectern/core/storage/LearnedCommits", {
  defaultValue: () => undefined
})

/** Runs an effect as a request that arrived then. */
export const withArrival = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  arrival: Arrival | undefined
): Effect.Effect<A, E, R> => (arrival === undefined ? effect : Effect.provideService(effect, CurrentArrival, arrival))

export interface LearnedCommits {
  /** The operations of the store, whose responses are recorded. */
  readonly operations: RemoteOperations
  readonly arrival: () => Arrival
  /** True if this process has learned of all commits that were acknowledged before the arrival. */
  readonly covers: (arrival: Arrival | undefined) => boolean
  /** Learns of all commits that were acknowledged before the call. */
  readonly learn: Effect.Effect<void, StorageError>
}

/** `schedule`: runs a task after the current one. */
export const make = (remote: RemoteOperations, schedule: (task: () => void) => void): LearnedCommits => {
  const store = {}
  let sent = 0
  /** Number of the latest message with a response. */
  let responded = 0
  let waiting: Array<(failure: StorageError | undefined, isShared: boolean) => void> = []
  let isLearning = false

  /** Counts a message that is sent now. Returns its callback, which ignores all calls but the first. */
  const counted = <A extends CommitOutcome | undefined>(done: (result: A) => void): ((result?: A) => void) => {
    const message = ++sent
    let isDone = false
    return (result) => {
      if (isDone) return
      isDone = true
      if (!(result instanceof StorageError)) responded = Math.max(responded, message)
      done(result as A)
    }
  }

  const sendNext = () => {
    if (waiting.length === 0) {
      isLearning = false
      return
    }
    const callers = waiting
    waiting = []
    remote.learn(
      counted<StorageError | undefined>((failure) => {
        sendNext()
        for (const resume of callers) resume(failure, callers.length > 1)
      })
    )
  }

  return {
    operations: {
      start: remote.start,
      fetch: (done) => remote.fetch(counted(done)),
      commit: (reads, done) => remote.commit(reads, counted(done) as (outcome: CommitOutcome) => void),
      learn: (done) => remote.learn(counted(done))
    },
    arrival: () => ({ store, sent }),
    covers: (arrival) => arrival?.store === store && responded > arrival.sent,
    learn: Effect.callback((resume) => {
      waiting.push((failure, isShared) => {
        if (failure !== undefined) return resume(Effect.fail(failure))
        // All callers resume in one turn of the event loop. Each one yields, since long work may follow.
        resume(isShared ? Effect.yieldNow : Effect.void)
      })
      if (isLearning) return
      isLearning = true
      // The message is for all callers of this turn.
      schedule(sendNext)
    })
  }
}
