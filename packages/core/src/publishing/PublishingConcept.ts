/** Sign-in settings and share links of a site, and their secrets. */
import { concept } from "../Concept.ts"
import { rowsWhere } from "../site/SiteBelonging.ts"
import { PublishingAuthTable } from "./PublishingAuth.ts"
import { ShareLinkTable } from "./ShareLink.ts"

export const publishingConcept = concept({
  siteBelongings: [
    rowsWhere(PublishingAuthTable, (site) => ({ site })),
    rowsWhere(ShareLinkTable, (site) => ({ site }))
  ],
  sealed: [PublishingAuthTable, ShareLinkTable]
})
