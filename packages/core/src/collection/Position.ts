/**
 * Wanted position of a collection or a space among its siblings. The two share one order, so either may be
 * named as a neighbour.
 *
 * `before` and `after` name the sibling that follows and the one that goes before; both only if
 * they are neighbours in that order; neither: the end.
 */
import { Schema } from "effect"
import { Opening } from "../access/Ceiling.ts"
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

/** An omitted `parent` stays, `null` is the top. `access` opens the thing to those who see its new place. */
export const Move = Schema.Struct({
  parent: Schema.optionalKey(Schema.NullOr(CollectionId)),
  position: Schema.optionalKey(Position),
  ...Opening.fields
})
export type Move = typeof Move.Type

export const Transfer = Schema.Struct({ organization: Schema.String, ...Opening.fields })
