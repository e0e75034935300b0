/**
 * Limits of attempts to sign in, by the address of the client and by the account, with growing pauses. An account without
 * a user counts like any other, so a pause does not show whether an address has one.
 *
 * No stranger can lock a person out. A browser in which the person signed in before has a cookie of the account, and a
 * counter of its own. And a pause concerns passwords only: links by mail, passkeys and providers work meanwhile.
 *
 * Defaults: 20 attempts of an address, 5 for an account, and 10 of a browser of the account without a pause; then
 * pauses of 1 s up to 5 minutes, 15 minutes for an address.
 */
import { rateLimitKey } from "@lectern/core/fetch/Addresses"
import { Instance } from "@lectern/core/identity/Instance"
import { timingSafeEqual } from "@lectern/core/identity/TimingSafe"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Attempts } from "./Attempts.ts"

const minute = 60_000

/** Raised if too many attempts were made. Try again after `seconds`. */
export class TooManyAttempts extends Schema.TaggedError<TooManyAttempts>()(
  "TooManyAttempts",
  { message: Schema.String, seconds: Schema.Int },
  { httpApiStatus: 429 }
) {}

/** Attempt to sign in. */
export interface Attempt {
  /** E-mail address of the account. */
  readonly email: string
  /** IP address of the client. Absent if unknown. */
  readonly address?: string | undefined
  /** Value of the browser's cookie (see `browserMark`). Absent in a browser without one. */
  readonly browser?: string | undefined
}

export class SignInAttempts extends Context.Service<
  SignInAttempts,
  {
    /**
     * Counts an attempt with a password.
     *
     * @returns An effect to run if the attempt succeeds.
     * @throws {TooManyAttempts}
     */
    readonly startPassword: (attempt: Attempt) => Effect.Effect<Effect.Effect<void>, TooManyAttempts>
    /**
     * Counts a request for a mail to an account.
     *
     * @returns False if the account got enough mails. Then no mail is sent, and the response does not change.
     * @throws {TooManyAttempts} Depends only on the client's address.
     */
    readonly startMail: (attempt: Attempt) => Effect.Effect<boolean, TooManyAttempts>
    /** Returns the value of the cookie of a browser in which the user of an address signed in. */
    readonly browserMark: (email: string) => string
  }
>()("@lectern/sign-in/attempt/SignInAttempts") {
  static readonly layer = Layer.effect(
    SignInAttempts,
    Effect.gen(function* () {
      const instance = yield* Instance
      const addresses = new Attempts({ free: 20, maxPause: 15 * minute })
      const accounts = new Attempts({ free: 5, maxPause: 5 * minute })
      const browsers = new Attempts({ free: 10, maxPause: 5 * minute })
      const mails = new Attempts({ free: 3, maxPause: 30 * minute })

      const accountOf = (email: string) => instance.sign("sign-in account", email.toLowerCase())
      const browserMark = (email: string) => instance.sign("sign-in browser", email.toLowerCase())
      const addressKey = ({ address }: Attempt) => rateLimitKey(address ?? "")

      /** Fails during a pause of one of the counters, and counts otherwise. */
      const start = Effect.fnUntraced(function* (counters: ReadonlyArray<readonly [Attempts, string]>) {
        const now = yield* Clock.currentTimeMillis
        const pause = Math.max(...counters.map(([attempts, key]) => attempts.pauseOf(key, now)))
        if (pause > 0) {
          const seconds = Math.ceil(pause / 1000)
          const message = `Too many attempts: retry in ${seconds} seconds`
          return yield* new TooManyAttempts({ message, seconds })
        }
        for (const [attempts, key] of counters) attempts.start(key, now)
      })

      return SignInAttempts.of({
        browserMark,

        startPassword: Effect.fnUntraced(function* (attempt) {
          const account = accountOf(attempt.email)
          const isOwnBrowser =
            attempt.browser !== undefined && timingSafeEqual(browserMark(attempt.email), attempt.browser)
          const counters: ReadonlyArray<readonly [Attempts, string]> = [
            [addresses, addressKey(attempt)],
            [isOwnBrowser ? browsers : accounts, account]
          ]
          yield* start(counters)
          return Effect.sync(() => {
            for (const [attempts, key] of counters) attempts.clear(key)
          })
        }),

        startMail: Effect.fnUntraced(function* (attempt) {
          yield* start([[addresses, `mail ${addressKey(attempt)}`]])
          const now = yield* Clock.currentTimeMillis
          const account = accountOf(attempt.email)
          if (mails.pauseOf(account, now) > 0) return false
          mails.start(account, now)
          return true
        })
      })
    })
  )
}
