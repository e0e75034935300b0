/**
 * Routes for signing on with a browser. They are outside the API, since the user has no token yet:
 *
 * - `GET /saml/{id}/start` redirects to the identity provider.
 * - `POST /saml/{id}/acs` receives the SAML response and redirects to `finish`.
 * - `GET /saml/{id}/finish` requires the cookie of `start`. The SAML response comes from another site, so a cookie that
 *   is sent with it could belong to another browser.
 * - `GET /saml/{id}/metadata` describes Lectern to the identity provider.
 *
 * A browser that named a `returnTo` is redirected there with the cookie of its session (see `SessionCookie`). Without a
 * `returnTo` the page displays the token; a client that accepts only JSON gets JSON.
 */
import { SignOn, type SignOnClient, type SignOnResult } from "@lectern/core/sso/SignOn"
import { requestLifetime } from "@lectern/core/sso/SignOnRequests"
import { deviceOf } from "@lectern/core/token/Device"
import { cookieName, sessionCookieName, setCookie, setSessionCookie } from "@lectern/core/token/SessionCookie"
import { Effect, Option, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { failureResponse } from "./Responses.ts"
import { type PlainHandler, signOnPaths } from "./Routes.ts"
import { page, privateHeaders } from "./SignOnPages.ts"

type Request = HttpServerRequest.HttpServerRequest

interface Failure {
  readonly _tag: string
  readonly message: string
}

const accepts = ({ headers }: Request, type: string): boolean =>
  (headers["accept"] ?? "")
    .toLowerCase()
    .split(/[,;\s]+/)
    .includes(type)

const wantsPage = (request: Request): boolean => accepts(request, "text/html")

const wantsJson = (request: Request): boolean => !wantsPage(request) && accepts(request, "application/json")

const failureResponseFor = (request: Request, failure: Failure): HttpServerResponse.HttpServerResponse => {
  const response = failureResponse(failure)
  return wantsPage(request)
    ? page({ title: "Sign-on failed", paragraphs: [`${failure.message}.`] }, { status: response.status })
    : HttpServerResponse.setHeaders(response, privateHeaders)
}

const redirect = (location: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.empty({ status: 303, headers: { ...privateHeaders, location, ...headers } })

/** Returns the last value of a parameter. */
const parameter = (text: string, name: string): string | undefined => new URLSearchParams(text).getAll(name).at(-1)

const queryOf = ({ url }: Request): string => {
  const start = url.indexOf("?")
  return start === -1 ? "" : url.slice(start + 1)
}

export const signOnHandlers = Effect.gen(function* () {
  const signOn = yield* SignOn
  const { publicUrl } = signOn
  const begunCookie = cookieName(publicUrl, "sign_on")
  const sessionCookie = sessionCookieName(publicUrl)

  const finished = (request: Request, session: SignOnResult) => {
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

  const redirectBack = ({ token, expiresAt, returnTo }: SignOnResult, now: number) =>
    redirect(returnTo!, {
      "set-cookie": setSessionCookie(publicUrl, Redacted.value(token), expiresAt, now)
    })

  const handler =
    (
      answer: (provider: string, request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>
    ): PlainHandler =>
    (request, { samlProviderId = "" }) =>
      Effect.matchEffect(answer(samlProviderId, request), {
        onSuccess: Effect.succeed,
        onFailure: (failure) =>
          failure._tag === "StorageError" ? Effect.die(failure) : Effect.succeed(failureResponseFor(request, failure))
      })

  const clientOf = (request: Request): SignOnClient => {
    const device = deviceOf(request.headers["user-agent"])
    const address = Option.getOrUndefined(request.remoteAddress)
    return {
      ...(device !== undefined && { device }),
      ...(address !== undefined && { address }),
      replaces: request.cookies[sessionCookie]
    }
  }

  return {
    [signOnPaths.metadata]: handler((provider) =>
      Effect.map(signOn.metadata(provider), (xml) =>
        HttpServerResponse.text(xml, {
          contentType: "application/samlmetadata+xml",
          headers: { "x-content-type-options": "nosniff" }
        })
      )
    ),
    [signOnPaths.start]: handler((provider, request) =>
      Effect.map(
        signOn.begin(provider, {
          returnTo: parameter(queryOf(request), "returnTo"),
          browserState: request.cookies[begunCookie]
        }),
        ({ url, browserState }) =>
          HttpServerResponse.empty({
            status: 302,
            headers: {
              ...privateHeaders,
              location: url,
              "set-cookie": setCookie(publicUrl, "sign_on", Redacted.value(browserState), requestLifetime / 1000)
            }
          })
      )
    ),
    [signOnPaths.acs]: handler((provider, request) =>
      Effect.flatMap(Effect.orDie(request.text), (body) =>
        Effect.map(signOn.receive(provider, parameter(body, "SAMLResponse") ?? ""), ({ code }) =>
          redirect(`${publicUrl}/saml/${encodeURIComponent(provider)}/finish?code=${Redacted.value(code)}`)
        )
      )
    ),
    [signOnPaths.finish]: handler((provider, request) =>
      Effect.flatMap(
        signOn.finish(provider, {
          code: parameter(queryOf(request), "code") ?? "",
          browserState: request.cookies[begunCookie],
          client: clientOf(request)
        }),
        (session) =>
          session.returnTo === undefined || wantsJson(request)
            ? Effect.succeed(finished(request, session))
            : Effect.clockWith((clock) => Effect.map(clock.currentTimeMillis, (now) => redirectBack(session, now)))
      )
    )
  } satisfies Record<(typeof signOnPaths)[keyof typeof signOnPaths], PlainHandler>
})
