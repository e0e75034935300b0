/**
 * Pages of passkeys: the list of a signed-in user, and the form with which anyone signs in. They need a script, since
 * only a script can reach passkeys.
 */
import { maxPasskeys } from "@lectern/core/sign-in/Passkey"
import { html, type Html } from "@lectern/site/html/Html"
import { Effect } from "effect"
import { makeFreshSession } from "../account/FreshSession.ts"
import { notice } from "../page/PageLayout.ts"
import { passkeyForm } from "../page/FactorParts.ts"
import { fill, type PageMessages } from "../page/PageMessages.ts"
import { type Passkey, Passkeys } from "../passkey/Passkeys.ts"
import { script } from "../passkey/PasskeyScript.ts"
import { SignInSteps } from "../step/SignInSteps.ts"
import { makeForUser, type UserHandler } from "./AccountPages.ts"
import { makePasskeyBrowser, passkeyBrowser } from "./PasskeyBrowser.ts"
import type { PageRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import type { PageRoutes } from "./PageRoutes.ts"
import { accountPath, optionsPath, passkeysPath, passkeySignInPath, signInPath } from "./Paths.ts"
import { makeRenewal } from "./SessionRenewal.ts"
import { type SignedInUser, Visitors } from "./Visitors.ts"

export const makePasskeyPages = Effect.gen(function* () {
  const forUser = yield* makeForUser
  const responses = yield* PageResponses
  const visitors = yield* Visitors
  const passkeys = yield* Passkeys
  const steps = yield* SignInSteps
  const browserOf = yield* makePasskeyBrowser
  const freshSession = yield* makeFreshSession
  const renew = yield* makeRenewal

  const list = Effect.fnUntraced(function* (
    { messages, client }: PageRequest,
    { actor, row }: SignedInUser,
    problem?: string
  ) {
    const items = yield* passkeys.list(row.id)
    const isFresh = (yield* freshSession(actor)) !== undefined
    const texts = messages.passkeys
    const main = html`
      <section class="card">
        <h1>${texts.title}</h1>
        <p>${texts.about}</p>
        ${problem !== undefined && notice(problem, true)} ${!isFresh && staleNotice(messages, passkeysPath)}
        ${items.length === 0 && html`<p>${texts.none}</p>`}
        ${
          items.length > 0 &&
          html`
            <ul class="rows">
              ${items.map((passkey) => item(passkey, messages, isFresh))}
            </ul>
          `
        }
      </section>
      ${isFresh && adding(messages, items.length, client.device)}
    `
    return responses.page({ title: texts.title, main, path: accountPath, script }, messages, {
      ...(problem !== undefined && { status: 400 })
    })
  })

  const adding = (messages: PageMessages, count: number, device: string | undefined): Html => {
    const texts = messages.passkeys
    const name = html`
      <label>
        ${texts.name}
        <input name="name" value="${device ?? ""}" required maxlength="100" autocomplete="off" />
      </label>
    `
    const form = () => passkeyForm(messages, { kind: "create", path: passkeysPath, button: texts.add, fields: name })
    return html`
      <section class="card">
        <h2>${texts.add}</h2>
        ${!passkeys.isAvailable ? html`<p>${texts.unavailable}</p>` : count < maxPasskeys ? form() : html`<p>${texts.full}</p>`}
      </section>
    `
  }

  /** Adds, renames or removes a passkey, depending on the fields of the form. */
  const change = Effect.fnUntraced(function* (request: PageRequest, user: SignedInUser) {
    const { form } = request
    const id = form.get("id")
    const session = yield* freshSession(user.actor)
    if (session === undefined) return yield* list(request, user, request.messages.factor.stale)
    const name = (form.get("name") ?? "").trim()
    if (id === null) {
      yield* passkeys.create(user.row.id, {
        response: form.get("response") ?? "",
        browser: passkeyBrowser(request),
        name
      })
      return responses.redirect(passkeysPath, { cookies: [yield* renew(session, request)] })
    }
    if (form.get("action") === "remove") yield* passkeys.remove(user.row.id, id, session.id)
    else yield* passkeys.rename(user.row.id, id, name)
    return responses.redirect(passkeysPath)
  })

  const changeList: UserHandler = Effect.fnUntraced(function* (request, user) {
    if (user.actor.organization !== undefined) return responses.redirect(accountPath)
    const { passkeys: texts, factor } = request.messages
    const refuse = (problem: string) => list(request, user, problem)
    return yield* change(request, user).pipe(
      Effect.catchTags({
        FactorDemanded: () => refuse(factor.lastFactor),
        InvalidInput: ({ message }) => refuse(message),
        PasskeyNotFound: () => Effect.succeed(responses.redirect(passkeysPath)),
        PasskeyRefused: () => refuse(texts.failed),
        TooManyPasskeys: () => refuse(texts.full),
        UserNotFound: () => Effect.succeed(responses.redirect(signInPath))
      })
    )
  })

  const creationOptions: UserHandler = Effect.fnUntraced(function* (request, { actor, row }) {
    if ((yield* freshSession(actor)) === undefined) return refusal
    const { secret, cookies } = yield* browserOf(request)
    return yield* passkeys.creationOptions(row.id, secret).pipe(
      Effect.map((options) => responses.json(options, { cookies })),
      Effect.catchTag(["PasskeysUnavailable", "TooManyPasskeys"], () => Effect.succeed(refusal))
    )
  })

  const refusal = responses.json({}, { status: 409 })

  const signIn = Effect.fnUntraced(function* (request: PageRequest) {
    const { user, isPersonVerified } = yield* passkeys.verify({
      response: request.form.get("response") ?? "",
      browser: passkeyBrowser(request)
    })
    const result = yield* steps.complete({
      user,
      method: "passkey",
      ...(isPersonVerified && { factor: true }),
      ...request.client
    })
    return yield* visitors.enter(result, request)
  })

  return {
    [passkeysPath]: {
      get: forUser((request, user) =>
        user.actor.organization === undefined ? list(request, user) : Effect.succeed(responses.redirect(accountPath))
      ),
      post: forUser(changeList)
    },
    [optionsPath(passkeysPath)]: { get: forUser(creationOptions) },
    [passkeySignInPath]: {
      post: (request) =>
        signIn(request).pipe(
          Effect.catchTag(["PasskeyRefused", "UserNotFound"], () => {
            const to = request.returnTo === undefined ? "" : `&to=${encodeURIComponent(request.returnTo)}`
            return Effect.succeed(responses.redirect(`${signInPath}?failed=passkey${to}`))
          })
        )
    },
    [optionsPath(passkeySignInPath)]: {
      get: Effect.fnUntraced(function* (request) {
        const { secret, cookies } = yield* browserOf(request)
        return yield* passkeys.requestOptions(secret).pipe(
          Effect.map((options) => responses.json(options, { cookies })),
          Effect.catchTag("PasskeysUnavailable", () => Effect.succeed(refusal))
        )
      })
    }
  } satisfies PageRoutes
})

const item = (
  { id, name, isSynced, createdAt, lastUsedAt }: Passkey,
  messages: PageMessages,
  isFresh: boolean
): Html => {
  const texts = messages.passkeys
  const form = (action: string, button: string, fields: Html | false, style: string) => html`
    <form method="post" action="${passkeysPath}" class="inline">
      <input type="hidden" name="id" value="${id}" />
      <input type="hidden" name="action" value="${action}" />
      ${fields}
      <button class="${style} small" aria-label="${button}: ${name}">${button}</button>
    </form>
  `
  const nameField = html`<input name="name" value="${name}" required maxlength="100" autocomplete="off" aria-label="${texts.name}" />`
  return html`
    <li>
      <div>
        <strong>${name}</strong>
        <p>
          ${fill(texts.added, messages.time(createdAt))}
          ${lastUsedAt !== undefined && html` · ${fill(texts.lastUsed, messages.time(lastUsedAt))}`}
          ${isSynced && html` · ${texts.synced}`}
        </p>
      </div>
      ${
        isFresh &&
        html`
          <div class="buttons">
            ${form("rename", texts.save, nameField, "secondary")} ${form("remove", texts.remove, false, "danger")}
          </div>
        `
      }
    </li>
  `
}

/** Returns the notice that changes need a new sign-in, with the link to it. */
export const staleNotice = ({ factor }: PageMessages, path: string): Html => html`
  <p class="notice" role="status">
    ${factor.stale} <a href="${signInPath}?again=1&amp;to=${encodeURIComponent(path)}">${factor.signInAgain}</a>
  </p>
`
