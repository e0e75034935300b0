/**
 * Brings the write-ahead log into the database in a thread, so that no request waits for the disk with it. The thread
 * begins with the first log, and ends when there was none for 15 seconds. The first time that it fails is logged:
 * commits do it then.
 */
import type { CheckpointLog } from "@lectern/adapter-sqlite/LogCheckpoints"
import * as ThreadOnDemand from "@lectern/services-node/thread/ThreadOnDemand"
import { Effect, type Scope } from "effect"

/** Memory in MiB: what the thread works on is no JavaScript. */
const options = { idle: "15 seconds", maxMemory: 32, maxYoungMemory: 4 } as const

export const inThread: Effect.Effect<CheckpointLog, never, Scope.Scope> = Effect.gen(function* () {
  const ask = yield* ThreadOnDemand.make<string, string | undefined>(import.meta.url, "CheckpointWorker", options)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  let hasComplained = false
  const complain = (error: Error) =>
    Effect.suspend(() => {
      if (hasComplained) return Effect.void
      hasComplained = true
      return Effect.logWarning("A thread could not bring the log into the database", error)
    })

  return (filename) =>
    ask(filename).pipe(
      Effect.flatMap((failed) => (failed === undefined ? Effect.void : Effect.fail(new Error(failed)))),
      Effect.tapError(complain),
      run
    )
})
