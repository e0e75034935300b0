/** A former member of an organization, who was removed by another: its address alone does not take it in again. */
import { Schema } from "effect"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const FormerMemberTable = Table.make(
  "formerMember",
  Schema.Struct({ organization: Schema.String, user: UserId }),
  { key: ["organization", "user"] }
)
