/** Declares that the schema of a site's visitor claims is deleted with the site. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteDependents.ts"
import { AdaptiveSchemaTable } from "./SiteAdaptiveSchema.ts"

export const adaptiveConcept = concept({ siteDependents: [rowsWhere(AdaptiveSchemaTable, (site) => ({ site }))] })
