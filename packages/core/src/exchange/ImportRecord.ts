/** Hash of the titles and positions in the tree of a space's last import (see `outlineOf` of `@lectern/exchange`). */
import { Schema } from "effect"
import * as Table from "../storage/Table.ts"

const ImportRecord = Schema.Struct({ space: Schema.String, outline: Schema.String })

export const ImportTable = Table.make("import", ImportRecord, { key: ["space"] })
