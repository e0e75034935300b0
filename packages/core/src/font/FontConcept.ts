/** Declares that fonts retain the blobs and the uploaded files of their faces. */
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { uploadUse } from "../upload/UploadUse.ts"
import { FontTable } from "./Font.ts"

export const fontConcept = concept({
  roots: [root(FontTable, ({ faces }) => ({ blobs: faces.map(({ blob }) => blob) }))],
  uploadUses: [uploadUse(FontTable, ({ faces }) => ({ uploads: faces.map(({ upload }) => upload) }))]
})
