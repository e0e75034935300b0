/**
 * An OpenID Connect provider: an identity provider with which members of an organization sign in. It is active once
 * `issuer` and `clientID` are set; until then it is `pending`, and `service` contains the URLs to register at the
 * identity provider. The client secret is stored encrypted and never returned.
 *
 * `groups` maps groups of the identity provider to teams and roles of the organization (see `GroupRights`).
 *
 * Limits: label 1 to 30 characters, issuer 1,024, client id and client secret 1,024, 20 scopes, 20 domains, names of
 * claims 100; 100 groups of up to 256 characters with 20 teams each; 100 providers in an organization.
 */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { Team } from "../team/Team.ts"
import { label, providerFields, ProviderStatus, SignOnProviderId, TeamId } from "./SignOnProvider.ts"

export const defaultScopes: ReadonlyArray<string> = ["openid", "email", "profile"]
export const defaultVerifiedClaim = "email_verified"

export const Issuer = Text.between(1, 1024).check(
  Schema.makeFilter((text: string) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && !/[?#\s]/.test(text)
      ? undefined
      : "Expected an http or https URL without a user name, ? or #"
  })
)

/** Printable ASCII, as OAuth 2.0 defines client ids and client secrets. */
export const clientText = Text.between(1, 1024).check(
  Schema.isPattern(/^[\x20-\x7e]+$/, { message: "Expected printable ASCII" })
)

const Scope = Text.between(1, 256).check(
  Schema.isPattern(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { message: 'Expected a scope without spaces, " and \\' })
)
const Scopes = Schema.Array(Scope).check(
  Schema.isMaxLength(20),
  Schema.makeFilter((scopes: ReadonlyArray<string>) =>
    scopes.includes("openid") ? undefined : "Expected the scope openid among the scopes"
  )
)

const EmailDomains = Schema.Array(
  Text.between(1, 253).check(
    Schema.isPattern(/^[^\s@]+\.[^\s@]+$/, { message: "Expected a domain, such as example.com" })
  )
).check(Schema.isMaxLength(20))

const ClaimName = Text.line(1, 100)

/** Rights of the members of a group of the identity provider. */
export const OidcGroup = Schema.Struct({
  /** Name or id of the group, as the identity provider sends it. */
  group: Text.line(1, 256),
  /** Role in the organization. Default: none. */
  role: Schema.optionalKey(Role),
  /** Ids of teams that the members of the group join. Default: none. */
  teams: Schema.optionalKey(Schema.Array(TeamId).check(Schema.isMaxLength(20)))
})
export type OidcGroup = typeof OidcGroup.Type

const Groups = Schema.Array(OidcGroup).check(
  Schema.isMaxLength(100),
  Schema.makeFilter((groups: ReadonlyArray<OidcGroup>) =>
    new Set(groups.map(({ group }) => group)).size === groups.length ? undefined : "Expected each group once"
  )
)

/** Settings that are required for sign-in by OpenID Connect, of an organization or of the server. */
export const settings = {
  /** Scopes of the request. Absent: `openid`, `email` and `profile`. */
  scopes: Schema.optionalKey(Scopes),
  /** Domains of the e-mail addresses that may sign in. Absent or empty: all. */
  emailDomains: Schema.optionalKey(EmailDomains),
  /** Claim that states that the e-mail address is verified. Absent: `email_verified`. */
  emailVerifiedClaim: Schema.optionalKey(ClaimName)
}

/** `trust` changes with `issuer` and `clientID`. */
export const OidcProviderRow = Schema.Struct({
  ...providerFields,
  ...settings,
  issuer: Schema.optionalKey(Issuer),
  clientID: Schema.optionalKey(clientText),
  clientSecret: Schema.optionalKey(sealed<string>()),
  groupsClaim: Schema.optionalKey(ClaimName),
  groups: Schema.optionalKey(Groups)
})
export type OidcProviderRow = typeof OidcProviderRow.Type

/** A provider with all settings that sign-in needs. */
export interface ActiveOidcProvider extends OidcProviderRow {
  readonly issuer: string
  readonly clientID: string
}

export const isActive = (row: OidcProviderRow): row is ActiveOidcProvider =>
  Boolean(row.issuer) && Boolean(row.clientID)

export const statusOf = (row: OidcProviderRow): ProviderStatus => (isActive(row) ? "active" : "pending")

export const OidcProviderTable = Table.make("oidcProvider", OidcProviderRow, {
  key: ["id"],
  derived: { status: statusOf },
  indexes: [
    ["organization", "createdAt"],
    ["organization", "status", "createdAt"]
  ],
  sealed: ["clientSecret"]
})

/** Default role: the organization's role for new members. */
export const OidcProviderCreate = Schema.Struct({
  /** Name of the provider, in one line. */
  label,
  /** Issuer of the provider. Its discovery document is below this URL. Default: none; the provider is then pending. */
  issuer: Schema.optionalKey(Issuer),
  /** Id of Lectern at the provider. Default: none. */
  clientID: Schema.optionalKey(clientText),
  /** Secret of Lectern at the provider. Default: none, for a public client. */
  clientSecret: Schema.optionalKey(clientText),
  /** Scopes to request, including `openid`. Default: `openid`, `email` and `profile`. */
  scopes: Schema.optionalKey(Scopes),
  /** Domains of the e-mail addresses that may sign in. Default: all. */
  emailDomains: Schema.optionalKey(EmailDomains),
  /** Claim that must be true for an e-mail address to be accepted. Default: `email_verified`. */
  emailVerifiedClaim: Schema.optionalKey(ClaimName),
  /** Claim with the groups of a person. Default: none; groups then have no effect. */
  groupsClaim: Schema.optionalKey(ClaimName),
  /** Teams and roles that the members of groups get. Default: none. */
  groups: Schema.optionalKey(Groups),
  /** Id of the team of people who sign in for the first time. Default: none. */
  defaultTeam: Schema.optionalKey(TeamId),
  /** Role of people who sign in for the first time. `null` for guests. Default: `defaultRole` of the organization. */
  defaultRole: Schema.optionalKey(Schema.NullOr(Role))
})
export type OidcProviderCreate = typeof OidcProviderCreate.Type

/** `null` removes an optional value; omitted fields stay unchanged. */
export const OidcProviderPatch = Schema.Struct({
  /** Name of the provider, in one line. */
  label: Schema.optionalKey(label),
  /** Issuer of the provider. A change ends all sessions of the provider. */
  issuer: Schema.optionalKey(Schema.NullOr(Issuer)),
  /** Id of Lectern at the provider. A change ends all sessions of the provider. */
  clientID: Schema.optionalKey(Schema.NullOr(clientText)),
  /** Secret of Lectern at the provider. */
  clientSecret: Schema.optionalKey(Schema.NullOr(clientText)),
  /** Scopes to request, including `openid`. */
  scopes: Schema.optionalKey(Schema.NullOr(Scopes)),
  /** Domains of the e-mail addresses that may sign in. */
  emailDomains: Schema.optionalKey(Schema.NullOr(EmailDomains)),
  /** Claim that must be true for an e-mail address to be accepted. */
  emailVerifiedClaim: Schema.optionalKey(Schema.NullOr(ClaimName)),
  /** Claim with the groups of a person. */
  groupsClaim: Schema.optionalKey(Schema.NullOr(ClaimName)),
  /** Teams and roles that the members of groups get. Replaces the previous groups. */
  groups: Schema.optionalKey(Schema.NullOr(Groups)),
  /** Id of the team of people who sign in for the first time. */
  defaultTeam: Schema.optionalKey(Schema.NullOr(TeamId)),
  /** Role of people who sign in for the first time. `null` for guests. */
  defaultRole: Schema.optionalKey(Schema.NullOr(Role))
})
export type OidcProviderPatch = typeof OidcProviderPatch.Type

/** An OpenID Connect provider as an API resource. */
export const OidcProvider = Schema.Struct({
  object: Schema.Literal("oidc-provider"),
  id: SignOnProviderId,
  label: Schema.String,
  issuer: Schema.optionalKey(Schema.String),
  clientID: Schema.optionalKey(Schema.String),
  /** True if a client secret is set. The secret itself is never returned. */
  hasClientSecret: Schema.Boolean,
  scopes: Schema.Array(Schema.String),
  emailDomains: Schema.Array(Schema.String),
  emailVerifiedClaim: Schema.String,
  groupsClaim: Schema.optionalKey(Schema.String),
  groups: Schema.Array(OidcGroup),
  defaultTeam: Schema.optionalKey(Team),
  defaultRole: Schema.NullOr(Role),
  createdAt: Timestamp,
  status: ProviderStatus,
  /** URLs of Lectern to register at the identity provider. */
  service: Schema.Struct({
    /** URL to which the identity provider returns the browser. */
    redirectURL: Schema.String,
    /** URL at which people start to sign in. */
    startURL: Schema.String,
    /** URL to which the identity provider reports the end of a session by itself. */
    backchannelLogoutURL: Schema.String,
    /** URL to which the identity provider reports the end of a session through the browser. */
    frontchannelLogoutURL: Schema.String,
    /** URL to which the identity provider returns the browser after a sign-out. */
    postLogoutRedirectURL: Schema.String
  }),
  urls: Schema.Struct({ location: Schema.String })
})
export interface OidcProvider extends Schema.Schema.Type<typeof OidcProvider> {}

/** Raised if no OpenID Connect provider with the id exists. */
export class OidcProviderNotFound extends Schema.TaggedError<OidcProviderNotFound>()(
  "OidcProviderNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export class TooManyOidcProviders extends Schema.TaggedError<TooManyOidcProviders>()(
  "TooManyOidcProviders",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the provider is not active yet. An administrator has to complete it. */
export class OidcProviderPending extends Schema.TaggedError<OidcProviderPending>()(
  "OidcProviderPending",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
