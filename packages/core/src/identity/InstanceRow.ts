/** The row of what an instance keeps for itself (see `Instance`). */
import { Schema } from "effect"
import * as Table from "../storage/Table.ts"

/** The secret is sealed, and so tells which key the data wants. */
const InstanceRow = Schema.Struct({ id: Schema.Literal("instance"), secret: Schema.String })

export const InstanceTable = Table.make("instance", InstanceRow, { key: ["id"] })
