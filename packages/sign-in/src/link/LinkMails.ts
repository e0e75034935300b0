/**
 * Sends links by mail. The work runs after the response, so neither the response nor its time depends on the existence
 * of a user with the address. It also registers the links of invitations.
 *
 * Requests during that work wait for it, so an address without a user causes the same work, except for the message
 * itself: a mail without a recipient is queued, claimed and removed.
 *
 * Limit: 1,000 addresses wait. Further ones get no mail.
 */
import { Ids } from "@lectern/core/identity/Ids"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { button, fill, paragraph, plainText } from "@lectern/core/mail/MailContent"
import { mailKind, mailRenderer } from "@lectern/core/mail/MailKind"
import { Mails } from "@lectern/core/mail/Mails"
import { Invitations } from "@lectern/core/organization/Invitations"
import { Timestamp } from "@lectern/core/schema/Text"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { SignInLinkPurpose } from "@lectern/core/sign-in/SignInLink"
import { Storage } from "@lectern/core/storage/Storage"
import { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Context, Effect, Layer, Redacted, Schema, Semaphore } from "effect"
import { linkPath } from "../server/Paths.ts"
import { messagesIn } from "../page/PageMessages.ts"
import { SignInLinks } from "./SignInLinks.ts"

const maxWaiting = 1_000

const SignInLinkMail = mailKind(
  "sign_in_link",
  Schema.Struct({ user: UserId, purpose: SignInLinkPurpose, url: Schema.String, until: Timestamp }),
  { urgent: true }
)

const signInLinkMail = mailRenderer(SignInLinkMail, ({ payload: { purpose, url, until }, recipient }) =>
  Effect.map(Timestamps.now, (now) => {
    if (until <= now) return undefined
    const { mail } = messagesIn(recipient.language)
    const texts = purpose === "password" ? mail.password : mail.signIn
    return {
      subject: plainText(texts.subject),
      blocks: [paragraph(texts.text), button(texts.button, url), paragraph(mail.once)],
      reason: fill(mail.reason, { email: recipient.email })
    }
  })
)

export class LinkMails extends Context.Service<
  LinkMails,
  {
    /** False if this server sends no mail. */
    readonly isAvailable: boolean
    /** Sends a link to the user with an address, later. Does nothing for an address without a user. */
    readonly send: (email: string, purpose: "sign-in" | "password") => Effect.Effect<void>
  }
>()("@lectern/sign-in/link/LinkMails") {
  static readonly layer = Layer.effect(
    LinkMails,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const publicUrl = yield* PublicUrl
      const users = yield* Users
      const mails = yield* Mails
      const links = yield* SignInLinks
      const invitations = yield* Invitations
      const scope = yield* Effect.scope
      const turn = yield* Semaphore.make(1)
      let waiting = 0

      yield* mails.addRenderer(signInLinkMail)
      yield* invitations.useLinks((invitation, { isMailed }) =>
        Effect.map(links.createForInvitation(invitation.id, isMailed), ({ url }) => Redacted.value(url))
      )

      /** Queues a mail without a recipient, which is removed in place of being sent. */
      const queueWithoutRecipient = Effect.fnUntraced(function* (purpose: "sign-in" | "password") {
        const user = UserId.make(yield* ids.next)
        const url = `${publicUrl}${linkPath}?token=${yield* ids.secret}`
        yield* mails.queue(SignInLinkMail, {
          to: { user },
          key: yield* ids.next,
          payload: { user, purpose, url, until: yield* Timestamps.now }
        })
      })

      const queue = Effect.fnUntraced(function* (email: string, purpose: "sign-in" | "password") {
        const user = yield* users.byEmail(email)
        if (user === undefined) return yield* queueWithoutRecipient(purpose)
        yield* storage.transaction(
          Effect.gen(function* () {
            const { url, expiresAt } = yield* links.create(user.id, purpose)
            yield* mails.queue(SignInLinkMail, {
              to: { user: user.id },
              key: yield* ids.next,
              payload: { user: user.id, purpose, url: Redacted.value(url), until: expiresAt }
            })
          })
        )
      })

      return LinkMails.of({
        isAvailable: mails.isAvailable,
        send: Effect.fnUntraced(function* (email, purpose) {
          if (!mails.isAvailable || waiting >= maxWaiting) return
          waiting++
          yield* turn
            .withPermits(1)(queue(email, purpose))
            .pipe(
              Effect.catchCause((cause) => Effect.logWarning("A link could not be sent by mail", cause)),
              Effect.ensuring(Effect.sync(() => waiting--)),
              Effect.forkIn(scope)
            )
        })
      })
    })
  )
}
