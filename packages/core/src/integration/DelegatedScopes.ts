/**
 * Scopes that an actor's token needs to grant an integration access: by publishing its program, redirecting its events
 * to a tunnel, granting scopes, or requesting a token of an installation. Otherwise a program could do operations that
 * the token does not allow.
 */
import { Effect } from "effect"
import { requireScope } from "../access/Actor.ts"
import { TokenScope } from "../token/TokenScope.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"

/** Scope of tokens that is equivalent to an integration scope that tokens lack. Undefined: no scope is needed. */
const equivalentScope: Readonly<Record<Exclude<IntegrationScope, TokenScope>, TokenScope | undefined>> = {
  "page:feedback:read": "site:metadata:read",
  "site:views:read": "site:metadata:read",
  "site:script:inject": "site:metadata:write",
  "site:script:cookies": "site:metadata:write",
  // Requires the scope to publish, since integrations that sign in visitors have the signing key of visitor tokens.
  "site:visitor:auth": "site:publish",
  "site:visitor:claims": "site:metadata:read",
  "conversations:ingest": undefined
}

const isTokenScope = (scope: IntegrationScope): scope is IntegrationScope & TokenScope => !(scope in equivalentScope)

/** Fails with `Forbidden` if the actor's token lacks one of the scopes. */
export const requireDelegable = (scopes: ReadonlyArray<IntegrationScope>, action: string) =>
  Effect.forEach(
    scopes,
    (scope) => {
      const own = isTokenScope(scope) ? scope : equivalentScope[scope]
      return own === undefined ? Effect.void : requireScope(own, action)
    },
    { discard: true }
  )
