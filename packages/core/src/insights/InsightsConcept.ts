/** Declares that visitor events are deleted with their site. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteDependents.ts"
import { StoredEventTable } from "./StoredEvent.ts"

export const insightsConcept = concept({ siteDependents: [rowsWhere(StoredEventTable, (site) => ({ site }))] })
