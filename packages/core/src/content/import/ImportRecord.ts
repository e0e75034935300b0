/** The outline of the last import into a space. */
import { Schema } from "effect"
import * as Table from "../../storage/Table.ts"

const ImportRecord = Schema.Struct({ space: Schema.String, outline: Schema.String })

export const ImportTable = Table.make("import", ImportRecord, { key: ["space"] })
