/** Settings of mail. Without a mail server no mail is sent. */
import type { Mailbox } from "@lectern/core/mail/MailTransport"
import { NodeMailTransport } from "@lectern/services-node/mail/NodeMailTransport"
import type { SmtpServer } from "@lectern/services-node/mail/SmtpServer"
import { Effect } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import type { SettingValues } from "./Setting.ts"
import type { dataTable } from "./SettingTable.ts"

export interface MailSettings {
  readonly server: SmtpServer
  readonly from: Mailbox
}

/** Returns the settings of mail. Undefined if mail is not set up. */
export const mailSettings = ({
  smtpUrl,
  mailFrom
}: SettingValues<typeof dataTable>): Effect.Effect<MailSettings | undefined, CommandFailed> => {
  if (smtpUrl === undefined) return Effect.undefined
  return mailFrom === undefined
    ? Effect.fail(new CommandFailed({ message: "LECTERN_SMTP_URL needs LECTERN_MAIL_FROM, the sender of all mails" }))
    : Effect.succeed({ server: smtpUrl, from: mailFrom })
}

export const layerOf = (settings: MailSettings) => NodeMailTransport.layer(settings)
