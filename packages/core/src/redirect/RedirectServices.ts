/** Services of redirects of sites. */
import { offer, type Services } from "../Services.ts"
import { Redirects } from "./Redirects.ts"

export const redirectServices = {
  layers: [Redirects.layer],
  jobs: [],
  offered: {
    redirects: offer(Redirects, "apart")
  }
} as const satisfies Services
