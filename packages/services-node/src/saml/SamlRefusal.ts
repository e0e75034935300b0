/**
 * Creates the error for a SAML response that is rejected. `message` is shown to the user and must not contain data of
 * the response.
 */
import { SignOnRefused } from "@lectern/core/sso/SignOnRecord"

export const samlRefusal = (reason: SignOnRefused["reason"], message: string): SignOnRefused =>
  new SignOnRefused({ reason, message: `The response of the identity provider was rejected. ${message}` })
