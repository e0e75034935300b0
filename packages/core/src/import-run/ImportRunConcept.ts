/** Declares import runs: they are deleted with their space, and unfinished runs retain their uploaded files. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../space/SpaceBelonging.ts"
import { uploadUse } from "../upload/UploadUse.ts"
import { ImportRunTable, unended } from "./ImportRun.ts"

export const importRunConcept = concept({
  spaceBelongings: [rowsWhere(ImportRunTable, (space) => ({ space }))],
  uploadUses: [
    uploadUse(ImportRunTable, ({ status, source }) =>
      source.type === "file" && unended.some((one) => one === status) ? { uploads: source.files } : {}
    )
  ]
})
