/**
 * Pages of the second factor of a signed-in user: the authenticator app, passkeys as second factor, and
 * recovery codes. Changes need a sign-in within the last 10 minutes.
 */
import { html, type Html } from "@lectern/site/html/Html"
import { Clock, Effect } from "effect"
import { makeFreshSession } from "../account/FreshSession.ts"
import {
  type AppInUse,
  type FactorMissing,
  type FactorStatus,
  type RecoveryCodes,
  SecondFactors
} from "../factor/SecondFactors.ts"
import { appSetupForm, recoveryCodeList, refusalText, startAppForm } from "../page/FactorParts.ts"
import { notice } from "../page/PageLayout.ts"
import { fill, type PageMessages } from "../page/PageMessages.ts"
import { makeForUser, type UserHandler } from "./AccountPages.ts"
import type { PageRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import type { PageRoutes } from "./PageRoutes.ts"
import { staleNotice } from "./PasskeyPages.ts"
import {
  accountPath,
  appPath,
  passkeyFactorPath,
  passkeysPath,
  recoveryCodesPath,
  removedAppPath,
  secondFactorPath,
  signInPath
} from "./Paths.ts"
import { makeRenewal } from "./SessionRenewal.ts"
import type { SignedInUser } from "./Visitors.ts"
import type { TokenRow } from "@lectern/core/token/Token"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { UserNotFound } from "@lectern/core/user/User"
import type { HttpServerResponse } from "effect/http"
import type { FactorDemanded } from "../factor/FactorFacts.ts"

/** Row of a session that may change how its user signs in. */
type Fresh = TokenRow

type Change = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  AppInUse | FactorDemanded | FactorMissing | UserNotFound | StorageError
>

export const makeSecondFactorPages = Effect.gen(function* () {
  const forUser = yield* makeForUser
  const responses = yield* PageResponses
  const factors = yield* SecondFactors
  const freshSession = yield* makeFreshSession
  const renew = yield* makeRenewal

  const overview = Effect.fnUntraced(function* (
    { messages }: PageRequest,
    { actor, row }: SignedInUser,
    problem?: string
  ) {
    const status = yield* factors.status(row.id)
    const isFresh = (yield* freshSession(actor)) !== undefined
    const { factor } = messages
    const main = html`
      <section class="card">
        <h1>${factor.title}</h1>
        <p>${factor.about}</p>
        ${status.demandedBy.length > 0 && notice(fill(factor.demanded, status.demandedBy.join(", ")))}
        ${problem !== undefined && notice(problem, true)} ${!isFresh && staleNotice(messages, secondFactorPath)}
      </section>
      ${appSection(messages, status, isFresh)} ${passkeySection(messages, status, isFresh)}
      ${status.isSetUp && recoverySection(messages, status, isFresh)}
    `
    return responses.page({ title: factor.title, main, path: accountPath }, messages, {
      ...(problem !== undefined && { status: 400 })
    })
  })

  const codesPage = (messages: PageMessages, codes: RecoveryCodes, cookies: ReadonlyArray<string> = []) =>
    codes.length === 0
      ? responses.redirect(secondFactorPath, { cookies })
      : responses.page(
          {
            title: messages.recovery.title,
            main: recoveryCodeList(messages, codes, secondFactorPath),
            path: accountPath
          },
          messages,
          { cookies }
        )

  const setupPage = (messages: PageMessages, form: Html, problem?: string) =>
    responses.page(
      {
        title: messages.app.setUp,
        main: html`
          <section class="card">
            <h1>${messages.app.setUp}</h1>
            ${problem !== undefined && notice(problem, true)} ${form}
          </section>
        `,
        path: accountPath
      },
      messages,
      { ...(problem !== undefined && { status: 400 }) }
    )

  /** Starts the setup of an app, or confirms the app by the code in the form. */
  const changeApp = Effect.fnUntraced(function* (request: PageRequest, { row }: SignedInUser, session: Fresh) {
    const { messages } = request
    const code = request.form.get("code")
    if (code === null) return setupPage(messages, appSetupForm(messages, appPath, yield* factors.setUpApp(row.id)))
    const now = yield* Clock.currentTimeMillis
    return yield* factors.confirmApp(row.id, code).pipe(
      Effect.flatMap((codes) => Effect.map(renew(session, request), (cookie) => codesPage(messages, codes, [cookie]))),
      Effect.catchTag("CodeRefused", (refusal) =>
        Effect.succeed(
          setupPage(messages, appSetupForm(messages, appPath, undefined), refusalText(messages, refusal, now))
        )
      )
    )
  })

  /** Returns a handler that runs a change with a fresh session, and shows the overview with the problem otherwise. */
  const changing = (change: (request: PageRequest, user: SignedInUser, session: Fresh) => Change) =>
    forUser(
      Effect.fnUntraced(function* (request, user) {
        if (user.actor.organization !== undefined) return responses.redirect(accountPath)
        const session = yield* freshSession(user.actor)
        if (session === undefined) return yield* overview(request, user, request.messages.factor.stale)
        return yield* change(request, user, session).pipe(
          Effect.catchTags({
            AppInUse: () => Effect.succeed(responses.redirect(secondFactorPath)),
            FactorDemanded: () => overview(request, user, request.messages.factor.lastFactor),
            FactorMissing: () => Effect.succeed(responses.redirect(secondFactorPath)),
            UserNotFound: () => Effect.succeed(responses.redirect(signInPath))
          })
        )
      }) satisfies UserHandler
    )

  const toOverview = Effect.sync(() => responses.redirect(secondFactorPath))

  return {
    [secondFactorPath]: {
      get: forUser((request, user) =>
        user.actor.organization === undefined
          ? overview(request, user)
          : Effect.succeed(responses.redirect(accountPath))
      )
    },
    [appPath]: { get: () => toOverview, post: changing(changeApp) },
    [removedAppPath]: {
      post: changing((_, { row }, session) => Effect.andThen(factors.removeApp(row.id, session.id), toOverview))
    },
    [passkeyFactorPath]: {
      post: changing(({ form }, { row }, session) =>
        Effect.andThen(factors.setWanted(row.id, form.get("on") === "true", session.id), toOverview)
      )
    },
    [recoveryCodesPath]: {
      get: () => toOverview,
      post: changing(({ messages }, { row }) =>
        Effect.map(factors.createRecoveryCodes(row.id), (codes) => codesPage(messages, codes))
      )
    }
  } satisfies PageRoutes
})

const appSection = ({ app }: PageMessages, { app: state }: FactorStatus, isFresh: boolean): Html => html`
  <section class="card">
    <h2>${app.title}</h2>
    <p>${state === "confirmed" ? app.on : app.about}</p>
    ${isFresh && (state === "confirmed" ? button(removedAppPath, app.remove, "danger") : startAppForm(appPath, app.setUp))}
  </section>
`

const passkeySection = (
  { passkeyFactor, passkeys }: PageMessages,
  status: FactorStatus,
  isFresh: boolean
): Html => html`
  <section class="card">
    <h2>${passkeyFactor.title}</h2>
    <p>${passkeyFactor.about}</p>
    ${
      status.passkeys === 0
        ? html`<p><a href="${passkeysPath}">${passkeys.add}</a></p>`
        : isFresh &&
          html`
            <form method="post" action="${passkeyFactorPath}">
              <input type="hidden" name="on" value="${String(!status.isWanted)}" />
              <div>
                <button class="${status.isWanted ? "danger" : "secondary"}">
                  ${status.isWanted ? passkeyFactor.stop : passkeyFactor.start}
                </button>
              </div>
            </form>
          `
    }
  </section>
`

const recoverySection = (messages: PageMessages, { recoveryCodes }: FactorStatus, isFresh: boolean): Html => {
  const { recovery, language } = messages
  const left = recovery.left[new Intl.PluralRules(language).select(recoveryCodes)] ?? recovery.left.other
  return html`
    <section class="card">
      <h2>${recovery.title}</h2>
      <p>${recovery.about}</p>
      <p><strong>${fill(left, recoveryCodes)}</strong></p>
      ${isFresh && button(recoveryCodesPath, recovery.create, "secondary")}
    </section>
  `
}

const button = (path: string, title: string, style: string): Html => html`
  <form method="post" action="${path}" class="end"><div><button class="${style}">${title}</button></div></form>
`
