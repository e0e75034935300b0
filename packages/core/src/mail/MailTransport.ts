/**
 * Port that passes a mail to a mail server. The default layer has no sender, so no mail is queued. On Node, provide the
 * adapter of `@lectern/services-node`.
 */
import { Context, Effect, Layer, Schema } from "effect"

/** Address of a mailbox, and the name of its owner. Both are one line without control characters. */
export interface Mailbox {
  readonly name?: string
  readonly address: string
}

/** Returns the domain of a mailbox. */
export const domainOf = ({ address }: Mailbox): string => address.slice(address.lastIndexOf("@") + 1)

/** A rendered mail. */
export interface OutgoingMail {
  /** Value of `Message-ID` without angle brackets. Equal for all attempts. */
  readonly messageId: string
  readonly to: Mailbox
  /** One line, at most 200 characters. */
  readonly subject: string
  readonly text: string
  readonly html: string
  /** BCP 47 tag of the texts. */
  readonly language: string
  /** URL that unsubscribes the recipient with a POST (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** Raised if the mail server refuses a mail for good: the recipient, the sender or the content (a reply with 5xx). */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { message: Schema.String }) {}

/** Raised if the mail server can't be reached, can't sign in the sender, or refuses a mail for now (a reply with 4xx). */
export class MailUnavailable extends Schema.TaggedError<MailUnavailable>()("MailUnavailable", {
  message: Schema.String
}) {}

export class MailTransport extends Context.Service<
  MailTransport,
  {
    /** Sender of all mails. Undefined if mail is not set up. */
    readonly sender: Mailbox | undefined
    /** Sends a mail. Completes when the mail server has accepted it. Messages of errors contain no part of the mail. */
    readonly send: (mail: OutgoingMail) => Effect.Effect<void, MailRefused | MailUnavailable>
  }
>()("@lectern/core/mail/MailTransport") {
  static readonly layer = Layer.succeed(
    MailTransport,
    MailTransport.of({
      sender: undefined,
      send: () => Effect.fail(new MailUnavailable({ message: "Mail is not set up" }))
    })
  )
}
