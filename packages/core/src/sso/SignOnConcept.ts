/** Declares the events of identity providers and of sign-ins of members, and the encrypted fields. */
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { UserId } from "../user/User.ts"
import { OidcProviderTable } from "./OidcProvider.ts"
import { OidcSessionTable } from "./OidcSession.ts"
import { SignOnProviderId } from "./SignOnProvider.ts"

const provider = { provider: SignOnProviderId }

export const signOnConcept = concept({
  events: [
    event("saml_provider_created", provider),
    event("saml_provider_updated", provider),
    event("saml_provider_deleted", provider),
    event("oidc_provider_created", provider),
    event("oidc_provider_updated", provider),
    event("oidc_provider_deleted", provider),
    event("member_signed_on", { ...provider, user: UserId })
  ],
  sealed: [OidcProviderTable, OidcSessionTable]
})
