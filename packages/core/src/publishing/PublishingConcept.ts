/**
 * Declares that the sign-in settings and share links of a site are deleted with the site, and have encrypted fields.
 */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteDependents.ts"
import { PublishingAuthTable } from "./PublishingAuth.ts"
import { ShareLinkTable } from "./ShareLink.ts"

export const publishingConcept = concept({
  siteDependents: [
    rowsWhere(PublishingAuthTable, (site) => ({ site })),
    rowsWhere(ShareLinkTable, (site) => ({ site }))
  ],
  sealed: [PublishingAuthTable, ShareLinkTable]
})
