/**
 * Routes for signing on by OpenID Connect with a browser, and for log-out. They are outside the API, since the user has no
 * token yet:
 *
 * - `GET /oidc/{id}/start` redirects to the identity provider.
 * - `GET /oidc/{id}/callback` receives the browser with a code, and requires the cookie of `start`. The browser comes by
 *   a navigation, with which it sends its cookies.
 * - `POST /oidc/{id}/sign-out` ends the session of the browser here and redirects it to the identity provider, which
 *   returns it to `GET /oidc/{id}/signed-out`. A page with a `form-action` policy has to allow the identity provider.
 * - `POST /oidc/{id}/backchannel-logout` receives log-out tokens of the identity provider.
 * - `GET /oidc/{id}/frontchannel-logout` ends the session that the identity provider names, in a frame of its page.
 */
import { OidcSignOn } from "@lectern/core/sso/OidcSignOn"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { isOwnRequest } from "@lectern/core/token/SessionCookie"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { errorResponse } from "./Responses.ts"
import { oidcPaths, type PlainHandler } from "./Routes.ts"
import { page, privateHeaders, privateHeadersFramedBy } from "./PlainPages.ts"
import { handlerFor, parameter, queryOf, redirect, signOnResponses } from "./SignOnResponses.ts"

const handler = handlerFor("oidcProviderId")

export const oidcSignOnHandlers = Effect.gen(function* () {
  const signOn = yield* OidcSignOn
  const publicUrl = yield* PublicUrl
  const { begun, beginOptions, finished, finishOptions, forgetSession, sessionOf, waiting } = signOnResponses(publicUrl)

  return {
    [oidcPaths.start]: handler((provider, request) => Effect.map(signOn.begin(provider, beginOptions(request)), begun)),
    [oidcPaths.callback]: handler((provider, request) =>
      Effect.flatMap(signOn.finish(provider, { query: queryOf(request), ...finishOptions(request) }), (result) =>
        "factor" in result ? Effect.succeed(waiting(result)) : finished(request, result)
      )
    ),
    [oidcPaths.signOut]: handler((provider, request) =>
      isOwnRequest(publicUrl, request)
        ? Effect.map(signOn.signOut(sessionOf(request) ?? ""), (url) =>
            redirect(url ?? `${publicUrl}/oidc/${encodeURIComponent(provider)}/signed-out`, forgetSession)
          )
        : Effect.succeed(errorResponse(403, "Only a page of this server can sign its user out"))
    ),
    [oidcPaths.signedOut]: () =>
      Effect.succeed(page({ title: "You are signed out", paragraphs: ["You can close this page."] })),
    [oidcPaths.backchannelLogout]: handler((provider, request) =>
      Effect.flatMap(Effect.orDie(request.text), (body) =>
        signOn.backchannelLogout(provider, parameter(body, "logout_token") ?? "").pipe(
          Effect.as(HttpServerResponse.empty({ status: 200, headers: privateHeaders })),
          // The specification demands this status for an invalid token.
          Effect.catchTag("SignOnRefused", ({ message }) =>
            Effect.succeed(errorResponse(400, message, { headers: privateHeaders }))
          )
        )
      )
    ),
    [oidcPaths.frontchannelLogout]: handler((provider, request) => {
      const query = queryOf(request)
      const [issuer, session] = [parameter(query, "iss"), parameter(query, "sid")]
      return Effect.map(signOn.frontchannelLogout(provider, { issuer, session }), (issuer) =>
        page(
          { title: "You are signed out", paragraphs: ["You can close this page."] },
          { headers: privateHeadersFramedBy(issuer) }
        )
      )
    })
  } satisfies Record<(typeof oidcPaths)[keyof typeof oidcPaths], PlainHandler>
})
