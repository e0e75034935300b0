/** Services of cache versions. */
import type { Services } from "../Services.ts"
import { Versions } from "./Versions.ts"

export const versionServices = {
  layers: [Versions.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
