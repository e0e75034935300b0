/**
 * Dependent data of a space. Each concept declares how its rows of a space are removed, in a sequence of short
 * transactions (see `SpaceRemoval`).
 */
import type { Effect } from "effect"
import type { Condition } from "../storage/Condition.ts"
import { removeSlice } from "../storage/RemoveInSlices.ts"
import type { SearchIndex } from "../storage/SearchIndex.ts"
import type { Storage, StorageError } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import type { SpaceId } from "./Space.ts"

/** Removes one batch in a short transaction. Returns the number of removed items, 0 if no item is left. */
export type RemoveSpaceDependents = (space: SpaceId) => Effect.Effect<number, StorageError, Storage | SearchIndex>

/** Declares the rows that a condition selects as dependent data of a space. */
export const rowsWhere =
  <T extends Table>(table: T, where: (space: SpaceId) => Condition<T>): RemoveSpaceDependents =>
  (space) =>
    removeSlice(table, where(space))
