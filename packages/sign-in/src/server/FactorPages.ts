/**
 * The step of signing in that requires the second factor, after the first one was verified. A ticket in a cookie names
 * the user (see `SignInSteps`). It is no session: it opens only this step.
 *
 * If an organization demands a second factor and the user has none, this step sets up the first one. A user with a
 * factor can't add another one here, since a stolen password would be enough then.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"
import { html } from "@lectern/site/html/Html"
import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { CodeRefused } from "../factor/CodeRefused.ts"
import {
  type AppInUse,
  type FactorMissing,
  type FactorStatus,
  type RecoveryCodes,
  SecondFactors
} from "../factor/SecondFactors.ts"
import { appSetupForm, codeField, passkeyForm, recoveryCodeList, refusalText } from "../page/FactorParts.ts"
import { notice } from "../page/PageLayout.ts"
import { fill } from "../page/PageMessages.ts"
import { Passkeys } from "../passkey/Passkeys.ts"
import { script } from "../passkey/PasskeyScript.ts"
import { SignInSteps } from "../step/SignInSteps.ts"
import { makePasskeyBrowser, passkeyBrowser } from "./PasskeyBrowser.ts"
import type { PageRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import type { PageHandler, PageRoutes } from "./PageRoutes.ts"
import {
  factorPasskeyPath,
  factorPath,
  firstAppPath,
  firstPasskeyPath,
  homePath,
  optionsPath,
  signInPath
} from "./Paths.ts"
import { hiddenReturn } from "./SignInPages.ts"
import { Visitors } from "./Visitors.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Handler of a request with a valid ticket. */
type StepHandler = (request: PageRequest, user: UserId, status: FactorStatus) => Effect.Effect<Response, StorageError>

export const makeFactorPages = Effect.gen(function* () {
  const responses = yield* PageResponses
  const visitors = yield* Visitors
  const steps = yield* SignInSteps
  const factors = yield* SecondFactors
  const passkeys = yield* Passkeys
  const browserOf = yield* makePasskeyBrowser

  const ticketOf = (request: PageRequest) => request.cookie("factor") ?? ""
  const startAgain = ({ returnTo }: PageRequest) =>
    responses.redirect(returnTo === undefined ? signInPath : `${signInPath}?to=${encodeURIComponent(returnTo)}`)
  const stepPath = ({ returnTo }: PageRequest) =>
    returnTo === undefined ? factorPath : `${factorPath}?to=${encodeURIComponent(returnTo)}`

  const refusal = responses.json({}, { status: 409 })

  /** Runs a handler for the user of the ticket, and starts again without a valid one. */
  const withTicket =
    (handler: StepHandler): PageHandler =>
    (request) =>
      Effect.gen(function* () {
        const { user } = yield* steps.open(ticketOf(request))
        return yield* handler(request, user, yield* factors.status(user))
      }).pipe(Effect.catchTag("TicketEnded", () => Effect.succeed(startAgain(request))))

  /** Like `withTicket`, for a user without a factor whose organization demands one. */
  const withoutFactor = (handler: StepHandler): PageHandler =>
    withTicket((request, user, status) =>
      status.isDue && !status.isSetUp
        ? handler(request, user, status)
        : Effect.succeed(responses.redirect(stepPath(request)))
    )

  /** Starts the session, and continues to the page that the browser wanted. */
  const enter = (request: PageRequest) =>
    Effect.gen(function* () {
      return yield* visitors.enter({ session: yield* steps.completeFactor(ticketOf(request), request.client) }, request)
    }).pipe(Effect.catchTag(["TicketEnded", "UserNotFound"], () => Effect.succeed(startAgain(request))))

  /** Starts the session of a user who set up the first factor, and shows the recovery codes. */
  const enterWithCodes = Effect.fnUntraced(function* (request: PageRequest, codes: RecoveryCodes) {
    const entered = yield* enter(request)
    const { messages, returnTo = homePath } = request
    const page = responses.page(
      { title: messages.recovery.title, main: recoveryCodeList(messages, codes, returnTo) },
      messages
    )
    return withCookiesOf(page, entered)
  })

  const stepPage = ({ messages, returnTo }: PageRequest, status: FactorStatus, problem?: string, code = 403) => {
    const { step } = messages
    const hasCodes = status.app === "confirmed" || status.recoveryCodes > 0
    const hasPasskeys = status.passkeys > 0 && passkeys.isAvailable
    const main = html`
      <section class="card">
        <h1>${step.title}</h1>
        ${problem !== undefined && notice(problem, true)}
        ${
          hasPasskeys &&
          passkeyForm(messages, {
            kind: "get",
            path: factorPasskeyPath,
            button: step.passkey,
            fields: hiddenReturn(returnTo),
            isSecondary: hasCodes
          })
        }
        ${hasPasskeys && hasCodes && html`<p class="or">${messages.or}</p>`}
        ${
          hasCodes &&
          html`
            <form method="post" action="${factorPath}">
              ${hiddenReturn(returnTo)} ${codeField(step.code, true)}
              <button>${step.continue}</button>
            </form>
          `
        }
      </section>
    `
    return responses.page({ title: step.title, main, ...(hasPasskeys && { script }) }, messages, {
      status: problem === undefined ? 200 : code
    })
  }

  const setupPage = ({ messages, returnTo }: PageRequest, { demandedBy }: FactorStatus, problem?: string) => {
    const { app, factor, passkeys: texts, step } = messages
    const main = html`
      <section class="card">
        <h1>${factor.title}</h1>
        ${problem !== undefined && notice(problem, true)}
        <p>${fill(step.setUp, demandedBy.join(", "))}</p>
        <h2>${app.title}</h2>
        <p>${app.about}</p>
        <form method="post" action="${firstAppPath}">
          ${hiddenReturn(returnTo)}
          <div><button>${app.setUp}</button></div>
        </form>
        ${
          passkeys.isAvailable &&
          html`
            <p class="or">${messages.or}</p>
            <h2>${texts.title}</h2>
            <p>${texts.about}</p>
            ${passkeyForm(messages, {
              kind: "create",
              path: firstPasskeyPath,
              button: texts.add,
              fields: hiddenReturn(returnTo),
              isSecondary: true
            })}
          `
        }
      </section>
    `
    return responses.page({ title: factor.title, main, script }, messages, {
      status: problem === undefined ? 200 : 403
    })
  }

  const checkCode: StepHandler = Effect.fnUntraced(function* (request, user, status) {
    const now = yield* Clock.currentTimeMillis
    return yield* factors.check(user, request.form.get("code") ?? "").pipe(
      Effect.andThen(enter(request)),
      Effect.catchTag("CodeRefused", (refused) =>
        Effect.succeed(
          stepPage(
            request,
            status,
            refusalText(request.messages, refused, now),
            refused.reason === "paused" ? 429 : 403
          )
        )
      )
    )
  })

  const checkPasskey: StepHandler = Effect.fnUntraced(function* (request, user, status) {
    const { form, messages } = request
    return yield* passkeys
      .verify({ response: form.get("response") ?? "", browser: passkeyBrowser(request), user })
      .pipe(
        Effect.andThen(enter(request)),
        Effect.catchTag("PasskeyRefused", () => Effect.succeed(stepPage(request, status, messages.passkeys.failed)))
      )
  })

  /** Starts the setup of the first app, or confirms it by the code in the form. */
  const firstApp: StepHandler = Effect.fnUntraced(function* (request, user) {
    const { form, messages } = request
    const now = yield* Clock.currentTimeMillis
    const page = (setup: Parameters<typeof appSetupForm>[2], problem?: string) =>
      responses.page(
        {
          title: messages.app.setUp,
          main: html`
            <section class="card">
              <h1>${messages.app.setUp}</h1>
              ${problem !== undefined && notice(problem, true)}
              ${appSetupForm(messages, firstAppPath, setup, hiddenReturn(request.returnTo))}
            </section>
          `
        },
        messages,
        { status: problem === undefined ? 200 : 403 }
      )
    const code = form.get("code")
    const step: Effect.Effect<Response, CodeRefused | AppInUse | FactorMissing | StorageError> =
      code === null
        ? Effect.map(factors.setUpApp(user), (setup) => page(setup))
        : Effect.flatMap(factors.confirmApp(user, code), (codes) => enterWithCodes(request, codes))
    return yield* step.pipe(
      Effect.catchTags({
        AppInUse: () => Effect.succeed(responses.redirect(stepPath(request))),
        CodeRefused: (refused) => Effect.succeed(page(undefined, refusalText(messages, refused, now))),
        FactorMissing: () => Effect.succeed(responses.redirect(stepPath(request)))
      })
    )
  })

  const firstPasskey: StepHandler = Effect.fnUntraced(function* (request, user, status) {
    const { client, form, messages } = request
    const refuse = () => Effect.succeed(setupPage(request, status, messages.passkeys.failed))
    return yield* passkeys
      .create(user, {
        response: form.get("response") ?? "",
        browser: passkeyBrowser(request),
        name: client.device ?? messages.passkeys.title
      })
      .pipe(
        Effect.andThen(factors.createRecoveryCodes(user)),
        Effect.flatMap((codes) => enterWithCodes(request, codes)),
        Effect.catchTag(["FactorMissing", "InvalidInput", "PasskeyRefused", "TooManyPasskeys"], refuse)
      )
  })

  return {
    [factorPath]: {
      get: withTicket((request, _, status) =>
        Effect.succeed(status.isSetUp ? stepPage(request, status) : setupPage(request, status))
      ),
      post: withTicket(checkCode)
    },
    [factorPasskeyPath]: { post: withTicket(checkPasskey) },
    [optionsPath(factorPasskeyPath)]: {
      get: withTicket(
        Effect.fnUntraced(function* (request, user) {
          const { secret, cookies } = yield* browserOf(request)
          return yield* passkeys.requestOptions(secret, user).pipe(
            Effect.map((options) => responses.json(options, { cookies })),
            Effect.catchTag("PasskeysUnavailable", () => Effect.succeed(refusal))
          )
        })
      )
    },
    [firstAppPath]: {
      get: (request) => Effect.succeed(responses.redirect(stepPath(request))),
      post: withoutFactor(firstApp)
    },
    [firstPasskeyPath]: { post: withoutFactor(firstPasskey) },
    [optionsPath(firstPasskeyPath)]: {
      get: withoutFactor(
        Effect.fnUntraced(function* (request, user) {
          const { secret, cookies } = yield* browserOf(request)
          return yield* passkeys.creationOptions(user, secret).pipe(
            Effect.map((options) => responses.json(options, { cookies })),
            Effect.catchTag(["PasskeysUnavailable", "TooManyPasskeys"], () => Effect.succeed(refusal))
          )
        })
      )
    }
  } satisfies PageRoutes
})

/** Returns a response with the cookies of another one. */
const withCookiesOf = (response: Response, { cookies }: Response): Response =>
  HttpServerResponse.mergeCookies(response, cookies)
