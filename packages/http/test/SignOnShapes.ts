/** Shapes of SAML providers, as the interface promises them. Written apart from the schemas of the core. */
import { Schema } from "effect"
import { DateTime, Id, kind, Role, Team, Text, Url } from "./Shapes.ts"

const maybe = Schema.optionalKey

export const SamlProvider = Schema.Struct({
  ...kind("saml-provider"),
  id: Id,
  label: Text,
  ssoURL: maybe(Text),
  entityID: maybe(Text),
  certificate: maybe(Text),
  defaultTeam: maybe(Team),
  defaultRole: Schema.NullOr(Role),
  createdAt: DateTime,
  status: Schema.Literals(["active", "pending"]),
  service: Schema.Struct({ acsURL: Url, startURL: Url, entityID: Url }),
  urls: Schema.Struct({ location: Url })
})

export const OidcProvider = Schema.Struct({
  ...kind("oidc-provider"),
  id: Id,
  label: Text,
  issuer: maybe(Text),
  clientID: maybe(Text),
  hasClientSecret: Schema.Boolean,
  scopes: Schema.Array(Text),
  emailDomains: Schema.Array(Text),
  emailVerifiedClaim: Text,
  groupsClaim: maybe(Text),
  groups: Schema.Array(Schema.Struct({ group: Text, role: maybe(Role), teams: maybe(Schema.Array(Id)) })),
  defaultTeam: maybe(Team),
  defaultRole: Schema.NullOr(Role),
  createdAt: DateTime,
  status: Schema.Literals(["active", "pending"]),
  service: Schema.Struct({
    redirectURL: Url,
    startURL: Url,
    backchannelLogoutURL: Url,
    frontchannelLogoutURL: Url,
    postLogoutRedirectURL: Url
  }),
  urls: Schema.Struct({ location: Url })
})

export const SsoLogins = Schema.Struct({
  items: Schema.Array(Schema.Struct({ ...kind("sso-provider"), id: Id, label: Text, startURL: Url }))
})

export const SsoSession = Schema.Struct({
  ...kind("sso-session"),
  token: Text,
  expiresAt: DateTime,
  organization: Id,
  user: Id,
  email: Text
})
