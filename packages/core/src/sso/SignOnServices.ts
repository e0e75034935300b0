/**
 * Lists the services of sign-in with identity providers: SAML and OpenID Connect, each with its providers and its
 * sign-ins. A job removes ended sign-ins.
 */
import { offer, type Services } from "../Services.ts"
import { OidcProviders } from "./OidcProviders.ts"
import { OidcSignOn } from "./OidcSignOn.ts"
import { SamlProviders } from "./SamlProviders.ts"
import { SignOn } from "./SignOn.ts"
import { removeEndedSignOns } from "./SignOnRetention.ts"

export const signOnServices = {
  jobs: [removeEndedSignOns],
  offered: {
    "organizations.oidcProviders": offer(OidcProviders, "outsideTransaction"),
    "organizations.samlProviders": offer(SamlProviders, "outsideTransaction"),
    "signOn.oidc": offer(OidcSignOn, {
      begin: "outsideTransaction",
      finish: "outsideTransaction",
      signOut: "outsideTransaction",
      backchannelLogout: "outsideTransaction",
      frontchannelLogout: "outsideTransaction",
      useFactors: "internal",
      resume: "internal",
      moveSession: "internal"
    }),
    signOn: offer(SignOn, "outsideTransaction")
  }
} as const satisfies Services
