/** Lists the service that manages the custom fonts of an organization (see `Fonts`). */
import { offer, type Services } from "../Services.ts"
import { Fonts } from "./Fonts.ts"

export const fontServices = {
  jobs: [],
  offered: {
    "organizations.fonts": offer(Fonts, "outsideTransaction")
  }
} as const satisfies Services
