/**
 * Lists that recipients can unsubscribe from without signing in. The concept that sends the mails of a list registers it,
 * and stores the choice in its own settings.
 */
import { Context, Effect, Layer } from "effect"
import type { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"

export interface MailListKind {
  /** Name: letters, digits, `-` and `_`, at most 50 characters. */
  readonly name: string
  /** Title for people, such as "Comments". */
  readonly title: (language: InterfaceLanguage) => string
  /** Ends the mails of this list for a user. Repeated calls have no effect. */
  readonly unsubscribe: (user: UserId) => Effect.Effect<void, StorageError>
}

export class MailLists extends Context.Service<
  MailLists,
  {
    readonly add: (list: MailListKind) => Effect.Effect<void>
    /** Lists by name, in the order of registration. A live view: later registrations appear. */
    readonly byName: ReadonlyMap<string, MailListKind>
  }
>()("@lectern/core/mail/MailLists") {
  static readonly layer = Layer.sync(MailLists, () => {
    const byName = new Map<string, MailListKind>()
    return MailLists.of({
      byName,
      add: (list) =>
        Effect.suspend(() => {
          if (byName.has(list.name) || !/^[\w-]{1,50}$/.test(list.name)) {
            return Effect.die(new Error(`The list of mails "${list.name}" exists or has an invalid name`))
          }
          byName.set(list.name, list)
          return Effect.void
        })
    })
  })
}
