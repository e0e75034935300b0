/** What a space remembers of the import it had last: the outline that its pages were put in by. */
import { Schema } from "effect"
import * as Table from "../../storage/Table.ts"

const ImportRecord = Schema.Struct({ space: Schema.String, outline: Schema.String })

export const ImportTable = Table.make("import", ImportRecord, { key: ["space"] })
