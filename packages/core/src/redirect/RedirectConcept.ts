/** Declares that the redirects of a site are deleted with the site. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteDependents.ts"
import { RedirectTable } from "./Redirect.ts"

export const redirectConcept = concept({ siteDependents: [rowsWhere(RedirectTable, (site) => ({ site }))] })
