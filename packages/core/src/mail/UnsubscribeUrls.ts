/**
 * URLs that unsubscribe a user from a list of mails without signing in, or from all lists. The signature names the user
 * and the list, and never expires, since old mails are read too.
 */
import { Effect } from "effect"
import { Instance } from "../identity/Instance.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import type { UserId } from "../user/User.ts"

/** Path of the page below the public URL. */
export const unsubscribePath = "/mail/unsubscribe" as const

export const makeUnsubscribeUrls = Effect.gen(function* () {
  const instance = yield* Instance
  const publicUrl = yield* PublicUrl
  const sign = (user: string, list: string) => instance.sign("unsubscribe", `${user} ${list}`)

  return {
    /** Returns the URL for a user and a list. */
    url: (user: UserId, list: string): string =>
      `${publicUrl}${unsubscribePath}?${new URLSearchParams({ user, list, signature: sign(user, list) })}`,
    /** Returns true if this instance signed the parameters. */
    isValid: (user: string, list: string, signature: string): boolean => timingSafeEqual(sign(user, list), signature)
  }
})
