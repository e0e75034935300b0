/**
 * List of mails that a user can unsubscribe from without signing in. The concept that sends the mails registers it with
 * `Mails.addList`, and stores the choice in its own settings.
 */
import type { Effect } from "effect"
import type { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"

export interface MailList {
  /** Name: letters, digits, `-` and `_`, at most 50 characters. */
  readonly name: string
  /** Title for people, such as "Comments". */
  readonly title: (language: InterfaceLanguage) => string
  /** Ends the mails of this list for a user. Repeated calls have no effect. */
  readonly unsubscribe: (user: UserId) => Effect.Effect<void, StorageError>
}

export const isListName = (name: string): boolean => /^[\w-]{1,50}$/.test(name)
