/**
 * Implements `Threads` on Node by a pool of threads. A thread starts when it is needed for a large computation, and
 * ends after an idle time. An idle server thus has no threads.
 *
 * Defaults: one thread per processor, up to 8; 512 MiB of memory per thread; a thread ends after 30 idle seconds.
 */
import { availableParallelism } from "node:os"
import { StorageError } from "@lectern/core/storage/Storage"
import { Threads, type TooCostly, tooCostly } from "@lectern/core/thread/Threads"
import type { DurationLike } from "@lectern/core/time/DurationLike"
import { Duration, Effect, Layer } from "effect"
import type { TaskResult } from "./ThreadMessages.ts"
import { ThreadPool } from "./ThreadPool.ts"

export interface NodeThreadsOptions {
  /** Maximum number of threads. Default: one per processor, up to 8. */
  readonly count?: number
  /** Input length up to which a computation runs in the calling thread, in characters (see `Threads`). Default: 0. */
  readonly inPlace?: number
  /** Maximum memory of each thread, in MiB. Default: 512. */
  readonly maxMemory?: number
  /** Maximum time of a computation, if it is less than the computation's own limit. Default: none. */
  readonly timeout?: DurationLike
  /** Idle time after which a thread ends. Default: 30 seconds. */
  readonly idle?: DurationLike
}

const noThread = Effect.fail(
  new StorageError({ reason: "busy", message: "Nothing large can be computed now: try again in a moment" })
)

const layer = ({
  count = Math.min(availableParallelism(), 8),
  inPlace = 0,
  maxMemory = 512,
  timeout,
  idle = { seconds: 30 }
}: NodeThreadsOptions = {}) =>
  Layer.effect(
    Threads,
    Effect.acquireRelease(
      Effect.sync(
        () =>
          new ThreadPool({
            maxMemory,
            timeout: Duration.toMillis(timeout ?? Duration.infinity),
            idle: Duration.toMillis(idle)
          })
      ),
      (pool) => Effect.promise(() => pool.end())
    ).pipe(
      Effect.map((pool) =>
        Threads.ofPool({
          count,
          inPlace,
          run: (task) =>
            Effect.flatMap(
              Effect.callback<TaskResult>((resume) => pool.run(task, (result) => resume(Effect.succeed(result)))),
              (result): Effect.Effect<unknown, TooCostly | StorageError> =>
                "output" in result
                  ? Effect.succeed(result.output)
                  : "costly" in result
                    ? Effect.fail(tooCostly)
                    : "notStarted" in result
                      ? Effect.andThen(Effect.logWarning(`A thread did not begin: ${result.notStarted}`), noThread)
                      : Effect.die(Object.assign(new Error(), result.defect))
            )
        })
      )
    )
  )

export const NodeThreads = { layer }
