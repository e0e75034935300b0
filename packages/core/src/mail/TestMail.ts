/** Mail by which an operator checks that mail is set up. It is sent at once, so that the operator sees the result. */
import { Effect } from "effect"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import { paragraph } from "./MailContent.ts"
import { domainOf, MailTransport, MailUnavailable } from "./MailTransport.ts"
import { mailTexts } from "./MailTexts.ts"
import { makeMailRenderer } from "./rendering/MailRendering.ts"

/** Sends the mail to an address. Fails with the reason of the mail server. */
export const sendTestMail = Effect.fnUntraced(function* (address: string, language: InterfaceLanguage = "en") {
  const { sender, send } = yield* MailTransport
  if (sender === undefined) return yield* new MailUnavailable({ message: "Mail is not set up" })
  const publicUrl = yield* PublicUrl
  const { subject, text, reason } = mailTexts[language].test
  const rendered = makeMailRenderer(publicUrl)({ subject, blocks: [paragraph(text)], reason }, language, undefined)
  const messageId = `${yield* (yield* Ids).next}@${domainOf(sender)}`
  return yield* send({ messageId, to: { address }, ...rendered })
})
