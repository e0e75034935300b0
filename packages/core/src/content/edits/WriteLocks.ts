/**
 * Serializes the writes to a change request, and to the live content of a space, within a process, so that concurrent
 * writes all succeed. Long operations such as imports take no lock, since they would block all other writers.
 */
import { Context, Effect, Layer } from "effect"
import { KeyedSemaphore } from "../../storage/KeyedSemaphore.ts"

export class WriteLocks extends Context.Service<
  WriteLocks,
  {
    /** Lock by the id of the change request. The lock of its space may be taken inside, never the reverse. */
    readonly withChangeRequestLock: KeyedSemaphore["withPermit"]
    /** Lock by the id of the space. */
    readonly withSpaceLock: KeyedSemaphore["withPermit"]
  }
>()("@lectern/core/content/edits/WriteLocks") {
  static readonly layer = Layer.effect(
    WriteLocks,
    Effect.sync(() => {
      const [changeRequests, spaces] = [new KeyedSemaphore(), new KeyedSemaphore()]
      return WriteLocks.of({
        withChangeRequestLock: (key, use) => changeRequests.withPermit(key, use),
        withSpaceLock: (key, use) => spaces.withPermit(key, use)
      })
    })
  )
}
