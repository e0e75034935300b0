/**
 * Secret of a browser that uses a passkey, in a cookie. Options of passkeys are bound to it, so a response counts only in
 * the browser that requested the options.
 */
import { Ids } from "@lectern/core/identity/Ids"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { setCookie } from "@lectern/core/token/SessionCookie"
import { Effect } from "effect"
import { challengeLifetime } from "../passkey/PasskeyChallenges.ts"
import type { PageRequest } from "./PageRequest.ts"

const cookie = "passkey"

/** Returns the secret of the browser. Empty without one: then no response counts. */
export const passkeyBrowser = (request: PageRequest): string => request.cookie(cookie) ?? ""

/** Returns a function that returns the secret of the browser, or a new one, with its `Set-Cookie` header. */
export const makePasskeyBrowser = Effect.gen(function* () {
  const ids = yield* Ids
  const publicUrl = yield* PublicUrl
  return Effect.fnUntraced(function* (request: PageRequest) {
    const existing = passkeyBrowser(request)
    // Forms in two windows share the secret, so that both can be sent.
    const secret = /^[\w-]{43}$/.test(existing) ? existing : yield* ids.secret
    return { secret, cookies: [setCookie(publicUrl, cookie, secret, challengeLifetime / 1000)] }
  })
})
