/** How an answer of an identity provider is refused: one sentence, which tells nothing of what it held. */
import { SignOnRefused } from "@lectern/core/sso/SignOnRecord"

export const refused = (reason: SignOnRefused["reason"], sentence: string): SignOnRefused =>
  new SignOnRefused({ reason, message: `The answer of the identity provider can't be accepted. ${sentence}` })
