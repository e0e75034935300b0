/** The schema of what is said of visitors, of a site. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteBelonging.ts"
import { AdaptiveSchemaTable } from "./SiteAdaptiveSchema.ts"

export const adaptiveConcept = concept({ siteBelongings: [rowsWhere(AdaptiveSchemaTable, (site) => ({ site }))] })
