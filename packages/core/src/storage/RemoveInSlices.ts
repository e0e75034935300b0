/**
 * Removes any number of rows in short transactions, so that other writers and the event loop wait only briefly. If
 * interrupted, rows that are already removed stay removed.
 */
import { Effect } from "effect"
import type { Condition } from "./Condition.ts"
import { Storage, type StorageError } from "./Storage.ts"
import type { Table } from "./Table.ts"

/** Maximum number of rows that one transaction removes. */
export const sliceSize = 200

/**
 * Removes one slice of the matching rows and returns their number. No rows are left if the number is below `sliceSize`.
 */
export const removeSlice = Effect.fnUntraced(function* <T extends Table>(
  table: T,
  where: Condition<T>
): Effect.fn.Return<number, StorageError, Storage> {
  const storage = yield* Storage
  const rows = storage.repository(table)
  // Rows are listed and removed in one transaction, since a concurrent write may change which rows match.
  return yield* storage.transaction(
    Effect.gen(function* () {
      const matchingRows = yield* rows.list({ where, limit: sliceSize })
      if (matchingRows.length === 0) return 0
      return yield* rows.remove(
        matchingRows.map((row) =>
          Object.fromEntries(table.key.map((field) => [field, (row as Record<string, string>)[field]!]))
        )
      )
    })
  )
})

/** Removes all matching rows and returns their number. */
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
