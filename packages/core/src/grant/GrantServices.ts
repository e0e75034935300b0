/** Services of roles on content. */
import type { Services } from "../Services.ts"
import { Grants } from "./Grants.ts"

export const grantServices = {
  layers: [Grants.layer],
  jobs: [],
  offered: { grants: Grants }
} as const satisfies Services
