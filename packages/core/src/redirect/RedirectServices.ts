/** Lists the service that reads and changes the redirects of a site (see `Redirects`). */
import { offer, type Services } from "../Services.ts"
import { Redirects } from "./Redirects.ts"

export const redirectServices = {
  jobs: [],
  offered: {
    "sites.redirects": offer(Redirects, "outsideTransaction")
  }
} as const satisfies Services
