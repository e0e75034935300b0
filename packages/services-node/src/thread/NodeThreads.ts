/**
 * `Threads` on Node: a pool of threads that begin when something large is to be computed, stay warm,
 * and end when there is nothing to do for a while, so that an idle server has none.
 *
 * Defaults: as many threads as there are processors, 8 at most; 512 MiB of memory for each; a thread
 * ends after 30 seconds with nothing to do.
 */
import { availableParallelism } from "node:os"
import { StorageError } from "@lectern/core/storage/Storage"
import { Threads, type TooCostly, tooCostly } from "@lectern/core/thread/Threads"
import { Duration, Effect, Layer } from "effect"
import type { TaskAnswer } from "./ThreadMessages.ts"
import { ThreadPool } from "./ThreadPool.ts"

export interface NodeThreadsOptions {
  /** Default: one for each processor, 8 at most. */
  readonly count?: number
  /** Length up to which what is large is computed in place, in characters: see `Threads`. Default: 0. */
  readonly inPlace?: number
  /** Of each thread, in MiB. Default: 512. */
  readonly maxMemory?: number
  /** For one computation, where it is less than that takes by itself. Default: none. */
  readonly timeout?: Duration.Input
  /** After how long with nothing to do a thread ends. Default: 30 seconds. */
  readonly idle?: Duration.Input
}

const noThread = Effect.fail(
  new StorageError({ reason: "busy", message: "Nothing large can be computed now: try again in a moment" })
)

const layer = ({
  count = Math.min(availableParallelism(), 8),
  inPlace = 0,
  maxMemory = 512,
  timeout = Duration.infinity,
  idle = Duration.seconds(30)
}: NodeThreadsOptions = {}) =>
  Layer.effect(
    Threads,
    Effect.acquireRelease(
      Effect.sync(
        () => new ThreadPool({ maxMemory, timeout: Duration.toMillis(timeout), idle: Duration.toMillis(idle) })
      ),
      (pool) => Effect.promise(() => pool.end())
    ).pipe(
      Effect.map((pool) =>
        Threads.over({
          count,
          inPlace,
          run: (task) =>
            Effect.flatMap(
              Effect.callback<TaskAnswer>((resume) => pool.run(task, (answer) => resume(Effect.succeed(answer)))),
              (answer): Effect.Effect<unknown, TooCostly | StorageError> =>
                "output" in answer
                  ? Effect.succeed(answer.output)
                  : "costly" in answer
                    ? Effect.fail(tooCostly)
                    : "notBegun" in answer
                      ? Effect.andThen(Effect.logWarning(`A thread did not begin: ${answer.notBegun}`), noThread)
                      : Effect.die(Object.assign(new Error(), answer.defect))
            )
        })
      )
    )
  )

export const NodeThreads = { layer }
