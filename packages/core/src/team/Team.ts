/** A team: members of an organization that are granted things together. */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"

export const TeamRow = Schema.Struct({
  id: Schema.String,
  organization: OrganizationId,
  title: Text.between(1, 64),
  createdAt: Timestamp
})
export type TeamRow = typeof TeamRow.Type

export const TeamTable = Table.make("team", TeamRow, { key: ["id"], indexes: [["organization", "title"]] })

/** The resource. */
export const Team = Schema.Struct({
  object: Schema.Literal("team"),
  id: Schema.String,
  title: Schema.String,
  members: Schema.Int,
  /** How many spaces something was granted on to it. */
  spaces: Schema.Int,
  createdAt: Timestamp,
  permissions: Schema.Struct({ admin: Schema.Boolean, view: Schema.Boolean })
})
export type Team = typeof Team.Type
