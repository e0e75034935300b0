/** Redirects of a site. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteBelonging.ts"
import { RedirectTable } from "./Redirect.ts"

export const redirectConcept = concept({ siteBelongings: [rowsWhere(RedirectTable, (site) => ({ site }))] })
