/** Services of published sites and who is let in. */
import type { Services } from "../Services.ts"
import { MentionedUsers } from "./MentionedUsers.ts"
import { PublishedSites } from "./PublishedSites.ts"
import { PublishingAuths } from "./PublishingAuths.ts"
import { ShareLinks } from "./ShareLinks.ts"
import { SiteSearches } from "./SiteSearches.ts"
import { PublishedUrls } from "./urls/PublishedUrls.ts"
import { SiteUrls } from "./urls/SiteUrls.ts"

export const publishingServices = {
  layers: [
    MentionedUsers.layer,
    PublishedSites.layer,
    PublishedUrls.layer,
    PublishingAuths.layer,
    ShareLinks.layer,
    SiteSearches.layer,
    SiteUrls.layer
  ],
  jobs: [],
  offered: {
    shareLinks: ShareLinks,
    publishingAuths: PublishingAuths,
    publishedSites: PublishedSites,
    publishedUrls: PublishedUrls,
    siteSearches: SiteSearches
  }
} as const satisfies Services
