/**
 * Checkpoints the write-ahead log in a thread, so that no request waits for the disk. The thread starts with the first
 * checkpoint and exits after 15 idle seconds. If the thread fails, commits checkpoint the log themselves; only the first
 * failure is logged.
 */
import type { CheckpointLog } from "@lectern/adapter-sqlite/durability/LogCheckpoints"
import * as ThreadOnDemand from "@lectern/services-node/thread/ThreadOnDemand"
import { Effect, type Scope } from "effect"

/** Memory limits of the thread, in MiB. They are low, since SQLite works outside of the JavaScript heap. */
const options = { idle: "15 seconds", maxMemory: 32, maxYoungMemory: 4 } as const

export const inThread: Effect.Effect<CheckpointLog, never, Scope.Scope> = Effect.gen(function* () {
  const request = yield* ThreadOnDemand.make<string, string | undefined>(import.meta.url, "CheckpointWorker", options)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  let hasComplained = false
  const complain = (error: Error) =>
    Effect.suspend(() => {
      if (hasComplained) return Effect.void
      hasComplained = true
      return Effect.logWarning("The checkpoint thread failed", error)
    })

  return (filename) =>
    request(filename).pipe(
      Effect.flatMap((failure) => (failure === undefined ? Effect.void : Effect.fail(new Error(failure)))),
      Effect.tapError(complain),
      run
    )
})
