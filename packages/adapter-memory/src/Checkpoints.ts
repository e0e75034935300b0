/**
 * Resets an in-memory store to an earlier state, so that a test suite can prepare its data once. A reset is a commit,
 * so caches are invalidated. Events and jobs since the checkpoint are removed, too.
 *
 * Limits: previous values of changed rows are kept for as long as the store exists.
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
    /** Records the committed state. Returns an effect that resets the store to it, any number of times. */
    readonly create: Effect.Effect<Effect.Effect<void, StorageError>>
  }
>()("@lectern/adapter-memory/Checkpoints") {}

export const checkpoints = (
  queue: TransactionQueue,
  journal: Journal,
  search: MemorySearch,
  searchChanges: PendingChanges<SpaceChanges>,
  writtenRows: WrittenRows
): Checkpoints["Service"] => ({
  create: Effect.sync(() => {
    const rows = journal.checkpoint()
    const words = search.checkpoint()
    return queue.write(() => {
      journal.rollBack(rows)
      writtenRows.addEverything()
      for (const change of since(words)) searchChanges.add(change)
    })
  })
})
