/**
 * Sets a store in memory back to what it held before: a test suite prepares its world once, and each
 * test finds it as it was made. To set back is a commit like any other, so whatever was kept in memory
 * about what is gone is looked up again; events and jobs of what is undone are gone with it.
 *
 * Limits: what is changed after a checkpoint is kept beside it for as long as the store is there.
 */
import { PendingChanges } from "@lectern/core/storage/PendingChanges"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { TransactionQueue } from "@lectern/core/storage/TransactionQueue"
import type { WrittenRows } from "@lectern/core/storage/WrittenRows"
import { Context, Effect } from "effect"
import type { Journal } from "./JournaledMap.ts"
import { type MemorySearch, since, type SpaceChanges } from "./MemorySearchIndex.ts"

export class Checkpoints extends Context.Service<
  Checkpoints,
  {
    /** Remembers what is committed now. The answer sets the store back to that, as often as it runs. */
    readonly take: Effect.Effect<Effect.Effect<void, StorageError>>
  }
>()("@lectern/adapter-memory/Checkpoints") {}

export const checkpoints = (
  queue: TransactionQueue,
  journal: Journal,
  search: MemorySearch,
  searchChanges: PendingChanges<SpaceChanges>,
  written: WrittenRows
): Checkpoints["Service"] => ({
  take: Effect.sync(() => {
    const rows = journal.checkpoint()
    const words = search.checkpoint()
    return queue.write(() => {
      journal.putBack(rows)
      written.addEverything()
      for (const change of since(words)) searchChanges.add(change)
    })
  })
})
