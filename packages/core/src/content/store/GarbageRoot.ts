/** Rows of a table that keep objects and blobs alive by referring to them. */
import type { BlobHash } from "../../storage/BlobStore.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { Table } from "../../storage/Table.ts"
import type { Content } from "../Content.ts"

/** Objects and blobs that a row refers to. */
export interface Reached {
  /** Contents with all that is in them. */
  readonly contents?: ReadonlyArray<Content | undefined>
  /** An object that is an array of conflicts, with what they refer to. */
  readonly conflicts?: ObjectHash | undefined
  /** Objects that refer to nothing, documents for instance. */
  readonly objects?: ReadonlyArray<ObjectHash | undefined>
  readonly blobs?: ReadonlyArray<BlobHash | undefined>
}

export interface GarbageRoot {
  readonly table: Table
  readonly reached: (row: object) => Reached
}

export const root = <T extends Table>(table: T, reached: (row: Table.Row<T>) => Reached): GarbageRoot => ({
  table,
  reached: reached as (row: object) => Reached
})
