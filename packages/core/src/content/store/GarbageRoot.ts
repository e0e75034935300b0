/** Rows of a table that keep objects and blobs alive by referring to them. */
import type { BlobHash } from "../../storage/BlobStore.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { Table } from "../../storage/Table.ts"
import type { Content } from "../Content.ts"

/** Objects and blobs that a row refers to. */
export interface RootReferences {
  /** Contents. All objects and blobs in them are kept. */
  readonly contents?: ReadonlyArray<Content | undefined>
  /** Object with an array of conflicts. The objects and blobs that the conflicts refer to are kept. */
  readonly conflicts?: ObjectHash | undefined
  /** Objects without references to others, such as documents. */
  readonly objects?: ReadonlyArray<ObjectHash | undefined>
  readonly blobs?: ReadonlyArray<BlobHash | undefined>
}

export interface GarbageRoot {
  readonly table: Table
  readonly referencesOf: (row: object) => RootReferences
}

export const root = <T extends Table>(table: T, reached: (row: Table.Row<T>) => RootReferences): GarbageRoot => ({
  table,
  referencesOf: reached as (row: object) => RootReferences
})
