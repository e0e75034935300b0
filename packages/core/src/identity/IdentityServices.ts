/**
 * Lists the services of the instance: its public URL, its own data (see `Instance`), and the encryption of fields (see
 * `Secrets`).
 */
import type { Services } from "../Services.ts"
import { Instance } from "./Instance.ts"
import { Secrets } from "./Secrets.ts"
import { PublicUrl } from "./PublicUrl.ts"
import { wired } from "../wiring/Wired.ts"

/** Provides the public URL to other services, such as an HTTP application. */
const providedPublicUrl = wired(PublicUrl, PublicUrl)

export const identityServices = {
  layers: [providedPublicUrl, Instance.layer, Secrets.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
