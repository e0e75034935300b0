/**
 * Writes to one change request, and to the live content of one space, take turns within a process, so
 * that many at once all succeed. What takes long (an import) takes no turn: it would hold up all others.
 */
import { Context, Effect } from "effect"
import { KeyedSemaphore } from "../../storage/KeyedSemaphore.ts"
import { wired } from "../../wiring/Wired.ts"

export class WriteTurns extends Context.Service<
  WriteTurns,
  {
    /** By the id of the change request. Inside of its turn that of its space may be taken, never the other way round. */
    readonly ofChangeRequest: KeyedSemaphore["withPermit"]
    /** By the id of the space. */
    readonly ofSpace: KeyedSemaphore["withPermit"]
  }
>()("@lectern/core/content/WriteTurns") {
  static readonly layer = wired(
    WriteTurns,
    Effect.sync(() => {
      const [changeRequests, spaces] = [new KeyedSemaphore(), new KeyedSemaphore()]
      return WriteTurns.of({
        ofChangeRequest: (key, use) => changeRequests.withPermit(key, use),
        ofSpace: (key, use) => spaces.withPermit(key, use)
      })
    })
  )
}
