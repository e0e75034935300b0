/**
 * Converts an error of the SMTP client. A reply with 5xx about the sender, the recipient or the message is a refusal.
 * All other errors may pass: the network, TLS, the password, replies with 4xx. Messages have no addresses and no paths of
 * URLs, because a reply may quote the mail, and messages are logged.
 *
 * Limits: 300 characters of a reply.
 */
import { MailRefused, MailUnavailable } from "@lectern/core/mail/MailTransport"
import { inOneLine } from "@lectern/core/schema/Text"

const maxReply = 300

interface SmtpError {
  readonly code?: unknown
  readonly command?: unknown
  readonly message?: unknown
  readonly response?: unknown
  readonly responseCode?: unknown
}

/** Codes for missing or wrong credentials, which the operator can correct while mails wait. */
const credentialCodes = new Set([530, 534, 535, 538])

const withoutDetails = (text: string): string =>
  inOneLine(
    text
      .replace(
        /([a-z][a-z0-9+.-]*:\/\/[^\s/?#]+)[^\s]*/gi,
        (_, origin: string) => `${origin.replace(/\/\/.*@/, "//")}/…`
      )
      .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, "(address)"),
    maxReply
  )

export const failureOf = (error: unknown): MailRefused | MailUnavailable => {
  const { code, command, message, response, responseCode } = (error ?? {}) as SmtpError
  const reply = typeof response === "string" && response !== "" ? response : undefined
  const text = withoutDetails(reply ?? (typeof message === "string" ? message : "The mail server failed"))
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE"
  const status = typeof responseCode === "number" ? responseCode : undefined
  const isPermanent = status === undefined ? code === "EMESSAGE" : status >= 500 && !credentialCodes.has(status)
  const step = typeof command === "string" && command !== "" && command !== "API" ? `${command}: ` : ""
  return isAboutMail && isPermanent
    ? new MailRefused({ message: `${step}${text}` })
    : new MailUnavailable({ message: `${step}${text}` })
}
