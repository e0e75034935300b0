/**
 * Scopes of a user's token. They restrict the token within the rights of its user. A token without scopes is not
 * restricted. Scopes that integrations also have share their names (see `IntegrationManifest`). Each operation of the
 * interface declares the scopes that allow it.
 *
 * A `:write` scope includes the `:read` scope of the same name.
 */
import { Schema } from "effect"

export const TokenScope = Schema.Literals([
  "user:read",
  "user:write",
  "notification:read",
  "notification:write",
  "organization:read",
  "organization:write",
  "audit:read",
  "event:read",
  "webhook:read",
  "webhook:write",
  "space:metadata:read",
  "space:metadata:write",
  "space:content:read",
  "space:content:write",
  "space:comment:write",
  "space:review",
  "space:check:write",
  "space:git:sync",
  "access:read",
  "access:write",
  "site:metadata:read",
  "site:metadata:write",
  "site:publish",
  "site:adaptive:read",
  "site:adaptive:write",
  "openapi:read",
  "openapi:write",
  "integration:read",
  "integration:write"
])
export type TokenScope = typeof TokenScope.Type

/** At least one scope, without duplicates. */
export const TokenScopes = Schema.Array(TokenScope).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(TokenScope.literals.length),
  Schema.isUnique()
)

/** True if a token with these scopes has the permissions of `scope`. Undefined scopes allow everything. */
export const covers = (scopes: ReadonlyArray<TokenScope> | undefined, scope: TokenScope): boolean =>
  scopes === undefined ||
  scopes.includes(scope) ||
  (scope.endsWith(":read") && (scopes as ReadonlyArray<string>).includes(scope.replace(/read$/, "write")))
