/** Row with the instance's own data (see `Instance`). */
import { Schema } from "effect"
import { sealed } from "../schema/Sealed.ts"
import * as Table from "../storage/Table.ts"

/** The secret is encrypted, so it shows which secret key the data needs. */
const InstanceRow = Schema.Struct({
  id: Schema.Literal("instance"),
  secret: sealed<string>(),
  /** Format of the stored documents (see `DataFormat`). Absent in the first format. */
  format: Schema.optionalKey(Schema.Int),
  /** Previous secret key, while data may still be encrypted with it (see `KeyRotation`). */
  formerKey: Schema.optionalKey(sealed<string>())
})

export const InstanceTable = Table.make("instance", InstanceRow, { key: ["id"], sealed: ["secret", "formerKey"] })
