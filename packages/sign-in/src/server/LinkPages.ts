/**
 * Page of a link. Opening the link only moves its secret to a cookie, so that no address of a page contains it, and
 * shows who is about to sign in. The button of the page uses the link.
 */
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { setCookie } from "@lectern/core/token/SessionCookie"
import { html } from "@lectern/site/html/Html"
import { Effect } from "effect"
import { SignInLinks } from "../link/SignInLinks.ts"
import { fill, type PageMessages } from "../page/PageMessages.ts"
import { SignInSteps } from "../step/SignInSteps.ts"
import type { PageRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import type { PageRoutes } from "./PageRoutes.ts"
import { linkPath, newPasswordPath, signInPath } from "./Paths.ts"
import { Visitors } from "./Visitors.ts"

/** Time in s for which a browser keeps the secret of a link that it opened. */
const cookieSeconds = 30 * 60

export const makeLinkPages = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const responses = yield* PageResponses
  const visitors = yield* Visitors
  const links = yield* SignInLinks
  const steps = yield* SignInSteps
  const forget = setCookie(publicUrl, "link", "", 0)

  const ended = (messages: PageMessages) =>
    responses.page(
      {
        title: messages.linkEnded,
        main: html`
          <section class="card">
            <h1>${messages.linkEnded}</h1>
            <p>${messages.linkEndedText}</p>
            <p><a href="${signInPath}">${messages.signIn}</a></p>
          </section>
        `
      },
      messages,
      { status: 404, cookies: [forget] }
    )

  const use = Effect.fnUntraced(function* (request: PageRequest) {
    const { purpose, user } = yield* links.use(request.cookie("link") ?? "")
    const result = yield* steps.complete({ user, method: "link", ...request.client })
    const returnTo = purpose === "password" ? newPasswordPath : request.returnTo
    return yield* visitors.enter(result, request, returnTo, [forget])
  })

  return {
    [linkPath]: {
      get: (request) =>
        Effect.gen(function* () {
          const { messages, query, returnTo } = request
          const secret = query.get("token")
          if (secret !== null) {
            if (!/^[\w-]{1,64}$/.test(secret)) return ended(messages)
            const path = returnTo === undefined ? linkPath : `${linkPath}?to=${encodeURIComponent(returnTo)}`
            const headers = { "referrer-policy": "no-referrer" }
            return responses.redirect(path, { headers, cookies: [setCookie(publicUrl, "link", secret, cookieSeconds)] })
          }
          const { email, purpose } = yield* links.find(request.cookie("link") ?? "")
          const [title, text, button] = {
            "sign-in": [messages.signIn, messages.linkText, messages.signIn],
            password: [messages.newPasswordTitle, messages.linkText, messages.newPassword],
            invitation: [messages.invitationTitle, messages.invitationText, messages.join]
          }[purpose] as [string, string, string]
          return responses.page(
            {
              title,
              main: html`
                <section class="card">
                  <h1>${title}</h1>
                  <p>${fill(text, email)}</p>
                  <form method="post" action="${linkPath}">
                    ${returnTo !== undefined && html`<input type="hidden" name="to" value="${returnTo}" />`}
                    <button>${button}</button>
                  </form>
                </section>
              `
            },
            messages
          )
        }).pipe(Effect.catchTag("LinkEnded", () => Effect.succeed(ended(request.messages)))),

      post: (request) =>
        use(request).pipe(Effect.catchTag(["LinkEnded", "UserNotFound"], () => Effect.succeed(ended(request.messages))))
    }
  } satisfies PageRoutes
})
