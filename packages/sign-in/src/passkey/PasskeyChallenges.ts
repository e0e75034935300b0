/**
 * Challenges that a passkey signs. Everyone who opens the page for signing in gets one, so challenges are not stored: a
 * challenge contains a signature of this instance, its purpose, a hash of the browser's secret, and the time. It is
 * valid for 10 minutes, for one purpose and one browser, and counts once: its use is recorded when a response arrives.
 */
import { PasskeyChallengeUseTable } from "@lectern/core/sign-in/Passkey"
import { Ids } from "@lectern/core/identity/Ids"
import { Instance } from "@lectern/core/identity/Instance"
import { timingSafeEqual } from "@lectern/core/identity/TimingSafe"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Storage } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"
import { Clock, Effect } from "effect"
import { refused } from "./PasskeyRefused.ts"

/** Lifetime of a challenge in ms. */
export const challengeLifetime = 10 * 60_000

/**
 * - `sign-in`: anyone signs in
 * - `factor`: a user who used another way to sign in proves the second factor
 * - `create`: a user adds a passkey
 */
export type ChallengePurpose =
  | { readonly type: "sign-in" }
  | { readonly type: "factor"; readonly user: UserId }
  | { readonly type: "create"; readonly user: UserId }

export const makePasskeyChallenges = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const hasher = yield* Hasher
  const instance = yield* Instance
  const uses = storage.repository(PasskeyChallengeUseTable)

  const bindingHash = (id: string, browser: string) => hasher.sha256(`${id} ${browser}`).slice(0, 22)
  const sign = (purpose: ChallengePurpose, text: string) => {
    const subject = purpose.type === "sign-in" ? "" : purpose.user
    return instance.sign("passkey challenge", `${purpose.type} ${subject} ${text}`)
  }

  return {
    /** Returns a new challenge as text. `browser`: secret that only this browser has. */
    make: Effect.fnUntraced(function* (purpose: ChallengePurpose, browser: string) {
      const id = yield* ids.next
      const text = `${id}.${bindingHash(id, browser)}`
      return `${text}.${sign(purpose, text)}`
    }),

    /** Fails unless this instance made the challenge for the purpose and the browser, and it has not expired. */
    check: Effect.fnUntraced(function* (purpose: ChallengePurpose, browser: string, challenge: string) {
      const [, id, boundHash, signature] = /^(\w{22})\.([\w-]{22})\.([\w-]{43})$/.exec(challenge) ?? []
      if (id === undefined || !timingSafeEqual(sign(purpose, `${id}.${boundHash}`), signature!)) {
        return yield* refused("challenge", "The response of the passkey was not meant for this step. Start again")
      }
      // The age follows from the id, since the id starts with its creation time.
      if (id < ids.firstAt((yield* Clock.currentTimeMillis) - challengeLifetime)) {
        return yield* refused("expired", "This took too long. Start again")
      }
      if (!timingSafeEqual(bindingHash(id, browser), boundHash!)) {
        return yield* refused("browser", "This browser did not start this step, or blocks cookies. Start again")
      }
    }),

    /** Records the use of a challenge. Fails if it was used before. Must be called inside the transaction of its effect. */
    markUsed: Effect.fnUntraced(function* (challenge: string) {
      const until = Timestamps.at((yield* Clock.currentTimeMillis) + challengeLifetime)
      yield* uses
        .insert({ hash: hasher.sha256(challenge), until })
        .pipe(
          Effect.catchTag("UniqueConflict", () =>
            Effect.fail(refused("used", "This passkey response was already used"))
          )
        )
    })
  }
})
