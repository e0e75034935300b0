/** Services of ids and secrets of this instance. */
import type { Services } from "../Services.ts"
import { Instance } from "./Instance.ts"
import { Secrets } from "./Secrets.ts"

export const identityServices = {
  layers: [Instance.layer, Secrets.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
