/**
 * Removes any number of rows in short transactions, so that neither other writers nor the event
 * loop wait for long. What is removed stays removed wherever it is interrupted.
 */
import { Effect } from "effect"
import type { Condition } from "./Condition.ts"
import { Storage, type StorageError } from "./Storage.ts"
import type { Table } from "./Table.ts"

/** How many rows one transaction removes at most. */
export const sliceSize = 200

/** Removes one slice of the rows that match and tells how many that were; fewer than `sliceSize`: the last. */
export const removeSlice = Effect.fnUntraced(function* <T extends Table>(
  table: T,
  where: Condition<T>
): Effect.fn.Return<number, StorageError, Storage> {
  const storage = yield* Storage
  const rows = storage.repository(table)
  // One that somebody writes in between may not be to go any more.
  return yield* storage.transaction(
    Effect.gen(function* () {
      const found = yield* rows.list({ where, limit: sliceSize })
      if (found.length === 0) return 0
      return yield* rows.remove(
        found.map((row) =>
          Object.fromEntries(table.key.map((field) => [field, (row as Record<string, string>)[field]!]))
        )
      )
    })
  )
})

/** Removes all rows that match and tells how many that were. */
export const removeAll = Effect.fnUntraced(function* <T extends Table>(
  table: T,
  where: Condition<T>
): Effect.fn.Return<number, StorageError, Storage> {
  for (let total = 0; ;) {
    const removed = yield* removeSlice(table, where)
    total += removed
    if (removed < sliceSize) return total
    yield* Effect.yieldNow
  }
})
