/**
 * Implements `MailTransport` with the SMTP client of `nodemailer`, which is loaded for the first mail. Each mail has a
 * connection of its own, so a server that stalls delays no other mail.
 *
 * TLS 1.2 or later with a verified certificate (see `SmtpServer` for exceptions). Addresses in any script need a server
 * with SMTPUTF8; domains are sent in ASCII. Nothing that is sent or received is logged.
 *
 * Limits: 10 seconds to connect and 10 for the greeting; 30 seconds without a reply; a minute for a mail.
 */
import type { ConnectionOptions } from "node:tls"
import {
  type Mailbox,
  MailRefused,
  MailTransport,
  MailUnavailable,
  type OutgoingMail
} from "@lectern/core/mail/MailTransport"
import type { DurationLike } from "@lectern/core/time/DurationLike"
import { Duration, Effect, Layer, Redacted } from "effect"
import type SMTPConnection from "nodemailer/lib/smtp-connection"
import { parseAddress } from "./Mailboxes.ts"
import { failureOf } from "./SmtpFailure.ts"
import type { SmtpServer } from "./SmtpServer.ts"

export interface NodeMailOptions {
  readonly server: SmtpServer
  /** Sender of all mails (see `parseMailbox`). */
  readonly from: Mailbox
  /** Certificates of authorities in PEM, in place of those of Node. */
  readonly ca?: string | ReadonlyArray<string>
  /** Maximum time for a mail. Default: a minute. */
  readonly timeout?: DurationLike
  /** Maximum time without a reply. Default: 30 seconds. */
  readonly replyTimeout?: DurationLike
}

const connectTimeout = 10_000

const libraries = Effect.promise(async () => {
  const [connection, composer] = await Promise.all([
    import("nodemailer/lib/smtp-connection"),
    import("nodemailer/lib/mail-composer")
  ])
  return { SMTPConnection: connection.default, MailComposer: composer.default }
})

const layer = ({ server, from, ca, timeout = { minutes: 1 }, replyTimeout = { seconds: 30 } }: NodeMailOptions) => {
  const { host, port, tls, credentials } = server
  const tlsOptions: ConnectionOptions = { minVersion: "TLSv1.2", ...(ca !== undefined && { ca: [ca].flat() }) }

  const connectionOptions: SMTPConnection.Options = {
    host,
    port,
    secure: tls === "start",
    requireTLS: tls === "required",
    connectionTimeout: connectTimeout,
    greetingTimeout: connectTimeout,
    dnsTimeout: connectTimeout,
    socketTimeout: Duration.toMillis(replyTimeout),
    logger: false,
    tls: tlsOptions
  }

  const compose = ({ MailComposer }: Effect.Success<typeof libraries>, mail: OutgoingMail, to: Mailbox) =>
    Effect.promise(() =>
      new MailComposer({
        from: { name: from.name ?? "", address: from.address },
        to: { name: to.name ?? "", address: to.address },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.messageId}>`,
        headers: {
          "Auto-Submitted": "auto-generated",
          "Content-Language": mail.language,
          ...(mail.unsubscribeUrl !== undefined && {
            "List-Unsubscribe": `<${mail.unsubscribeUrl}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
          })
        },
        disableFileAccess: true,
        disableUrlAccess: true
      })
        .compile()
        .build()
    )

  /** Sends a message over a connection of its own, which is closed in any case. */
  const deliver = ({ SMTPConnection }: Effect.Success<typeof libraries>, to: string, message: Buffer) =>
    Effect.callback<void, MailRefused | MailUnavailable>((resume) => {
      const connection = new SMTPConnection(connectionOptions)
      // Closing emits `end`, which must not replace the first error.
      const fail = (error: unknown) => {
        resume(Effect.fail(failureOf(error)))
        connection.close()
      }
      const send = () =>
        connection.send({ from: from.address, to: [to], size: message.length }, message, (error) => {
          if (error) return fail(error)
          resume(Effect.void)
          connection.quit()
          connection.close()
        })
      connection.once("error", fail)
      // Errors of a closed connection have no effect.
      connection.on("error", () => {})
      connection.once("end", () => fail(new Error("The mail server closed the connection")))
      connection.connect((error) => {
        if (error) return fail(error)
        if (credentials === undefined) return send()
        const { user, password } = credentials
        connection.login({ user, pass: Redacted.value(password) }, (error) => (error ? fail(error) : send()))
      })
      return Effect.sync(() => connection.close())
    })

  return Layer.succeed(
    MailTransport,
    MailTransport.of({
      sender: from,
      send: Effect.fn("NodeMailTransport.send")(function* (mail) {
        const address = parseAddress(mail.to.address)
        if (address === undefined) return yield* new MailRefused({ message: "The address of the recipient is invalid" })
        const loaded = yield* libraries
        const message = yield* compose(loaded, mail, { ...mail.to, address })
        return yield* Effect.timeoutOrElse(deliver(loaded, address, message), {
          duration: timeout,
          orElse: () =>
            Effect.fail(
              new MailUnavailable({
                message: `The mail server did not accept the mail within ${Duration.format(Duration.fromInputUnsafe(timeout))}`
              })
            )
        })
      })
    })
  )
}

export const NodeMailTransport = { layer }
