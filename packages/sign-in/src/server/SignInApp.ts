/**
 * The pages for signing in and for the account, below `/-/` of the server's own origin. They work without scripts, except
 * for passkeys.
 *
 * A form counts only if a page of this origin sent it, so no other website can sign a browser in or out, or act for its
 * user. Paths without a page are a 404 of their own. Limit: forms of 64 KiB.
 */
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import type { StorageError } from "@lectern/core/storage/Storage"
import { isOwnRequest } from "@lectern/core/token/SessionCookie"
import { html } from "@lectern/site/html/Html"
import { Effect, Layer } from "effect"
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { type PageMessages, pageMessages } from "../page/PageMessages.ts"
import { makeAccountPages } from "./AccountPages.ts"
import { makeLinkPages } from "./LinkPages.ts"
import { makeFactorPages } from "./FactorPages.ts"
import { makePasskeyPages } from "./PasskeyPages.ts"
import { makeSecondFactorPages } from "./SecondFactorPages.ts"
import { readRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import type { PageRoutes } from "./PageRoutes.ts"
import { accountPath } from "./Paths.ts"
import { makePasswordPages } from "./PasswordPages.ts"
import { makeSignInPages } from "./SignInPages.ts"
import { Visitors } from "./Visitors.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface SignInApp {
  readonly respond: (request: Request) => Effect.Effect<Response, StorageError>
  /** Returns the page of an error, for a browser. Responses to programs are returned unchanged. */
  readonly renderError: (request: Request, response: Response) => Response
}

const app = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const responses = yield* PageResponses
  const routes: PageRoutes = {
    ...(yield* makeSignInPages),
    ...(yield* makeLinkPages),
    ...(yield* makeAccountPages),
    ...(yield* makePasswordPages),
    ...(yield* makePasskeyPages),
    ...(yield* makeSecondFactorPages),
    ...(yield* makeFactorPages)
  }

  const message = (messages: PageMessages, status: number, title: string, text: string) =>
    responses.page(
      {
        title,
        main: html`
          <section class="card">
            <h1>${title}</h1>
            <p>${text}</p>
            <p><a href="${accountPath}">${messages.account}</a></p>
          </section>
        `
      },
      messages,
      { status }
    )

  const respond = Effect.fnUntraced(function* (request: Request): Effect.fn.Return<Response, StorageError> {
    const messages = pageMessages(request.headers["accept-language"])
    const pageRequest = yield* Effect.option(readRequest(publicUrl, request))
    if (pageRequest._tag === "None") return message(messages, 413, messages.failed, messages.failedText)
    const { path } = pageRequest.value
    const route = Object.hasOwn(routes, path) ? routes[path]! : undefined
    if (route === undefined) return message(messages, 404, messages.notFound, messages.notFoundText)
    const { method } = request
    const handler = method === "GET" || method === "HEAD" ? route.get : method === "POST" ? route.post : undefined
    if (handler === undefined) {
      const allow = [...(route.get ? ["GET", "HEAD"] : []), ...(route.post ? ["POST"] : [])].join(", ")
      return HttpServerResponse.setHeader(
        message(messages, 405, messages.notFound, messages.notFoundText),
        "allow",
        allow
      )
    }
    if (method === "POST" && !isOwnRequest(publicUrl, request))
      return message(messages, 403, messages.refused, messages.refusedText)
    return yield* handler(pageRequest.value)
  })

  return {
    respond,
    renderError: (request, response) => {
      if (!request.headers["accept"]?.includes("text/html")) return response
      const messages = pageMessages(request.headers["accept-language"])
      return message(messages, response.status, messages.failed, messages.failedText)
    }
  } satisfies SignInApp
})

/** Creates the app over the services of the extension `SignIn`. */
export const make = Effect.provide(app, Layer.provideMerge(Visitors.layer, PageResponses.layer))
