/** Which space a folder of this machine was imported into, so that importing it again updates that one. */
import * as Table from "@lectern/core/storage/Table"
import { Schema } from "effect"

const ImportedFolderRow = Schema.Struct({ organization: Schema.String, folder: Schema.String, space: Schema.String })

export const ImportedFolderTable = Table.make("importedFolder", ImportedFolderRow, { key: ["organization", "folder"] })
