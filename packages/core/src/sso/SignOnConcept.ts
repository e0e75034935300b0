/** Declares the events of SAML providers and of sign-ins of members. */
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { UserId } from "../user/User.ts"
import { SamlProviderId } from "./SamlProvider.ts"

const provider = { provider: SamlProviderId }

export const signOnConcept = concept({
  events: [
    event("saml_provider_created", provider),
    event("saml_provider_updated", provider),
    event("saml_provider_deleted", provider),
    event("member_signed_on", { ...provider, user: UserId })
  ]
})
