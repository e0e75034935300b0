/**
 * Responses to browsers that sign on, for each protocol: the redirect to the identity provider, the session, and
 * failures.
 *
 * A browser that named a `returnTo` is redirected there with the cookie of its session (see `SessionCookie`). Without a
 * `returnTo` the page displays the token; a client that accepts only JSON gets JSON.
 */
import type { WaitingSignOn } from "@lectern/core/sso/OidcSignOn"
import { requestLifetime } from "@lectern/core/sso/SignOnRequests"
import type { SignOnClient, SignOnResult } from "@lectern/core/sso/SignOnSessions"
import { deviceOf } from "@lectern/core/token/Device"
import { cookieName, sessionCookieName, setCookie, setSessionCookie } from "@lectern/core/token/SessionCookie"
import { Effect, Option, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { failureResponse } from "./Responses.ts"
import type { PlainHandler } from "./Routes.ts"
import { page, privateHeaders } from "./PlainPages.ts"

export type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

interface Failure {
  readonly _tag: string
  readonly message: string
}

const accepts = ({ headers }: Request, type: string): boolean =>
  (headers["accept"] ?? "")
    .toLowerCase()
    .split(/[,;\s]+/)
    .includes(type)

export const wantsPage = (request: Request): boolean => accepts(request, "text/html")

const wantsJson = (request: Request): boolean => !wantsPage(request) && accepts(request, "application/json")

const failureResponseFor = (request: Request, failure: Failure): Response => {
  const response = failureResponse(failure)
  return wantsPage(request)
    ? page({ title: "Sign-on failed", paragraphs: [`${failure.message}.`] }, { status: response.status })
    : HttpServerResponse.setHeaders(response, privateHeaders)
}

export const redirect = (location: string, headers: Record<string, string> = {}): Response =>
  HttpServerResponse.empty({ status: 303, headers: { ...privateHeaders, location, ...headers } })

/** Returns the last value of a parameter. */
export const parameter = (text: string, name: string): string | undefined =>
  new URLSearchParams(text).getAll(name).at(-1)

export const queryOf = ({ url }: Request): string => {
  const start = url.indexOf("?")
  return start === -1 ? "" : url.slice(start + 1)
}

/** Returns a handler for the provider in a parameter of the path. Failures become pages or error bodies. */
export const handlerFor =
  (param: string) =>
  (respond: (provider: string, request: Request) => Effect.Effect<Response, Failure>): PlainHandler =>
  (request, params) =>
    Effect.matchEffect(respond(params[param] ?? "", request), {
      onSuccess: Effect.succeed,
      onFailure: (failure) =>
        failure._tag === "StorageError" ? Effect.die(failure) : Effect.succeed(failureResponseFor(request, failure))
    })

/** Returns the responses of the server with this URL. */
export const signOnResponses = (publicUrl: string) => {
  const begunCookie = cookieName(publicUrl, "sign_on")
  const sessionCookie = sessionCookieName(publicUrl)

  const display = (request: Request, session: SignOnResult): Response => {
    const { token, expiresAt, organization, user, email } = session
    const forget = { "set-cookie": setCookie(publicUrl, "sign_on", "", 0) }
    const secret = Redacted.value(token)
    if (wantsJson(request)) {
      return HttpServerResponse.text(
        JSON.stringify({ object: "sso-session", token: secret, expiresAt, organization, user, email }),
        { contentType: "application/json", headers: { ...privateHeaders, ...forget } }
      )
    }
    return page(
      {
        title: "You are signed on",
        paragraphs: [`As ${email}, until ${expiresAt}. Copy your token now: it is displayed only once.`],
        code: secret
      },
      { headers: forget }
    )
  }

  return {
    /** Returns the secret of the browser's session; undefined without one. */
    sessionOf: ({ cookies }: Request): string | undefined => cookies[sessionCookie],

    /** Header that deletes the cookie of the session. */
    forgetSession: { "set-cookie": setCookie(publicUrl, "session", "", 0) },

    /** Returns the options that a sign-on starts with. */
    beginOptions: (request: Request) => ({
      returnTo: parameter(queryOf(request), "returnTo"),
      browserState: request.cookies[begunCookie]
    }),

    /** Returns the browser's part of the options that a sign-on ends with. */
    finishOptions: (request: Request): { readonly browserState: string | undefined; readonly client: SignOnClient } => {
      const device = deviceOf(request.headers["user-agent"])
      const address = Option.getOrUndefined(request.remoteAddress)
      return {
        browserState: request.cookies[begunCookie],
        client: {
          ...(device !== undefined && { device }),
          ...(address !== undefined && { address }),
          replaces: request.cookies[sessionCookie]
        }
      }
    },

    /** Sends the browser to the identity provider. */
    begun: ({ url, browserState }: { readonly url: string; readonly browserState: Redacted.Redacted }): Response =>
      HttpServerResponse.empty({
        status: 302,
        headers: {
          ...privateHeaders,
          location: url,
          "set-cookie": setCookie(publicUrl, "sign_on", Redacted.value(browserState), requestLifetime / 1000)
        }
      }),

    /** Sends the browser to the page of the second factor, with the ticket in a cookie. */
    waiting: ({ factor, returnTo }: WaitingSignOn): Response =>
      redirect(publicUrl + factor.path + (returnTo === undefined ? "" : `?to=${encodeURIComponent(returnTo)}`), {
        "set-cookie": setCookie(publicUrl, "factor", Redacted.value(factor.ticket), factor.seconds)
      }),

    /** Passes the session to the browser. */
    finished: (request: Request, session: SignOnResult): Effect.Effect<Response> =>
      session.returnTo === undefined || wantsJson(request)
        ? Effect.succeed(display(request, session))
        : Effect.clockWith((clock) =>
            Effect.map(clock.currentTimeMillis, (now) =>
              redirect(session.returnTo!, {
                "set-cookie": setSessionCookie(publicUrl, Redacted.value(session.token), session.expiresAt, now)
              })
            )
          )
  }
}
