/** Writes messages to an identity provider, and verifies its responses. `NodeSaml` loads this module on first use. */
import type { Assertion } from "@lectern/core/sso/Assertion"
import type { ServiceProvider } from "@lectern/core/sso/SamlProtocol"
import { generateServiceProviderMetadata, SAML, type SamlConfig, ValidateInResponseTo } from "@node-saml/node-saml"
import { readAssertion } from "./SamlAssertion.ts"
import { certificatesIn } from "./SamlCertificates.ts"
import { samlRefusal } from "./SamlRefusal.ts"
import { checkResponse, decodeResponse } from "./SamlResponse.ts"

/** The library requires a certificate even if it does not use one. */
const notSigned = "none"

const settings = ({ entityID, acsURL }: ServiceProvider): SamlConfig => ({
  issuer: entityID,
  callbackUrl: acsURL,
  idpCert: notSigned,
  // The identity provider chooses the authentication method and the format of the name.
  disableRequestedAuthnContext: true,
  identifierFormat: null,
  // Disabled, since the core checks times, audience and request ids with its own clock (see `AssertionRules`).
  audience: false,
  acceptedClockSkewMs: -1,
  validateInResponseTo: ValidateInResponseTo.never
})

export const metadata = ({ entityID, acsURL }: ServiceProvider): string =>
  generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    identifierFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
    wantAssertionsSigned: true,
    // The id is fixed, so that the metadata are equal on each call.
    generateUniqueId: () => "_lectern"
  })

export const requestUrl = (options: {
  readonly service: ServiceProvider
  readonly ssoURL: string
  readonly requestId: string
}): Promise<string> =>
  new SAML({
    ...settings(options.service),
    entryPoint: options.ssoURL,
    generateUniqueId: () => options.requestId
  }).getAuthorizeUrlAsync("", undefined, {})

export const verify = async (options: {
  readonly response: string
  readonly service: ServiceProvider
  readonly certificate: string
}): Promise<Assertion> => {
  const { text, base64 } = decodeResponse(options.response)
  const { isResponseSigned } = checkResponse(text, options.service)
  const saml = new SAML({
    ...settings(options.service),
    idpCert: certificatesIn(options.certificate),
    wantAssertionsSigned: true,
    // If the response is signed too, its signature must be valid.
    wantAuthnResponseSigned: isResponseSigned
  })
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: base64 }).catch((error: unknown) => {
    throw error instanceof Error && error.message.startsWith("Error parsing")
      ? samlRefusal("time", "It has a time that is none")
      : samlRefusal("signature", "It is not signed with the certificate of this provider, or was changed since")
  })
  const signed = profile?.getAssertionXml?.()
  if (signed === undefined) throw samlRefusal("assertion", "It holds no assertion")
  return readAssertion(signed)
}
