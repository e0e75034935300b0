/** Services of redirects of sites. */
import type { Services } from "../Services.ts"
import { Redirects } from "./Redirects.ts"

export const redirectServices = {
  layers: [Redirects.layer],
  jobs: [],
  offered: { redirects: Redirects }
} as const satisfies Services
