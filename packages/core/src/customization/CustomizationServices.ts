/** Services of how sites look. */
import type { Services } from "../Services.ts"
import { Customizations } from "./Customizations.ts"

export const customizationServices = {
  layers: [Customizations.layer],
  jobs: [],
  offered: { customizations: Customizations }
} as const satisfies Services
