/**
 * Sends queued mails: urgent ones first, then those that have been due longest. A mail is leased work (see `WorkLoop`),
 * so several processes can send. A process that is killed after the mail server accepted a mail, but before that was
 * stored, sends it again with an equal `Message-ID`, by which mail programs recognize the copy.
 *
 * Failed attempts are repeated with growing pauses for a day (see `LeasedWork`). A refusal of the mail server ends the
 * mail.
 *
 * Limits: 2 mails at a time in a process; those of `MailLimits`.
 */
import { Clock, Duration, Effect, Predicate, Result } from "effect"
import { Instance } from "../identity/Instance.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as Lease from "../job/Lease.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import type { Claimant, WorkSource } from "../job/WorkLoop.ts"
import { inOneLine } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, StorageError } from "../storage/Storage.ts"
import { UserTable } from "../user/User.ts"
import { type MailRow, MailTable } from "./Mail.ts"
import type { MailRecipient } from "./MailKind.ts"
import { MailLimits } from "./MailLimits.ts"
import { type MailEvent, next } from "./MailState.ts"
import { domainOf, MailRefused, MailTransport, type OutgoingMail } from "./MailTransport.ts"
import { Mails } from "./Mails.ts"
import { makeMailRenderer } from "./rendering/MailRendering.ts"
import { makeUnsubscribeUrls } from "./UnsubscribeUrls.ts"

const concurrency = 2
const [minute, hour] = [Duration.toMillis("1 minute"), Duration.toMillis("1 hour")]

/** Longest name of a recipient in the field `To`, in characters. */
const maxName = 100

/** Replaces an error whose message may quote texts of the mail, because failures are logged. */
const withoutTexts = (error: unknown): Error => {
  if (error instanceof StorageError) return error
  const name = Predicate.hasProperty(error, "_tag") ? String(error._tag) : error instanceof Error ? error.name : "Error"
  return new Error(`The mail could not be rendered (${name})`)
}

/** Undefined if this process has no mail server: other processes send the mails. */
export const sendMails = Effect.gen(function* () {
  const transport = yield* MailTransport
  const { sender } = transport
  if (sender === undefined) return undefined
  const storage = yield* Storage
  const secrets = yield* Secrets
  const instance = yield* Instance
  const publicUrl = yield* PublicUrl
  const { perMinute, perRecipient } = yield* MailLimits
  const { renderers, signal } = yield* Mails
  const unsubscribeUrls = yield* makeUnsubscribeUrls
  const renderMail = makeMailRenderer(publicUrl)
  const mails = storage.repository(MailTable)
  const users = storage.repository(UserTable)

  const domain = domainOf(sender)

  /** Returns the recipient of a mail. Undefined for a user who no longer exists. */
  const recipientOf = Effect.fnUntraced(function* ({ user, email, language }: MailRow) {
    const row =
      user === undefined
        ? (yield* users.list({ where: { foldedEmail: email!.toLowerCase() } }))[0]
        : yield* users.get({ id: user })
    if (user !== undefined && row === undefined) return undefined
    const recipient: MailRecipient = {
      email: row?.email ?? email!,
      language: row?.language ?? language ?? "en",
      ...(user !== undefined && { user }),
      ...(user !== undefined && row !== undefined && { displayName: row.displayName })
    }
    return recipient
  })

  /** Applies an event to a mail. Returns the changed mail, or undefined if the event is not allowed. */
  const step = (id: MailRow["id"], event: MailEvent) =>
    Effect.gen(function* () {
      const mail = yield* mails.get({ id })
      const transition = mail && next(mail, event)
      if (transition === undefined || Result.isFailure(transition)) return undefined
      yield* mails.update({ id }, transition.success).pipe(cannotConflict)
      if (transition.success.status !== "sent") yield* signal.announce(storage)
      return applyPatch(MailTable, mail!, transition.success)
    })

  /** Returns the time (ms) from which another mail may be attempted under a limit. Undefined if one may be now. */
  const limitedUntil = Effect.fnUntraced(function* (
    where: { readonly recipient?: string; readonly urgent?: boolean },
    limit: number,
    window: number,
    now: number
  ) {
    const recent = { ...where, attemptedAt: { gt: Timestamps.at(now - window) } }
    const attempts = yield* mails.list({ where: recent, order: ["attemptedAt"], descending: true, limit })
    return attempts.length < limit ? undefined : Date.parse(attempts.at(-1)!.attemptedAt!) + window
  })

  /** Returns the mail to attempt next: the urgent one that has been due longest, otherwise any. */
  const nextMail = Effect.fnUntraced(function* (due: { readonly lte?: string; readonly gte?: string }) {
    const kind = { in: [...renderers.keys()] }
    const [urgent] = yield* mails.list({ where: { urgent: true, due, kind }, order: ["due"], limit: 1 })
    const [other] = yield* mails.list({ where: { urgent: false, due, kind }, order: ["due"], limit: 1 })
    return { urgent, other }
  })

  /** Claims a mail, or postpones it if its recipient has got enough mails. Undefined if it is not claimed. */
  const claimMail = (id: MailRow["id"], millis: number, { holder, duration }: Claimant) =>
    storage.transaction(
      Effect.gen(function* () {
        const mail = yield* mails.get({ id })
        if (mail === undefined) return undefined
        const now = Timestamps.at(millis)
        const recipient = (yield* recipientOf(mail))?.email.toLowerCase()
        const until =
          recipient === undefined
            ? undefined
            : yield* limitedUntil({ recipient, urgent: mail.urgent }, perRecipient, hour, millis)
        if (until === undefined) return yield* step(id, { type: "claim", now, holder, duration, recipient })
        const reason = `The recipient got ${perRecipient} mails in an hour, which is the limit`
        yield* step(id, { type: "postpone", now, until: Timestamps.at(until), reason })
        return undefined
      })
    )

  const claimOf = ({ lease: { holder = "", number } }: MailRow): Lease.Claim => ({ holder, number })

  /** Renders a mail. Undefined if the mail is not sent. */
  const render = Effect.fnUntraced(function* (mail: MailRow, recipient: MailRecipient) {
    const payload = yield* secrets.open(MailTable, mail, "payload")
    const content = yield* Effect.mapError(
      renderers.get(mail.kind)!.render({ payload: payload ?? null, recipient }),
      withoutTexts
    )
    if (content === undefined) return undefined
    const { email, displayName, language, user } = recipient
    const unsubscribe =
      content.list === undefined || user === undefined ? undefined : unsubscribeUrls.url(user, content.list)
    const name = displayName === undefined ? "" : inOneLine(displayName, maxName)
    const outgoing: OutgoingMail = {
      messageId: `${instance.sign("mail", `${mail.kind} ${mail.key}`)}@${domain}`,
      to: { address: email, ...(name !== "" && { name }) },
      ...renderMail(content, language, unsubscribe),
      ...(unsubscribe !== undefined && { unsubscribeUrl: unsubscribe })
    }
    return outgoing
  })

  const end = (mail: MailRow, type: "sent" | "drop" | "release") =>
    Effect.flatMap(Timestamps.now, (now) => storage.transaction(step(mail.id, { type, now, claim: claimOf(mail) })))

  const source: WorkSource<MailRow> = {
    name: "mail",
    table: MailTable,
    signal,
    concurrency: (mode) => (mode === "standing" ? concurrency : 1),

    claim: Effect.fnUntraced(function* (claimant) {
      const now = yield* Clock.currentTimeMillis
      const due = yield* nextMail({ lte: Timestamps.at(now) })
      const mail = due.urgent ?? due.other
      if (mail === undefined) {
        const later = yield* nextMail({ gte: "" })
        const times = [later.urgent, later.other].flatMap((row) => (row ? Date.parse(row.lease.until) : []))
        return { items: [], nextAt: times.length === 0 ? undefined : Math.min(...times) }
      }
      const until = yield* limitedUntil({}, perMinute, minute, now)
      if (until !== undefined) return { items: [], nextAt: until }
      const claimed = yield* claimMail(mail.id, now, claimant)
      const isHeld = claimed?.lease.holder === claimant.holder
      return { items: isHeld ? [claimed] : [], nextAt: now }
    }),

    lease: (mail) => LeasedWork.leaseAccess(storage, MailTable, { id: mail.id }, claimOf(mail)),

    // A sent mail is recorded even if the process shuts down in between.
    run: (mail) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const recipient = yield* restore(recipientOf(mail))
          if (recipient === undefined) return yield* storage.transaction(mails.remove({ id: mail.id }))
          const outgoing = yield* restore(render(mail, recipient))
          if (outgoing === undefined) return yield* end(mail, "drop")
          yield* restore(transport.send(outgoing))
          return yield* end(mail, "sent")
        })
      ),

    complete: () => Effect.void,
    release: (mail) => Effect.asVoid(end(mail, "release")),

    fail: (mail, { error, reason }) =>
      Effect.flatMap(Timestamps.now, (now) =>
        Effect.asVoid(
          storage.transaction(
            step(mail.id, {
              type: "fail",
              now,
              claim: claimOf(mail),
              reason,
              isPermanent: error instanceof MailRefused
            })
          )
        )
      ),

    logFields: ({ id, kind, attempts }) => ({ mail: id, kind, attempt: attempts })
  }
  return source
})
