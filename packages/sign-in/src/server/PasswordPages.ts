/**
 * Pages for passwords: the request for a link to a new one, the choice of a new one after such a link, and the change by
 * a signed-in user. A change needs the current password. After a sign-in by link within the last 15 minutes it does not,
 * because that is how a forgotten password is replaced.
 */
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Storage } from "@lectern/core/storage/Storage"
import { OidcSignOn } from "@lectern/core/sso/OidcSignOn"
import { Sessions } from "@lectern/core/token/Sessions"
import { type TokenRow, TokenTable } from "@lectern/core/token/Token"
import { setCookie } from "@lectern/core/token/SessionCookie"
import { Email } from "@lectern/core/user/User"
import { html } from "@lectern/site/html/Html"
import { Clock, Effect, Redacted, Schema } from "effect"
import { SignInAttempts } from "../attempt/SignInAttempts.ts"
import { LinkMails } from "../link/LinkMails.ts"
import { notice } from "../page/PageLayout.ts"
import { fill } from "../page/PageMessages.ts"
import { minPasswordLength, Passwords } from "../password/Passwords.ts"
import { SignInWays } from "@lectern/core/token/SignInWays"
import { makeForUser, type UserHandler } from "./AccountPages.ts"
import type { PageRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import type { PageRoutes } from "./PageRoutes.ts"
import { accountPasswordPath, accountPath, forgottenPasswordPath, newPasswordPath, signInPath } from "./Paths.ts"
import { emailField } from "./SignInPages.ts"
import { type SignedInUser, Visitors } from "./Visitors.ts"

/** Time in ms after a sign-in within which a password is set without the current one. */
const freshSignIn = 15 * 60_000

const isEmail = Schema.is(Email)

export const makePasswordPages = Effect.gen(function* () {
  const forUser = yield* makeForUser
  const ways = yield* SignInWays
  const publicUrl = yield* PublicUrl
  const responses = yield* PageResponses
  const visitors = yield* Visitors
  const attempts = yield* SignInAttempts
  const passwords = yield* Passwords
  const sessions = yield* Sessions
  const oidcSignOn = yield* OidcSignOn
  const mails = yield* LinkMails
  const tokens = (yield* Storage).repository(TokenTable)
  const isOn = ways.has("password") && passwords.isAvailable

  const forgottenPage = ({ messages, form }: PageRequest, problem?: string, status = 200) =>
    responses.page(
      {
        title: messages.forgottenTitle,
        main: html`
          <section class="card">
            <h1>${messages.forgottenTitle}</h1>
            ${problem !== undefined && notice(problem, true)}
            <p>${mails.isAvailable ? messages.forgottenText : messages.noMail}</p>
            ${
              mails.isAvailable &&
              html`
                <form method="post" action="${forgottenPasswordPath}">
                  ${emailField(messages, form.get("email") ?? "")}
                  <button>${messages.sendPasswordLink}</button>
                </form>
              `
            }
            <p><a href="${signInPath}">${messages.back}</a></p>
          </section>
        `
      },
      messages,
      { status }
    )

  /** Session of the user, and true if the current password is not needed. */
  const sessionOf = Effect.fnUntraced(function* ({ actor, row }: SignedInUser) {
    const [session]: ReadonlyArray<TokenRow> = yield* tokens.list({ where: { id: actor.token ?? "" } })
    const isFresh =
      session !== undefined && (yield* Clock.currentTimeMillis) - Date.parse(session.createdAt) < freshSignIn
    const hasPassword = yield* passwords.has(row.id)
    return {
      session,
      hasPassword,
      isTrusted: isFresh && (!hasPassword || session.session?.method === "link")
    }
  })

  const changePage = (
    { messages, path }: PageRequest,
    { row }: SignedInUser,
    { hasPassword, isTrusted }: { readonly hasPassword: boolean; readonly isTrusted: boolean },
    problem?: string,
    status = 200
  ) => {
    const title = hasPassword ? messages.newPasswordTitle : messages.setPassword
    const main = html`
      <section class="card">
        <h1>${title}</h1>
        ${problem !== undefined && notice(problem, true)}
        ${
          !isTrusted && !hasPassword
            ? html`<p>${messages.signInAgain}</p>`
            : html`
                <form method="post" action="${path}">
                  <input type="email" value="${row.email}" autocomplete="username" hidden readonly />
                  ${
                    !isTrusted &&
                    html`
                      <label>
                        ${messages.currentPassword}
                        <input
                          type="password"
                          name="current"
                          autocomplete="current-password"
                          required
                          maxlength="8000"
                        />
                      </label>
                    `
                  }
                  <label>
                    ${messages.newPassword}
                    <input
                      type="password"
                      name="password"
                      autocomplete="new-password"
                      required
                      minlength="${minPasswordLength}"
                      maxlength="8000"
                      aria-describedby="hint"
                    />
                    <small id="hint">${messages.passwordHint}</small>
                  </label>
                  <button>${messages.savePassword}</button>
                </form>
              `
        }
      </section>
    `
    return responses.page({ title, main, path: accountPath }, messages, { status })
  }

  const show: UserHandler = Effect.fnUntraced(function* (request, user) {
    if (!isOn || user.actor.organization !== undefined) return responses.redirect(accountPath)
    return changePage(request, user, yield* sessionOf(user))
  })

  /** Sets the password, ends the other sessions, and renews that of the request. */
  const save = Effect.fnUntraced(function* (request: PageRequest, user: SignedInUser, password: Redacted.Redacted) {
    const { row, actor } = user
    const { session, ...state } = yield* sessionOf(user)
    const { messages, form, client } = request
    if (!state.isTrusted) {
      const succeed = yield* attempts.startPassword({
        email: row.email,
        address: client.address,
        browser: request.cookie("browser")
      })
      yield* passwords.verify(row.email, Redacted.make(form.get("current") ?? ""))
      yield* succeed
    }
    const problem = yield* passwords.problemOf(row.email, password)
    if (problem !== undefined) return changePage(request, user, state, messages.passwordProblems[problem], 400)
    yield* passwords.set(row.id, password, actor.token)
    const { factor, signOn } = session?.session ?? {}
    const started = yield* sessions.start(row.id, {
      method: "password",
      ...(factor && { factor }),
      ...(signOn && { signOn }),
      ...client
    })
    if (session !== undefined) yield* oidcSignOn.moveSession(session.id, started.session.id)
    const main = html`
      <section class="card">
        <h1>${messages.passwordSaved}</h1>
        <p>${messages.othersEnded}</p>
        <p><a href="${accountPath}">${messages.account}</a></p>
      </section>
    `
    return responses.page({ title: messages.passwordSaved, main, path: accountPath }, messages, {
      cookies: [yield* visitors.sessionCookie(started), setCookie(publicUrl, "factor", "", 0)]
    })
  })

  const change: UserHandler = Effect.fnUntraced(function* (request, user) {
    if (!isOn || user.actor.organization !== undefined) return responses.redirect(accountPath)
    const { messages, form } = request
    const refuse = (problem: string, status: number) =>
      Effect.map(sessionOf(user), (state) => changePage(request, user, state, problem, status))
    return yield* save(request, user, Redacted.make(form.get("password") ?? "")).pipe(
      Effect.catchTags({
        WrongPassword: () => refuse(messages.wrongPassword, 403),
        TooManyAttempts: ({ seconds }) => refuse(fill(messages.waitSeconds, seconds), 429),
        PasswordsUnavailable: () => refuse(messages.unavailable, 503),
        InvalidInput: () => refuse(messages.passwordProblems.tooCommon, 400),
        UserNotFound: () => refuse(messages.failedText, 404)
      })
    )
  })

  const changing = { get: forUser(show), post: forUser(change) }

  return {
    [forgottenPasswordPath]: {
      get: (request) => Effect.succeed(forgottenPage(request)),
      post: (request) =>
        Effect.gen(function* () {
          const { messages, form, client } = request
          const email = (form.get("email") ?? "").trim()
          if (!isOn || !mails.isAvailable || !isEmail(email)) return forgottenPage(request, messages.noMail, 400)
          if (yield* attempts.startMail({ email, address: client.address })) yield* mails.send(email, "password")
          return responses.page(
            {
              title: messages.checkMail,
              main: html`
                <section class="card">
                  <h1>${messages.checkMail}</h1>
                  <p>${fill(messages.checkMailText, email)}</p>
                  <p><a href="${signInPath}">${messages.back}</a></p>
                </section>
              `
            },
            messages
          )
        }).pipe(
          Effect.catchTag("TooManyAttempts", ({ seconds }) =>
            Effect.succeed(forgottenPage(request, fill(request.messages.waitSeconds, seconds), 429))
          )
        )
    },
    [newPasswordPath]: changing,
    [accountPasswordPath]: changing
  } satisfies PageRoutes
})
