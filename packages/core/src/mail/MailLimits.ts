/**
 * Limits for sent mails, over all processes. Mail servers and providers delay or block senders who exceed theirs, which
 * would delay the mails that people wait for. Above a limit mails wait; they are not lost.
 *
 * Defaults: 60 attempts a minute, which is the lowest limit of common providers. 20 mails an hour for a recipient, and 20
 * urgent ones, so that other mails can't delay links for signing in.
 */
import { Context } from "effect"
import type { OptionNames } from "../schema/OptionNames.ts"

export interface MailLimitOptions {
  /** Maximum number of mails that are attempted in a minute. Default: 60. */
  readonly perMinute: number
  /** Maximum number of mails to one address in an hour, of each urgency. Default: 20. */
  readonly perRecipient: number
}

export const mailLimitNames: OptionNames<MailLimitOptions> = { perMinute: true, perRecipient: true }

export const MailLimits = Context.Reference<MailLimitOptions>("@lectern/core/mail/MailLimits", {
  defaultValue: () => ({ perMinute: 60, perRecipient: 20 })
})
