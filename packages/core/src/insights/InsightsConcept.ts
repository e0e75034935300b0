/** Events of visitors are removed with their site. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteBelonging.ts"
import { KeptEventTable } from "./KeptEvent.ts"

export const insightsConcept = concept({ siteBelongings: [rowsWhere(KeptEventTable, (site) => ({ site }))] })
