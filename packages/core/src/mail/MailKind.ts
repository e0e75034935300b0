/**
 * Kind of mail. A concept declares its kinds next to its rules, and lists their renderers in `<Concept>Services.ts`:
 *
 * ```ts
 * export const InvitationMail = mailKind("invitation", Schema.Struct({ invitation: InvitationId }))
 *
 * yield* mails.queue(InvitationMail, { to: { email }, key: row.id, payload: { invitation: row.id } })
 *
 * export const invitationMail = Effect.gen(function* () {        // one of its `mails`
 *   const invitations = (yield* Storage).repository(InvitationTable)
 *   return mailRenderer(InvitationMail, ({ payload, recipient }) => …)
 * })
 * ```
 *
 * A renderer runs when the mail is sent. It reads the current names and texts, with the permissions of the
 * recipient, and returns undefined for a mail that is no longer wanted: the recipient may no longer see the subject, or
 * the subject was deleted. An extension registers its renderers with `Mails.addRenderer`.
 */
import { Effect, Schema } from "effect"
import type { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import type { UserId } from "../user/User.ts"
import type { MailContent } from "./MailContent.ts"

interface MailTraits {
  /**
   * True for mails that a person waits for, such as links for signing in. They are sent before all others, and have a
   * limit of their own for each recipient.
   */
  readonly urgent?: boolean
}

export interface MailKind<P> extends Required<MailTraits> {
  readonly name: string
  readonly payload: Schema.Schema<P>
}

export const mailKind = <P extends Schema.Json>(
  name: string,
  payload: Schema.Schema<P>,
  { urgent = false }: MailTraits = {}
): MailKind<P> => ({ name, payload, urgent })

export interface MailRecipient {
  readonly email: string
  readonly language: InterfaceLanguage
  /** User with this address, if the mail is for a user. */
  readonly user?: UserId
  /** Name of the user. */
  readonly displayName?: string
}

/** Mail as passed to its renderer. */
export interface RenderedMail<P> {
  readonly payload: P
  readonly recipient: MailRecipient
}

/** Renderer of a kind, as registered. */
export interface MailRenderer {
  readonly kind: string
  readonly render: (mail: RenderedMail<Schema.Json>) => Effect.Effect<MailContent | undefined, unknown>
}

/** Creates the renderer of a kind. A failure is a failed attempt to send the mail. */
export const mailRenderer = <P extends Schema.Json>(
  kind: MailKind<P>,
  render: (mail: RenderedMail<P>) => Effect.Effect<MailContent | undefined, unknown>
): MailRenderer => {
  const fits = Schema.is(kind.payload)
  return {
    kind: kind.name,
    render: ({ payload, recipient }) =>
      fits(payload)
        ? render({ payload, recipient })
        : Effect.fail(new Error(`The payload does not match the schema of the kind "${kind.name}"`))
  }
}
