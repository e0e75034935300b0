/** Row that records the space into which a folder was imported, so that the next import updates that space. */
import * as Table from "@lectern/core/storage/Table"
import { Schema } from "effect"

const ImportedFolderRow = Schema.Struct({ organization: Schema.String, folder: Schema.String, space: Schema.String })

export const ImportedFolderTable = Table.make("importedFolder", ImportedFolderRow, { key: ["organization", "folder"] })
