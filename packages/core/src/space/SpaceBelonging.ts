/**
 * A belonging of a space, which goes with it: what a concept keeps of a space declares how it is removed, one
 * short transaction after another (see `SpaceRemoval`).
 */
import type { Effect } from "effect"
import type { Condition } from "../storage/Condition.ts"
import { removeSlice } from "../storage/RemoveInSlices.ts"
import type { SearchIndex } from "../storage/SearchIndex.ts"
import type { Storage, StorageError } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import type { SpaceId } from "./Space.ts"

/** Removes as much as one short transaction does, and tells how much that was: 0 when nothing is left. */
export type SpaceBelonging = (space: SpaceId) => Effect.Effect<number, StorageError, Storage | SearchIndex>

/** The rows of a table that a condition finds for a space. */
export const rowsWhere =
  <T extends Table>(table: T, where: (space: SpaceId) => Condition<T>): SpaceBelonging =>
  (space) =>
    removeSlice(table, where(space))
