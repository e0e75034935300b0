/**
 * Lets recipients unsubscribe from the mails of a kind, and from the digest, without signing in. The notifications stay in
 * the inbox.
 */
import { Effect, Layer } from "effect"
import { Mails } from "../mail/Mails.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { type NotificationChannel, type NotificationKind, notificationKinds } from "./NotificationKind.ts"
import { notificationTexts } from "./NotificationMailTexts.ts"
import { channelOf, defaultSettings, NotificationSettingsTable } from "./NotificationSettings.ts"

/** Name of the list of digests. The other lists have the names of the kinds. */
export const digestList = "daily-digest"

export const NotificationMailLists = Layer.effectDiscard(
  Effect.gen(function* () {
    const storage = yield* Storage
    const { addList } = yield* Mails
    const settings = storage.repository(NotificationSettingsTable)

    /** Moves kinds to the inbox if their channel is one of the channels. */
    const moveToInbox = (
      user: UserId,
      kinds: ReadonlyArray<NotificationKind>,
      channels: ReadonlyArray<NotificationChannel>
    ) =>
      storage.transaction(
        Effect.gen(function* () {
          const existing = yield* settings.get({ user })
          const moved = kinds.filter((kind) => channels.includes(channelOf(existing, kind)))
          if (moved.length === 0) return
          const before = existing ?? defaultSettings(user)
          const changes = { kinds: { ...before.kinds, ...Object.fromEntries(moved.map((kind) => [kind, "inbox"])) } }
          if (existing === undefined) yield* settings.insert({ ...before, ...changes })
          else yield* settings.update({ user }, changes)
        }).pipe(cannotConflict)
      )

    for (const kind of notificationKinds) {
      yield* addList({
        name: kind,
        title: (language) => notificationTexts[language].kinds[kind],
        unsubscribe: (user) => moveToInbox(user, [kind], ["mail", "digest"])
      })
    }
    yield* addList({
      name: digestList,
      title: (language) => notificationTexts[language].digest,
      unsubscribe: (user) => moveToInbox(user, notificationKinds, ["digest"])
    })
  })
)
