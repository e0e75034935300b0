/** The row of what an instance keeps for itself (see `Instance`). */
import { Schema } from "effect"
import { sealed } from "../schema/Sealed.ts"
import * as Table from "../storage/Table.ts"

/** The secret is sealed, and so tells which key the data wants. */
const InstanceRow = Schema.Struct({
  id: Schema.Literal("instance"),
  secret: sealed<string>(),
  /** The form of the documents that were stored (see `DataFormat`). Those of the first had none. */
  format: Schema.optionalKey(Schema.Int),
  /** The key before, while there may be something left that was sealed with it (see `KeyRotation`). */
  formerKey: Schema.optionalKey(sealed<string>())
})

export const InstanceTable = Table.make("instance", InstanceRow, { key: ["id"], sealed: ["secret", "formerKey"] })
