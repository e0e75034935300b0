/** Services of ids and secrets of this instance. */
import type { Services } from "../Services.ts"
import { Instance } from "./Instance.ts"
import { Secrets } from "./Secrets.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { wired } from "../wiring/Wired.ts"

/** The URL of this instance for whatever stands on its services, such as an HTTP application. */
const known = wired(PublicUrl, PublicUrl)

export const identityServices = {
  layers: [known, Instance.layer, Secrets.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
