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
    "sites.shareLinks": offer(ShareLinks, "outsideTransaction"),
    "sites.visitorAuth": offer(PublishingAuths, "outsideTransaction"),
    "sites.previews": offer(Previews, "outsideTransaction"),
    "sites.published": offer(PublishedSites, "outsideTransaction"),
    "sites.explanations": offer(Explanations, "outsideTransaction"),
    "sites.urls": offer(PublishedUrls, {
      resolve: "outsideTransaction",
      destinationUrl: "internal",
      findFormerPath: "internal"
    })
  }
} as const satisfies Services
