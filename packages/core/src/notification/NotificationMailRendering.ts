/**
 * Renders mails of notifications when they are sent, as their recipient may see the notifications then. Omits
 * notifications that were read meanwhile, and kinds that the recipient no longer wants by mail.
 */
import { Effect } from "effect"
import { CurrentActor, type UserActor } from "../access/Actor.ts"
import { heading, link, type MailBlock, paragraph, plainText, quote, type MailText } from "../mail/MailContent.ts"
import { mailRenderer } from "../mail/MailKind.ts"
import type { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import { Storage } from "../storage/Storage.ts"
import { type Notification, NotificationTable } from "./Notification.ts"
import { NotificationMail } from "./NotificationMail.ts"
import { notificationTexts } from "./NotificationMailTexts.ts"
import { makeNotificationPresenter } from "./NotificationPresenter.ts"
import { channelOf, NotificationSettingsTable } from "./NotificationSettings.ts"
import { digestList } from "./NotificationMailLists.ts"
import { makeVisibleNotifications } from "./VisibleNotifications.ts"

export const notificationMail = Effect.gen(function* () {
  const storage = yield* Storage
  const visible = yield* makeVisibleNotifications
  const present = yield* makeNotificationPresenter
  const notifications = storage.repository(NotificationTable)
  const settings = storage.repository(NotificationSettingsTable)

  return mailRenderer(
    NotificationMail,
    Effect.fnUntraced(function* ({ payload: { ids, digest }, recipient: { user, language } }) {
      if (user === undefined) return undefined
      const actor: UserActor = { type: "user", user }
      const settingRow = yield* settings.get({ user })
      const rows = yield* notifications.getMany(ids.map((id) => ({ user, id })))
      const wanted = rows
        .filter((row) => row !== undefined)
        .filter(({ kind, readAt }) => readAt === undefined && ["mail", "digest"].includes(channelOf(settingRow, kind)))
      const shown = yield* Effect.flatMap(visible(actor, wanted), present).pipe(
        Effect.provideService(CurrentActor, actor)
      )
      const [newest] = shown
      if (newest === undefined) return undefined
      const texts = notificationTexts[language]
      if (digest) {
        return { subject: texts.digest, blocks: digestBlocks(shown, language), reason: texts.reason, list: digestList }
      }
      return {
        subject: plainText(lineOf(newest, language)) + (shown.length > 1 ? ` (${shown.length})` : ""),
        blocks: shown
          .toReversed()
          .flatMap((one) => [
            paragraph(lineOf(one, language)),
            ...(one.comment === undefined ? [] : [quote(one.comment.text)])
          ]),
        reason: texts.reason,
        list: newest.kind
      }
    })
  )
})

/** Returns the kind, the subject with a link, the actor and the outcome of a notification. */
const lineOf = (notification: Notification, language: InterfaceLanguage): MailText => {
  const { kind, actor, outcome, review, urls } = notification
  const texts = notificationTexts[language]
  const state = outcome ?? review?.status
  return [
    `${texts.kinds[kind]}: `,
    link(titleOf(notification), urls.target),
    ...(state === undefined ? [] : [` · ${texts.outcomes[state]}`]),
    ...(actor === undefined ? [] : [" · ", { value: actor.displayName }])
  ]
}

/** Returns the name of the subject of a notification. */
const titleOf = ({ kind, changeRequest, page, space, content, subject, organization }: Notification): string => {
  if (changeRequest !== undefined) return `#${changeRequest.number} ${changeRequest.subject}`.trim()
  if (kind === "domain" || kind === "link-check") return subject ?? organization.title
  return page?.title ?? space?.title ?? content?.title ?? organization.title
}

/** Returns the notifications by space, or by organization without one, oldest first. */
const digestBlocks = (shown: ReadonlyArray<Notification>, language: InterfaceLanguage): ReadonlyArray<MailBlock> =>
  [...Map.groupBy(shown.toReversed(), ({ space, organization }) => space?.id ?? organization.id).values()].flatMap(
    (group) => [
      heading([{ value: group[0]!.space?.title ?? group[0]!.organization.title }]),
      ...group.map((one) => paragraph(lineOf(one, language)))
    ]
  )
