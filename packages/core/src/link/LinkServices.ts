/** Lists the services of links: links and backlinks with their status, URLs of this instance, and embeds. */
import { offer, type Services } from "../Services.ts"
import { ContentUrls } from "./ContentUrls.ts"
import { Links } from "./Links.ts"

export const linkServices = {
  jobs: [],
  offered: {
    "content.urls": offer(ContentUrls, "outsideTransaction"),
    "content.links": offer(Links, "outsideTransaction")
  }
} as const satisfies Services
