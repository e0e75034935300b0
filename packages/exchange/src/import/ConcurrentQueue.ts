/** Runs work items that may add further items, several at once, until all are done. */
import { Deferred, Effect } from "effect"

/**
 * Processes all items. `take` may return undefined while items are running. It is called again after one of them ends.
 */
export const processAll = <A, R>(
  take: () => A | undefined,
  work: (item: A) => Effect.Effect<void, never, R>,
  concurrency: number
): Effect.Effect<void, never, R> =>
  Effect.suspend(() => {
    let running = 0
    let itemEnd = Deferred.makeUnsafe<void>()
    const worker: Effect.Effect<void, never, R> = Effect.gen(function* () {
      for (;;) {
        const item = take()
        if (item === undefined) {
          if (running === 0) return
          yield* Deferred.await(itemEnd)
          continue
        }
        running++
        yield* work(item)
        running--
        const before = itemEnd
        itemEnd = Deferred.makeUnsafe()
        yield* Deferred.succeed(before, undefined)
      }
    })
    return Effect.all(
      Array.from({ length: concurrency }, () => worker),
      { concurrency: "unbounded", discard: true }
    )
  })
