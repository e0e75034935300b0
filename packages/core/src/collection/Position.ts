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

/**
 * `parent`: unchanged if omitted, the top level if `null`. With `access: "inherit"`, the moved content gets the access
 * of its new parent.
 */
export const Move = Schema.Struct({
  parent: Schema.optionalKey(Schema.NullOr(CollectionId)),
  position: Schema.optionalKey(Position),
  ...AccessReset.fields
})
export type Move = typeof Move.Type

export const Transfer = Schema.Struct({ organization: Schema.String, ...AccessReset.fields })
