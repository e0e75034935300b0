/**
 * Lists the services of published sites: their data, URLs, previews, share links, and sign-in settings for
 * visitors.
 */
import { offer, type Services } from "../Services.ts"
import { Explanations } from "./explanation/Explanations.ts"
import { Previews } from "./Previews.ts"
import { PublishedSites } from "./PublishedSites.ts"
import { PublishingAuths } from "./PublishingAuths.ts"
import { ShareLinks } from "./ShareLinks.ts"
import { PublishedUrls } from "./urls/PublishedUrls.ts"

export const publishingServices = {
  jobs: [],
  offered: {
    shareLinks: offer(ShareLinks, "outsideTransaction"),
    publishingAuths: offer(PublishingAuths, "outsideTransaction"),
    previews: offer(Previews, "outsideTransaction"),
    publishedSites: offer(PublishedSites, "outsideTransaction"),
    explanations: offer(Explanations, "outsideTransaction"),
    publishedUrls: offer(PublishedUrls, "outsideTransaction")
  }
} as const satisfies Services
