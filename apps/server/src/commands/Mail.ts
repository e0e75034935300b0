/** `lectern mail test`: sends a mail at once, and prints the reply of the mail server if it refuses the mail. */
import { Ids } from "@lectern/core/identity/Ids"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { sendTestMail } from "@lectern/core/mail/TestMail"
import { Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { print } from "@lectern/cli/Output"
import { layerOf } from "../settings/MailSettings.ts"
import { dataFlags, dataSettings } from "../settings/Settings.ts"

const test = Command.make(
  "test",
  { ...dataFlags, address: Argument.String("address").pipe(Argument.withDescription("E-mail address to write to")) },
  Effect.fnUntraced(function* (flags) {
    const { mail, publicUrl, json } = yield* dataSettings(flags)
    const { address } = flags
    if (mail === undefined) {
      return yield* new CommandFailed({ message: "Mail is not set up: set LECTERN_SMTP_URL and LECTERN_MAIL_FROM" })
    }
    yield* sendTestMail(address).pipe(
      Effect.provide(
        Layer.mergeAll(
          layerOf(mail),
          Ids.layer,
          publicUrl === undefined ? Layer.empty : Layer.succeed(PublicUrl, publicUrl)
        )
      ),
      Effect.mapError(({ message }) => new CommandFailed({ message: `The mail was not sent. ${message}` }))
    )
    const server = `${mail.server.host}:${mail.server.port}`
    return yield* print(json, {
      json: { sent: true, to: address, server },
      text: `The mail server ${server} accepted a mail for ${address}. Check that it arrives, and not as spam.`
    })
  })
).pipe(Command.withDescription("Send a test mail"))

export const Mail = Command.make("mail").pipe(Command.withDescription("Mail"), Command.withSubcommands([test]))
