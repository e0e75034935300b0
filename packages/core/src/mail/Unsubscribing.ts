/**
 * Unsubscribes users from lists of mails by signed URLs (see `UnsubscribeUrls`), without signing in. The holder of a
 * mail to a user can end its lists, and nothing else.
 */
import { Effect } from "effect"
import type { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { UserId, UserTable } from "../user/User.ts"
import type { MailList } from "./MailList.ts"
import { Mails } from "./Mails.ts"
import { makeUnsubscribeUrls } from "./UnsubscribeUrls.ts"

/** Parameters of a signed URL, from a request. */
export interface UnsubscribeParameters {
  readonly user: string
  readonly list: string
  readonly signature: string
}

/** Subscription that a valid URL names. */
export interface Subscription {
  readonly list: MailList
  /** Language that the user chose. */
  readonly language?: InterfaceLanguage
  /** Ends the mails of the list. */
  readonly endOne: Effect.Effect<void, StorageError>
  /** Ends the mails of all lists. */
  readonly endAll: Effect.Effect<void, StorageError>
}

export const makeUnsubscribing = Effect.gen(function* () {
  const { lists } = yield* Mails
  const urls = yield* makeUnsubscribeUrls
  const users = (yield* Storage).repository(UserTable)

  /** Returns the subscription of a URL. Undefined if the URL is invalid or the user no longer exists. */
  return Effect.fnUntraced(function* ({ user, list: name, signature }: UnsubscribeParameters) {
    const list = lists.get(name)
    if (list === undefined || !urls.isValid(user, name, signature)) return undefined
    const id = UserId.make(user)
    const row = yield* users.get({ id })
    if (row === undefined) return undefined
    const subscription: Subscription = {
      list,
      ...(row.language !== undefined && { language: row.language }),
      endOne: list.unsubscribe(id),
      endAll: Effect.forEach([...lists.values()], ({ unsubscribe }) => unsubscribe(id), { discard: true })
    }
    return subscription
  })
})
