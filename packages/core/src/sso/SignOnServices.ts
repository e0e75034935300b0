/** Lists the services of sign-in by SAML: providers, requests, sign-ins, members. A job removes ended sign-ins. */
import { offer, type Services } from "../Services.ts"
import { SamlProviders } from "./SamlProviders.ts"
import { SignOn } from "./SignOn.ts"
import { removeEndedSignOns } from "./SignOnRetention.ts"

export const signOnServices = {
  jobs: [removeEndedSignOns],
  offered: {
    "organizations.samlProviders": offer(SamlProviders, "outsideTransaction"),
    signOn: offer(SignOn, "outsideTransaction")
  }
} as const satisfies Services
