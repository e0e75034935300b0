/**
 * Finds or creates the user of a sign-in with a provider of the server, by the verified e-mail address. A new user needs
 * a pending invitation, unless the provider admits new users, and accepts all pending invitations of the address.
 * Existing users accept their invitations themselves. Limit: 100 invitations.
 */
import { Effect } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import { InvitationTable } from "../organization/Invitation.ts"
import { Invitations } from "../organization/Invitations.ts"
import { Storage } from "../storage/Storage.ts"
import { Users } from "../user/Users.ts"
import type { TrustedServerProvider } from "./ServerProvider.ts"
import { SignOnRefused } from "./SignOnRecord.ts"

const maxInvitations = 100

export const makeServerMembers = Effect.gen(function* () {
  const users = yield* Users
  const invitations = yield* Invitations
  const invited = (yield* Storage).repository(InvitationTable)

  return {
    /** Returns the id of the user. Called inside a transaction. */
    admit: Effect.fnUntraced(function* (
      { newUsers }: TrustedServerProvider,
      { email, name }: { readonly email: string; readonly name?: string }
    ) {
      const existing = yield* users.byEmail(email)
      if (existing !== undefined) return existing.id
      const pending = yield* invited.list({ where: { foldedEmail: email.toLowerCase() }, limit: maxInvitations })
      if (pending.length === 0 && newUsers !== true) {
        return yield* new SignOnRefused({
          reason: "person",
          message: `There is no account for ${email} here: ask an administrator for an invitation`
        })
      }
      const input = { email, ...(name !== undefined && { displayName: name }) }
      const { id: user } = yield* users.create(input).pipe(Effect.catchTag(["EmailInUse", "InvalidInput"], Effect.die))
      for (const { organization, id } of pending) {
        yield* invitations
          .accept(organization, id)
          .pipe(
            Effect.provideService(CurrentActor, { type: "user", user }),
            Effect.catchTag("InvitationNotFound", Effect.die)
          )
      }
      return user
    })
  }
})
