/**
 * Scopes of a token with which somebody lets an integration do something: by publishing its program, sending
 * its events to a tunnel, agreeing to its scopes, or making a token of an installation. Whoever could do that with
 * less would have the program do what the token may not.
 */
import { Effect } from "effect"
import { requireScope } from "../access/Actor.ts"
import { TokenScope } from "../token/TokenScope.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"

/** Scope of tokens that comes to the same, for those of integrations that tokens don't have; undefined for none. */
const sameAs: Readonly<Record<Exclude<IntegrationScope, TokenScope>, TokenScope | undefined>> = {
  "page:feedback:read": "site:metadata:read",
  "site:views:read": "site:metadata:read",
  "site:script:inject": "site:metadata:write",
  "site:script:cookies": "site:metadata:write",
  // Who signs visitors on has the key of their tokens.
  "site:visitor:auth": "site:publish",
  "site:visitor:claims": "site:metadata:read",
  "conversations:ingest": undefined
}

const isOfTokens = (scope: IntegrationScope): scope is IntegrationScope & TokenScope => !(scope in sameAs)

/** Refuses a token whose scopes leave out one of these. */
export const requireLent = (scopes: ReadonlyArray<IntegrationScope>, action: string) =>
  Effect.forEach(
    scopes,
    (scope) => {
      const own = isOfTokens(scope) ? scope : sameAs[scope]
      return own === undefined ? Effect.void : requireScope(own, action)
    },
    { discard: true }
  )
