/**
 * Scopes of a user's token: what it may be used for, within what its user may do. A token without scopes may be
 * used for everything. Those that integrations have, too, have the names that they have there (see
 * `IntegrationManifest`); the operations that each allows stand beside the operations, in the interface.
 *
 * A scope that ends in `:write` allows what its `:read` does.
 */
import { Schema } from "effect"

export const TokenScope = Schema.Literals([
  "user:read",
  "user:write",
  "organization:read",
  "organization:write",
  "audit:read",
  "space:metadata:read",
  "space:metadata:write",
  "space:content:read",
  "space:content:write",
  "space:comment:write",
  "space:review",
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

/** True if a token with these scopes may do what `scope` allows. Undefined scopes allow everything. */
export const covers = (scopes: ReadonlyArray<TokenScope> | undefined, scope: TokenScope): boolean =>
  scopes === undefined ||
  scopes.includes(scope) ||
  (scope.endsWith(":read") && (scopes as ReadonlyArray<string>).includes(scope.replace(/read$/, "write")))
