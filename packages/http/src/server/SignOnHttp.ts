/**
 * Routes for signing on by SAML with a browser. They are outside the API, since the user has no token yet:
 *
 * - `GET /saml/{id}/start` redirects to the identity provider.
 * - `POST /saml/{id}/acs` receives the SAML response and redirects to `finish`.
 * - `GET /saml/{id}/finish` requires the cookie of `start`. The SAML response comes from another site, so a cookie that
 *   is sent with it could belong to another browser.
 * - `GET /saml/{id}/metadata` describes Lectern to the identity provider.
 */
import { SignOn } from "@lectern/core/sso/SignOn"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { type PlainHandler, signOnPaths } from "./Routes.ts"
import { handlerFor, parameter, queryOf, redirect, signOnResponses } from "./SignOnResponses.ts"

const handler = handlerFor("samlProviderId")

export const signOnHandlers = Effect.gen(function* () {
  const signOn = yield* SignOn
  const { publicUrl } = signOn
  const { begun, beginOptions, finished, finishOptions } = signOnResponses(publicUrl)

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
      Effect.map(signOn.begin(provider, beginOptions(request)), begun)
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
          ...finishOptions(request)
        }),
        (session) => finished(request, session)
      )
    )
  } satisfies Record<(typeof signOnPaths)[keyof typeof signOnPaths], PlainHandler>
})
