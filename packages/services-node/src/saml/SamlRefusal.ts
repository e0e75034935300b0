/** Returns the rejection of an identity provider's response. The sentence must not contain data of the response. */
import { SignOnRefused } from "@lectern/core/sso/SignOnRecord"

export const refused = (reason: SignOnRefused["reason"], sentence: string): SignOnRefused =>
  new SignOnRefused({ reason, message: `The answer of the identity provider can't be accepted. ${sentence}` })
