/**
 * A collection groups spaces and other collections of an organization.
 *
 * Limits: title 50 characters on one line, description 100 characters, 10 levels of nesting. Default title: "Untitled".
 */
import { Schema } from "effect"
import { AccessKind, Ceiling, AccessReset } from "../access/AccessCeiling.ts"
import { DefaultLevel, Role } from "../access/Role.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"

/** Id of a collection. */
export const CollectionId = Schema.String.pipe(Schema.brand("CollectionId"))
export type CollectionId = typeof CollectionId.Type

export const maxDepth = 10

const Title = Text.line(0, 50)
const Description = Text.atMost(100)

export const CollectionRow = Schema.Struct({
  id: CollectionId,
  organization: OrganizationId,
  /** Parent collection. Absent at the top level. */
  parent: Schema.optionalKey(CollectionId),
  /** Fractional index that orders sibling collections and spaces. */
  position: Schema.String,
  title: Title,
  description: Schema.optionalKey(Description),
  defaultLevel: DefaultLevel,
  ceiling: Schema.optionalKey(Ceiling),
  createdAt: Timestamp
})
export type CollectionRow = typeof CollectionRow.Type

export const CollectionTable = Table.make("collection", CollectionRow, {
  key: ["id"],
  indexes: [
    ["organization", "parent", "position"],
    ["organization", "position"]
  ]
})

export const CollectionCreate = Schema.Struct({
  /** Title in one line. Default: `Untitled`. */
  title: Schema.optionalKey(Title),
  /** Id of the parent collection. Default: the top level of the organization. */
  parent: Schema.optionalKey(CollectionId)
})
export type CollectionCreate = typeof CollectionCreate.Type

export const CollectionPatch = Schema.Struct({
  /** Title in one line. An empty title becomes `Untitled`. */
  title: Schema.optionalKey(Title),
  /** Description. An empty one removes it. */
  description: Schema.optionalKey(Description),
  /**
   * Role of all members of the organization on the content. `inherit`: that of the parent. `null`: no access without a
   * grant.
   */
  defaultLevel: Schema.optionalKey(DefaultLevel),
  ...AccessReset.fields
})
export type CollectionPatch = typeof CollectionPatch.Type

/** A collection as an API resource. */
export const Collection = Schema.Struct({
  object: Schema.Literal("collection"),
  id: CollectionId,
  /** Title. */
  title: Schema.String,
  /** Description. */
  description: Schema.optionalKey(Schema.String),
  /** Id of the organization. */
  organization: OrganizationId,
  /** Id of the parent collection. Absent at the top level. */
  parent: Schema.optionalKey(CollectionId),
  /** Key that orders collections and spaces of one parent together, by code units. A move changes it. */
  position: Schema.String,
  /** Role of all members of the organization on the content. `null`: no access without a grant. */
  defaultLevel: Schema.NullOr(Role),
  /** `kept`: a ceiling restricts the access to less than the parent grants. */
  access: AccessKind,
  urls: Schema.Struct({ location: Schema.String, app: Schema.String }),
  permissions: Schema.Struct({
    view: Schema.Boolean,
    admin: Schema.Boolean,
    viewInviteLinks: Schema.Boolean,
    create: Schema.Boolean
  })
})
export interface Collection extends Schema.Schema.Type<typeof Collection> {}

/** Raised if the collection does not exist or the actor may not see it. */
export class CollectionNotFound extends Schema.TaggedError<CollectionNotFound>()(
  "CollectionNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if a collection would contain itself, or be nested deeper than `maxDepth`. */
export class CollectionCycle extends Schema.TaggedError<CollectionCycle>()(
  "CollectionCycle",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the parent or sibling in the input is no possible target of the move. */
export class InvalidPosition extends Schema.TaggedError<InvalidPosition>()(
  "InvalidPosition",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "The thing can't be moved there"
  }
}
