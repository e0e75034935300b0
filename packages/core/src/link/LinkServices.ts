/** Services of links between contents. */
import type { Services } from "../Services.ts"
import { LinkLocations } from "./LinkLocations.ts"
import { LinkedContents } from "./LinkedContents.ts"
import { Links } from "./Links.ts"
import { OwnUrls } from "./OwnUrls.ts"

export const linkServices = {
  layers: [LinkedContents.layer, LinkLocations.layer, Links.layer, OwnUrls.layer],
  jobs: [],
  offered: { links: Links }
} as const satisfies Services
