/** Lists the service that reads and changes the customization of sites (see `Customizations`). */
import { offer, type Services } from "../Services.ts"
import { Customizations } from "./Customizations.ts"

export const customizationServices = {
  jobs: [],
  offered: {
    "sites.customization": offer(Customizations, {
      get: "outsideTransaction",
      put: "outsideTransaction",
      getOfSiteSpace: "outsideTransaction",
      patchOfSiteSpace: "outsideTransaction",
      removeOfSiteSpace: "outsideTransaction",
      of: "internal"
    })
  }
} as const satisfies Services
