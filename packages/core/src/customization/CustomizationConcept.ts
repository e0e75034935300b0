/** Looks of a site. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteBelonging.ts"
import { CustomizationTable } from "./Customization.ts"

export const customizationConcept = concept({ siteBelongings: [rowsWhere(CustomizationTable, (site) => ({ site }))] })
