/** Declares that the customization of a site is deleted with the site, and retains the uploaded files that it names. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteDependents.ts"
import { namedIn } from "../upload/UploadUrl.ts"
import { uploadUse } from "../upload/UploadUse.ts"
import { CustomizationTable } from "./Customization.ts"

export const customizationConcept = concept({
  siteDependents: [rowsWhere(CustomizationTable, (site) => ({ site }))],
  uploadUses: [
    uploadUse(CustomizationTable, ({ settings }) => ({
      blobs: namedIn(JSON.stringify(settings)).map(({ blob }) => blob)
    }))
  ]
})
