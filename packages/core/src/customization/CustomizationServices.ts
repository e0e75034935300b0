/** Lists the service that reads and changes the customization of sites (see `Customizations`). */
import { offer, type Services } from "../Services.ts"
import { Customizations } from "./Customizations.ts"

export const customizationServices = {
  jobs: [],
  offered: {
    customizations: offer(Customizations, "outsideTransaction")
  }
} as const satisfies Services
