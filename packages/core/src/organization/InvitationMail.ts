/**
 * Mail of an invitation, with a link by which its recipient signs in and accepts. It is not sent if the invitation was
 * accepted, declined or withdrawn in the meantime.
 */
import { Effect, Schema } from "effect"
import { button, fill, paragraph, plainText, strong } from "../mail/MailContent.ts"
import { mailKind, mailRenderer } from "../mail/MailKind.ts"
import { mailTexts } from "../mail/MailTexts.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { UserId, UserTable } from "../user/User.ts"
import { InvitationId, type InvitationRow, InvitationTable } from "./Invitation.ts"
import { OrganizationTable } from "./Organization.ts"

/**
 * Creates the link of an invitation, in the transaction that sends the invitation. `isMailed`: true if the URL is only
 * sent to the invited address, so that its use proves the address. Otherwise the link must not sign in existing users.
 */
export type CreateInvitationLink = (
  invitation: InvitationRow,
  options: { readonly isMailed: boolean }
) => Effect.Effect<string, StorageError>

export const InvitationMail = mailKind(
  "invitation",
  Schema.Struct({ invitation: InvitationId, url: Schema.String, invitedBy: Schema.NullOr(UserId) })
)

export const invitationMail = Effect.gen(function* () {
  const storage = yield* Storage
  const invitations = storage.repository(InvitationTable)
  const organizations = storage.repository(OrganizationTable)
  const users = storage.repository(UserTable)

  return mailRenderer(
    InvitationMail,
    Effect.fnUntraced(function* ({ payload: { invitation: id, url, invitedBy }, recipient }) {
      const invitation = yield* invitations.get({ id })
      const row = invitation && (yield* organizations.get({ id: invitation.organization }))
      if (row === undefined) return undefined
      const inviter = invitedBy === null ? undefined : yield* users.get({ id: invitedBy })
      const texts = mailTexts[recipient.language].invitation
      const organization = strong(row.title)
      return {
        subject: plainText(fill(texts.subject, { organization })),
        blocks: [
          paragraph(
            inviter === undefined
              ? fill(texts.invitedByNobody, { organization })
              : fill(texts.invited, { name: strong(inviter.displayName), organization })
          ),
          paragraph(texts.explanation),
          button(texts.button, url)
        ],
        reason: fill(texts.reason, { email: recipient.email })
      }
    })
  )
})
