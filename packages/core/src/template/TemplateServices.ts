/** Lists the services that list templates and apply a template to a space. */
import { offer, type Services } from "../Services.ts"
import { Templates } from "./Templates.ts"

export const templateServices = {
  jobs: [],
  offered: {
    "content.templates": offer(Templates, "outsideTransaction")
  }
} as const satisfies Services
