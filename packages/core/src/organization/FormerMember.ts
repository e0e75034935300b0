/**
 * Former member that another member removed from the organization. A matching email domain does not admit the user
 * again.
 */
import { Schema } from "effect"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const FormerMemberTable = Table.make(
  "formerMember",
  Schema.Struct({ organization: Schema.String, user: UserId }),
  { key: ["organization", "user"] }
)
