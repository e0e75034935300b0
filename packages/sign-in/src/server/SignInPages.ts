/** Pages for signing in and out: the ways that are on, and the request for a link by mail. */
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { setCookie } from "@lectern/core/token/SessionCookie"
import { OidcSignOn } from "@lectern/core/sso/OidcSignOn"
import { Sessions } from "@lectern/core/token/Sessions"
import { CurrentActor } from "@lectern/core/access/Actor"
import { Email } from "@lectern/core/user/User"
import { html, type Html } from "@lectern/site/html/Html"
import { Effect, Redacted, Schema } from "effect"
import { SignInAttempts } from "../attempt/SignInAttempts.ts"
import { LinkMails } from "../link/LinkMails.ts"
import { passkeyForm } from "../page/FactorParts.ts"
import { notice } from "../page/PageLayout.ts"
import { fill, type PageMessages } from "../page/PageMessages.ts"
import { Passkeys } from "../passkey/Passkeys.ts"
import { script } from "../passkey/PasskeyScript.ts"
import { Passwords } from "../password/Passwords.ts"
import { type SignInProvider, SignInProviders } from "../provider/SignInProviders.ts"
import { SignInWays } from "@lectern/core/token/SignInWays"
import { SignInSteps } from "../step/SignInSteps.ts"
import type { PageRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import type { PageRoutes } from "./PageRoutes.ts"
import {
  accountPath,
  homePath,
  forgottenPasswordPath,
  mailLinkPath,
  passkeySignInPath,
  signInPath,
  signOutPath
} from "./Paths.ts"
import { Visitors } from "./Visitors.ts"

const isEmail = Schema.is(Email)

export const makeSignInPages = Effect.gen(function* () {
  const ways = yield* SignInWays
  const publicUrl = yield* PublicUrl
  const responses = yield* PageResponses
  const visitors = yield* Visitors
  const attempts = yield* SignInAttempts
  const passwords = yield* Passwords
  const passkeys = yield* Passkeys
  const mails = yield* LinkMails
  const providers = yield* SignInProviders
  const steps = yield* SignInSteps
  const sessions = yield* Sessions
  const oidcSignOn = yield* OidcSignOn
  const hasPasswords = ways.has("password") && passwords.isAvailable
  const hasPasskeys = ways.has("passkey") && passkeys.isAvailable
  const hasLinks = ways.has("link") && mails.isAvailable

  const signInPage = Effect.fnUntraced(function* (
    { messages, form, query, returnTo }: PageRequest,
    { problem, status = 200, retryAfter }: { problem?: string; status?: number; retryAfter?: number } = {}
  ) {
    const listed = yield* providers.list(query.get("organization") ?? undefined)
    const ofServer = listed.filter(({ isOfServer }) => isOfServer)
    const ofOrganization = listed.filter(({ isOfServer }) => !isOfServer)
    const providerLink = ({ path }: SignInProvider, text: string) =>
      html`<a class="button secondary" href="${path}?returnTo=${encodeURIComponent(returnTo ?? homePath)}">${text}</a>`
    const to = hiddenReturn(returnTo)
    const email = emailField(messages, form.get("email") ?? "")
    const parts: ReadonlyArray<Html> = [
      ...(hasPasswords
        ? [
            html`
              <form method="post" action="${signInPath}">
                ${to}${email}
                <label>
                  ${messages.password}
                  <input type="password" name="password" autocomplete="current-password" required maxlength="8000" />
                </label>
                <button>${messages.signIn}</button>
              </form>
              ${hasLinks && html`<p><a href="${forgottenPasswordPath}">${messages.forgotten}</a></p>`}
            `
          ]
        : []),
      ...(hasLinks
        ? [
            html`
              <form method="post" action="${mailLinkPath}">
                ${to}${emailField(messages, form.get("email") ?? "")}
                <button class="secondary">${messages.sendLink}</button>
              </form>
            `
          ]
        : []),
      ...(hasPasskeys
        ? [
            passkeyForm(messages, {
              kind: "get",
              path: passkeySignInPath,
              button: messages.passkeys.signIn,
              fields: to,
              isSecondary: true
            })
          ]
        : []),
      ...(ofServer.length > 0
        ? [
            html`
              <div class="stack">
                ${ofServer.map((provider) => providerLink(provider, fill(messages.continueWith, provider.label)))}
              </div>
            `
          ]
        : []),
      ...(ofOrganization.length > 0
        ? [
            html`
              <div class="stack">
                <h2>${messages.withProvider}</h2>
                ${ofOrganization.map((provider) => providerLink(provider, provider.label))}
              </div>
            `
          ]
        : [])
    ]
    const separator = html`<p class="or">${messages.or}</p>`
    const main = html`
      <section class="card">
        <h1>${messages.signIn}</h1>
        ${problem !== undefined && notice(problem, true)}
        ${parts.map((part, i) => html`${i > 0 && separator}${part}`)}
        ${parts.length === 0 && html`<p>${messages.noWay}</p>`}
      </section>
    `
    return responses.page({ title: messages.signIn, main, ...(hasPasskeys && { script }) }, messages, {
      status,
      ...(retryAfter !== undefined && { headers: { "retry-after": String(retryAfter) } })
    })
  })

  const signIn = Effect.fnUntraced(function* (request: PageRequest) {
    const { form, client, messages } = request
    const email = (form.get("email") ?? "").trim()
    const attempt = { email, address: client.address, browser: request.cookie("browser") }
    const succeed = yield* attempts.startPassword(attempt)
    if (!hasPasswords || !isEmail(email))
      return yield* signInPage(request, { problem: messages.wrongPassword, status: 403 })
    const user = yield* passwords.verify(email, Redacted.make(form.get("password") ?? ""))
    yield* succeed
    return yield* visitors.enter(yield* steps.complete({ user, method: "password", ...client }), request)
  })

  const mailSent = ({ messages }: PageRequest, email: string) =>
    responses.page(
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

  return {
    [signInPath]: {
      get: Effect.fnUntraced(function* (request) {
        const user = yield* visitors.find(request)
        const { messages, query } = request
        // Some changes of the account need a new sign-in (see `FreshSession`).
        return user === undefined || query.has("again")
          ? yield* signInPage(request, {
              ...(query.get("failed") === "passkey" && { problem: messages.passkeys.failed, status: 403 })
            })
          : responses.redirect(request.returnTo ?? homePath)
      }),
      post: (request) =>
        signIn(request).pipe(
          Effect.catchTags({
            WrongPassword: () => signInPage(request, { problem: request.messages.wrongPassword, status: 403 }),
            UserNotFound: () => signInPage(request, { problem: request.messages.wrongPassword, status: 403 }),
            PasswordsUnavailable: () => signInPage(request, { problem: request.messages.unavailable, status: 503 }),
            TooManyAttempts: ({ seconds }) =>
              signInPage(request, {
                problem: fill(request.messages.waitSeconds, seconds),
                status: 429,
                retryAfter: seconds
              })
          })
        )
    },

    [mailLinkPath]: {
      post: (request) =>
        Effect.gen(function* () {
          const email = (request.form.get("email") ?? "").trim()
          if (!hasLinks || !isEmail(email))
            return yield* signInPage(request, { problem: request.messages.noMail, status: 400 })
          const isAllowed = yield* attempts.startMail({ email, address: request.client.address })
          if (isAllowed) yield* mails.send(email, "sign-in")
          return mailSent(request, email)
        }).pipe(
          Effect.catchTag("TooManyAttempts", ({ seconds }) =>
            signInPage(request, {
              problem: fill(request.messages.waitSeconds, seconds),
              status: 429,
              retryAfter: seconds
            })
          )
        )
    },

    [signOutPath]: {
      get: (request) =>
        Effect.succeed(
          responses.page(
            {
              title: request.messages.signOut,
              main: html`
                <section class="card">
                  <h1>${request.messages.signOut}</h1>
                  <p>${request.messages.signOutText}</p>
                  <form method="post" action="${signOutPath}"><button>${request.messages.signOut}</button></form>
                  <p><a href="${accountPath}">${request.messages.back}</a></p>
                </section>
              `
            },
            request.messages
          )
        ),
      post: Effect.fnUntraced(function* (request) {
        const cookies = [setCookie(publicUrl, "session", "", 0)]
        const providerUrl = yield* oidcSignOn.signOut(request.session ?? "")
        if (providerUrl !== undefined) {
          // The policy of the page forbids that its form is redirected to another server.
          return responses.page(
            {
              title: request.messages.signOut,
              main: html`
                <section class="card">
                  <h1>${request.messages.signOut}</h1>
                  <p><a href="${providerUrl}">${request.messages.signOutAtProvider}</a></p>
                </section>
              `
            },
            request.messages,
            { cookies, headers: { refresh: `0; url=${providerUrl}` } }
          )
        }
        const user = yield* visitors.find(request)
        if (user?.actor.token !== undefined)
          yield* sessions.revoke(user.actor.token).pipe(
            Effect.provideService(CurrentActor, user.actor),
            Effect.catchTag("Forbidden", () => Effect.void)
          )
        return responses.redirect(signInPath, { cookies })
      })
    }
  } satisfies PageRoutes
})

export const emailField = (messages: PageMessages, value: string): Html => html`
  <label>
    ${messages.email}
    <input type="email" name="email" value="${value}" autocomplete="username" required maxlength="254" />
  </label>
`

/** Returns a field with the path to which the browser goes after signing in. */
export const hiddenReturn = (returnTo: string | undefined): Html | false =>
  returnTo !== undefined && html`<input type="hidden" name="to" value="${returnTo}" />`
