/**
 * Lists the service that caches data of organizations and sites by version, consistently in all processes (see
 * `Versions`).
 */
import type { Services } from "../Services.ts"
import { Versions } from "./Versions.ts"

export const versionServices = {
  layers: [Versions.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
