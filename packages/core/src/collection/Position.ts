/**
 * Position of a collection or a space among its siblings, as clients specify it. Collections and spaces share one
 * order, so both can be named as neighbors.
 *
 * `before`: the sibling that follows. `after`: the sibling that precedes. If both are given, they must be neighbors in
 * that order. Without both, the position is the end.
 */
import { Schema } from "effect"
import { AccessReset } from "../access/AccessCeiling.ts"
import { SpaceId } from "../space/Space.ts"
import { CollectionId } from "./Collection.ts"

export const Reference = Schema.Union([
  Schema.Struct({ type: Schema.Literal("space"), space: SpaceId }),
  Schema.Struct({ type: Schema.Literal("collection"), collection: CollectionId })
])
export type Reference = typeof Reference.Type

export const Position = Schema.Struct({
  before: Schema.optionalKey(Reference),
  after: Schema.optionalKey(Reference)
})
export type Position = typeof Position.Type

/** Target of a move among spaces and collections. */
export const Move = Schema.Struct({
  /** Id of the new parent collection, or `null` for the top level. Default: unchanged. */
  parent: Schema.optionalKey(Schema.NullOr(CollectionId)),
  /**
   * Sibling that follows (`before`) or precedes (`after`). If both are given, they must be neighbors. Default: the end.
   */
  position: Schema.optionalKey(Position),
  ...AccessReset.fields
})
export type Move = typeof Move.Type

export const Transfer = Schema.Struct({ organization: Schema.String, ...AccessReset.fields })
