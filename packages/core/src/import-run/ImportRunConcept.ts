/** Declares import runs: they are deleted with their space, and unfinished runs retain their uploaded files. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { uploadUse } from "../upload/UploadUse.ts"
import { ImportRunTable, unfinishedStatuses } from "./ImportRun.ts"

export const importRunConcept = concept({
  spaceDependents: [rowsWhere(ImportRunTable, (space) => ({ space }))],
  uploadUses: [
    uploadUse(ImportRunTable, ({ status, source }) =>
      source.type === "file" && unfinishedStatuses.some((one) => one === status) ? { uploads: source.files } : {}
    )
  ]
})
