/**
 * Routes by which browsers sign on. They stand beside the interface, since nobody has a token yet:
 *
 * - `GET /saml/{id}/start` sends them to the identity provider
 * - `POST /saml/{id}/acs` takes its answer, and sends them on to
 * - `GET /saml/{id}/finish`, which is asked for with the cookie of `start` (the answer comes from
 *   another site, and a cookie that goes along with that would go along with anybody's)
 * - `GET /saml/{id}/metadata` tells the identity provider about Lectern
 *
 * In the end a browser that named a `returnTo` goes there with the cookie `lectern_session`, which
 * holds its token: for the application that runs there. The interface reads no cookies, so no other
 * site can use one. A browser that named none is shown its token. Who asks for JSON gets JSON.
 */
import { SignOn, type SignedOn } from "@lectern/core/sso/SignOn"
import { requestLifetime } from "@lectern/core/sso/SignOnRequests"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { failureResponse } from "./Answers.ts"
import { page, privately } from "./SignOnPages.ts"

export const signOnPaths = [
  { method: "GET", path: "/saml/:samlProviderId/metadata" },
  { method: "GET", path: "/saml/:samlProviderId/start" },
  { method: "POST", path: "/saml/:samlProviderId/acs" },
  { method: "GET", path: "/saml/:samlProviderId/finish" }
] as const

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

const failed = (request: Request, failure: Failure): HttpServerResponse.HttpServerResponse => {
  const response = failureResponse(failure)
  return wantsPage(request)
    ? page({ title: "Signing on did not work", paragraphs: [`${failure.message}.`] }, { status: response.status })
    : HttpServerResponse.setHeaders(response, privately)
}

const redirect = (location: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.empty({ status: 303, headers: { ...privately, location, ...headers } })

/** The value of the last parameter of this name. */
const parameter = (text: string, name: string): string | undefined => new URLSearchParams(text).getAll(name).at(-1)

const queryOf = ({ url }: Request): string => {
  const start = url.indexOf("?")
  return start === -1 ? "" : url.slice(start + 1)
}

export const SignOnHttp = Layer.unwrap(
  Effect.gen(function* () {
    const signOn = yield* SignOn
    const { publicUrl } = signOn
    const isSecure = publicUrl.startsWith("https:")
    // A cookie that begins so comes from this very host, and went over TLS.
    const prefix = isSecure ? "__Host-" : ""
    const begunCookie = `${prefix}lectern_sign_on`
    const sessionCookie = `${prefix}lectern_session`

    const cookie = (name: string, value: string, seconds: number) =>
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`

    const finished = (request: Request, session: SignedOn) => {
      const { token, expiresAt, organization, user, email } = session
      const forget = { "set-cookie": cookie(begunCookie, "", 0) }
      const secret = Redacted.value(token)
      if (wantsJson(request)) {
        return HttpServerResponse.text(
          JSON.stringify({ object: "sso-session", token: secret, expiresAt, organization, user, email }),
          { contentType: "application/json", headers: { ...privately, ...forget } }
        )
      }
      return page(
        {
          title: "You are signed on",
          paragraphs: [`As ${email}, until ${expiresAt}. This token is shown once; it works as any other:`],
          code: secret
        },
        { headers: forget }
      )
    }

    const returning = ({ token, expiresAt, returnTo }: SignedOn, now: number) =>
      redirect(returnTo!, {
        "set-cookie": cookie(
          sessionCookie,
          Redacted.value(token),
          Math.max(0, Math.floor((Date.parse(expiresAt) - now) / 1000))
        )
      })

    const route = (
      { method, path }: (typeof signOnPaths)[number],
      answer: (provider: string, request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>
    ) =>
      HttpRouter.add(
        method,
        path,
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { samlProviderId = "" } = yield* HttpRouter.params
          return yield* Effect.matchEffect(answer(samlProviderId, request), {
            onSuccess: Effect.succeed,
            onFailure: (failure) =>
              failure._tag === "StorageError" ? Effect.die(failure) : Effect.succeed(failed(request, failure))
          })
        })
      )

    const [metadata, start, acs, finish] = signOnPaths
    return Layer.mergeAll(
      route(metadata, (provider) =>
        Effect.map(signOn.metadata(provider), (xml) =>
          HttpServerResponse.text(xml, {
            contentType: "application/samlmetadata+xml",
            headers: { "x-content-type-options": "nosniff" }
          })
        )
      ),
      route(start, (provider, request) =>
        Effect.map(
          signOn.begin(provider, {
            returnTo: parameter(queryOf(request), "returnTo"),
            kept: request.cookies[begunCookie]
          }),
          ({ url, kept }) =>
            HttpServerResponse.empty({
              status: 302,
              headers: {
                ...privately,
                location: url,
                "set-cookie": cookie(begunCookie, Redacted.value(kept), requestLifetime / 1000)
              }
            })
        )
      ),
      route(acs, (provider, request) =>
        Effect.flatMap(Effect.orDie(request.text), (body) =>
          Effect.map(signOn.receive(provider, parameter(body, "SAMLResponse") ?? ""), ({ code }) =>
            redirect(`${publicUrl}/saml/${encodeURIComponent(provider)}/finish?code=${Redacted.value(code)}`)
          )
        )
      ),
      route(finish, (provider, request) =>
        Effect.flatMap(
          signOn.finish(provider, {
            code: parameter(queryOf(request), "code") ?? "",
            kept: request.cookies[begunCookie]
          }),
          (session) =>
            session.returnTo === undefined || wantsJson(request)
              ? Effect.succeed(finished(request, session))
              : Effect.clockWith((clock) => Effect.map(clock.currentTimeMillis, (now) => returning(session, now)))
        )
      )
    )
  })
)
