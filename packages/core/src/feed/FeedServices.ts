/** Lists the service that returns the events of an organization. */
import { offer, type Services } from "../Services.ts"
import { EventFeed } from "./EventFeed.ts"

export const feedServices = {
  jobs: [],
  offered: {
    "organizations.events": offer(EventFeed, { list: "outsideTransaction", follow: "internal" })
  }
} as const satisfies Services
