/** Lists the services of links: links and backlinks with their status, URLs of this instance, and embeds. */
import { offer, type Services } from "../Services.ts"
import { ContentUrls } from "./ContentUrls.ts"
import { Embeds } from "./Embeds.ts"
import { LinkLocations } from "./LinkLocations.ts"
import { LinkedContents } from "./LinkedContents.ts"
import { Links } from "./Links.ts"
import { InstanceUrls } from "./InstanceUrls.ts"

export const linkServices = {
  layers: [ContentUrls.layer, Embeds.layer, LinkedContents.layer, LinkLocations.layer, Links.layer, InstanceUrls.layer],
  jobs: [],
  offered: {
    contentUrls: offer(ContentUrls, "outsideTransaction"),
    embeds: offer(Embeds, "outsideTransaction"),
    links: offer(Links, "outsideTransaction")
  }
} as const satisfies Services
