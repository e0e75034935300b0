/** People of tests of the pages, with their passwords and links. */
import { SignInLinks } from "@lectern/sign-in/link/SignInLinks"
import { Passwords } from "@lectern/sign-in/password/Passwords"
import { Effect, Redacted } from "effect"
import { member, publicUrl } from "../Browser.ts"

export const password = "correct horse battery staple"

/** Creates a member with this password. */
export const withPassword = Effect.fnUntraced(function* (email?: string) {
  const person = yield* member(email)
  yield* (yield* Passwords).set(person.id, Redacted.make(password))
  return person
})

/** Returns the path of a new link. */
export const linkFor = Effect.fnUntraced(function* (user: Parameters<SignInLinks["Service"]["create"]>[0]) {
  const { url } = yield* (yield* SignInLinks).create(user, "sign-in")
  return Redacted.value(url).slice(publicUrl.length)
})

/** Name of the cookie of a session. */
export const session = "__Host-lectern_session"
