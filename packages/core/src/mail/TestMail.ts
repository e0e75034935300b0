/** Mail by which an operator checks that mail is set up. */
import { Effect, Schema } from "effect"
import { paragraph } from "./MailContent.ts"
import { mailKind, mailRenderer } from "./MailKind.ts"
import { mailTexts } from "./MailTexts.ts"

export const TestMail = mailKind("test", Schema.Struct({}), { urgent: true })

export const testMail = Effect.succeed(
  mailRenderer(TestMail, ({ recipient }) => {
    const { subject, text, reason } = mailTexts[recipient.language].test
    return Effect.succeed({ subject, blocks: [paragraph(text)], reason })
  })
)
