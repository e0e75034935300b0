/**
 * Brings the write-ahead log into the database in a thread, so that no request waits for the disk with it. The thread
 * begins with the first log, and ends when there was none for 15 seconds. The first time that it fails is logged:
 * commits do it then.
 */
import type { CheckpointLog } from "@lectern/adapter-sqlite/LogCheckpoints"
import { BoundedThread } from "@lectern/services-node/thread/BoundedThread"
import { Effect, type Scope } from "effect"

const idle = 15_000
/** Of the thread, in MiB: what it works on is no JavaScript. */
const memory = { maxMemory: 32, maxYoungMemory: 4 }

export const inThread: Effect.Effect<CheckpointLog, never, Scope.Scope> = Effect.gen(function* () {
  let thread: BoundedThread<string, string | undefined> | undefined
  let resting: NodeJS.Timeout | undefined
  let hasComplained = false
  const context = yield* Effect.context<never>()
  const complain = (error: unknown) => {
    if (hasComplained) return
    hasComplained = true
    Effect.runForkWith(context)(Effect.logWarning("A thread could not bring the log into the database", error))
  }
  const end = async () => {
    clearTimeout(resting)
    await thread?.end()
  }
  yield* Effect.addFinalizer(() => Effect.promise(end))

  return async (filename) => {
    clearTimeout(resting)
    if (thread === undefined || thread.isLost) thread = new BoundedThread(import.meta.url, "CheckpointWorker", memory)
    try {
      const failed = await Effect.runPromise(thread.ask(filename))
      if (failed !== undefined) throw new Error(failed)
    } catch (error) {
      complain(error)
      throw error
    } finally {
      resting = setTimeout(() => void end(), idle).unref()
    }
  }
})
