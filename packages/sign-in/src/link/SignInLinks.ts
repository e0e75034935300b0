/**
 * Creates and uses links that sign in once. A link is used by a button of its page, and not by opening it, since
 * programs that check mails open links, too.
 *
 * Limits: a link is valid for 30 minutes, that of an invitation for 14 days. The five newest links of a user are valid,
 * so that a stranger who requests another link does not end that of the user. All of them end when the user's password
 * changes.
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import { Ids } from "@lectern/core/identity/Ids"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { type InvitationId, type InvitationRow, InvitationTable } from "@lectern/core/organization/Invitation"
import { Invitations } from "@lectern/core/organization/Invitations"
import type { Timestamp } from "@lectern/core/schema/Text"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { type SignInLinkPurpose, type SignInLinkRow, SignInLinkTable } from "@lectern/core/sign-in/SignInLink"
import { Hasher } from "@lectern/core/storage/Hasher"
import { cannotConflict, Storage, type StorageError } from "@lectern/core/storage/Storage"
import { type UserId, UserNotFound, UserTable } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Clock, Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { linkPath } from "../server/Paths.ts"

export const linkLifetime = Duration.minutes(30)

const invitationLifetime = Duration.days(14)

const maxLinks = 5

const secretLength = 43

/** Link for a person. Its URL is not stored and cannot be read again. */
export interface SignInLink {
  /** URL of the page that signs in. */
  readonly url: Redacted.Redacted
  /** Time at which the link ends. */
  readonly expiresAt: Timestamp
}

/** Person and purpose of a valid link. */
export interface LinkTarget {
  readonly purpose: SignInLinkPurpose
  readonly email: string
}

/** Raised if the link is unknown, expired or used. The response does not distinguish these cases. */
export class LinkEnded extends Schema.TaggedError<LinkEnded>()(
  "LinkEnded",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /**
     * Creates a link for a user. Has no actor: the caller sends it to the user, or is the operator.
     *
     * @param user Id of the user.
     * @param purpose Purpose of the link.
     * @throws {UserNotFound}
     * @example
     * ```ts
     * const { url } = await lectern.signIn.links.create(ada.id, "sign-in")
     * console.log(url)
     * ```
     */
    readonly create: (
      user: UserId,
      purpose: Exclude<SignInLinkPurpose, "invitation">
    ) => Effect.Effect<SignInLink, UserNotFound | StorageError>
    /**
     * Creates a link for the recipient of an invitation. Has no actor: the caller sends it to the recipient.
     *
     * @param invitation Id of the pending invitation.
     * @param isMailed True if the link is only sent to the invited address. Otherwise it never signs in an existing user.
     */
    readonly createForInvitation: (
      invitation: InvitationId,
      isMailed: boolean
    ) => Effect.Effect<SignInLink, StorageError>
    /**
     * Returns the person and the purpose of a link, without using it.
     *
     * @param secret Secret of the link.
     * @throws {LinkEnded}
     */
    readonly find: (secret: string) => Effect.Effect<LinkTarget, LinkEnded | StorageError>
    /**
     * Uses a link. The recipient of an invitation becomes a member, with a new user if the address has none.
     *
     * @param secret Secret of the link.
     * @returns The user, whose first factor is verified.
     * @throws {LinkEnded}
     */
    readonly use: (
      secret: string
    ) => Effect.Effect<{ readonly purpose: SignInLinkPurpose; readonly user: UserId }, LinkEnded | StorageError>
  }
>()("@lectern/sign-in/link/SignInLinks") {
  static readonly layer = Layer.effect(
    SignInLinks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const hasher = yield* Hasher
      const users = yield* Users
      const invitations = yield* Invitations
      const publicUrl = yield* PublicUrl
      const links = storage.repository(SignInLinkTable)
      const people = storage.repository(UserTable)
      const invited = storage.repository(InvitationTable)

      const insert = Effect.fnUntraced(function* (
        target: Pick<SignInLinkRow, "purpose" | "user" | "invitation" | "isMailed">,
        lifetime: Duration.Duration
      ) {
        const secret = yield* ids.secret
        const now = yield* Clock.currentTimeMillis
        const until = Timestamps.at(now + Duration.toMillis(lifetime))
        yield* links
          .insert({ hash: hasher.sha256(secret), ...target, createdAt: Timestamps.at(now), until })
          .pipe(cannotConflict)
        return { url: Redacted.make(`${publicUrl}${linkPath}?token=${secret}`), expiresAt: until }
      })

      /** Returns a valid link with the row of its user or invitation. */
      const find = Effect.fnUntraced(function* (secret: string) {
        const row = secret.length === secretLength ? yield* links.get({ hash: hasher.sha256(secret) }) : undefined
        if (row === undefined || row.until <= (yield* Timestamps.now)) return yield* ended
        const invitation = row.invitation === undefined ? undefined : yield* invited.get({ id: row.invitation })
        const user = row.user === undefined ? undefined : yield* people.get({ id: row.user })
        const email = invitation?.email ?? user?.email
        if (email === undefined) return yield* ended
        return { row, email, invitation }
      })

      /** Accepts an invitation as the user with its address. Called inside a transaction. */
      const accept = Effect.fnUntraced(function* ({ id, organization, email }: InvitationRow, isMailed: boolean) {
        const existing = yield* users.byEmail(email)
        if (existing !== undefined && !isMailed) return yield* ended
        const { id: user } =
          existing ?? (yield* users.create({ email }).pipe(Effect.catchTag(["EmailInUse", "InvalidInput"], Effect.die)))
        yield* invitations.accept(organization, id).pipe(
          Effect.provideService(CurrentActor, { type: "user", user }),
          Effect.catchTag("InvitationNotFound", () => ended)
        )
        return user
      })

      return SignInLinks.of({
        create: Effect.fn("SignInLinks.create")(function* (user, purpose) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              if ((yield* people.get({ id: user })) === undefined) {
                return yield* new UserNotFound({ message: `There is no user ${user.slice(0, 50)}` })
              }
              const earlier = yield* links.list({ where: { user }, order: ["createdAt"], descending: true })
              const excess = earlier.slice(maxLinks - 1)
              if (excess.length > 0) yield* links.remove({ hash: { in: excess.map(({ hash }) => hash) } })
              return yield* insert({ purpose, user }, linkLifetime)
            })
          )
        }),

        createForInvitation: Effect.fn("SignInLinks.createForInvitation")(function* (id, isMailed) {
          return yield* storage.transaction(
            Effect.andThen(
              links.remove({ invitation: id }),
              insert({ purpose: "invitation", invitation: id, isMailed }, invitationLifetime)
            )
          )
        }),

        find: Effect.fn("SignInLinks.find")(function* (secret) {
          const { row, email } = yield* find(secret)
          return { purpose: row.purpose, email }
        }),

        use: Effect.fn("SignInLinks.use")(function* (secret) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { row, invitation } = yield* find(secret)
              yield* links.remove({ hash: row.hash })
              const user = invitation === undefined ? row.user! : yield* accept(invitation, row.isMailed === true)
              return { purpose: row.purpose, user }
            })
          )
        })
      })
    })
  )
}

const ended = Effect.suspend(() =>
  Effect.fail(new LinkEnded({ message: "This link has expired, or was already used" }))
)
