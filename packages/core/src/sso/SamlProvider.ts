/**
 * A SAML provider: an identity provider with which members of an organization sign in. It is active once `ssoURL`,
 * `entityID` and `certificate` are set; until then it is `pending`, and `service` contains the values for the identity
 * provider.
 *
 * Limits: label 1 to 30 characters, `ssoURL` 2,048, `entityID` 1,024, certificate 10,000; 100 providers in an
 * organization. `certificate` may contain several certificates, for a change of the identity provider's certificate.
 */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { Team } from "../team/Team.ts"

export const maxProviders = 100

/** Id of a SAML provider. */
export const SamlProviderId = Schema.String.pipe(Schema.brand("SamlProviderId"))
export type SamlProviderId = typeof SamlProviderId.Type

const SsoUrl = Text.between(1, 2048).check(
  Schema.makeFilter((text: string) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && (url.protocol === "https:" || url.protocol === "http:") && url.username === ""
      ? undefined
      : "Expected an http or https URL"
  })
)

/** Text of a certificate, parsed by the adapter for SAML. */
const Certificate = Text.atMost(10_000).check(
  Schema.makeFilter((text: string) =>
    text.includes("PRIVATE KEY") ? "Expected a certificate, not a private key" : undefined
  )
)

const label = Text.line(1, 30)
const EntityId = Text.atMost(1024)
const TeamId = Text.atMost(256)

export const SamlProviderRow = Schema.Struct({
  id: SamlProviderId,
  organization: OrganizationId,
  label,
  ssoURL: Schema.optionalKey(SsoUrl),
  entityID: Schema.optionalKey(EntityId),
  certificate: Schema.optionalKey(Certificate),
  /** Id of a team that may have been deleted. */
  defaultTeam: Schema.optionalKey(TeamId),
  /** Role of new members; null for guests. */
  defaultRole: Schema.NullOr(Role),
  /**
   * Identifier that changes with `entityID` and `certificate`. Sessions that were created with an earlier identifier
   * are invalid.
   */
  trust: Schema.String,
  createdAt: Timestamp
})
export type SamlProviderRow = typeof SamlProviderRow.Type

export const SamlProviderStatus = Schema.Literals(["active", "pending"])
export type SamlProviderStatus = typeof SamlProviderStatus.Type

/** A provider with all settings that sign-in needs. */
export interface ActiveProvider extends SamlProviderRow {
  readonly ssoURL: string
  readonly entityID: string
  readonly certificate: string
}

export const isActive = (row: SamlProviderRow): row is ActiveProvider =>
  Boolean(row.ssoURL) && Boolean(row.entityID) && Boolean(row.certificate)

export const statusOf = (row: SamlProviderRow): SamlProviderStatus => (isActive(row) ? "active" : "pending")

export const SamlProviderTable = Table.make("samlProvider", SamlProviderRow, {
  key: ["id"],
  derived: { status: statusOf },
  indexes: [
    ["organization", "createdAt"],
    ["organization", "status", "createdAt"]
  ]
})

/** Default role: the organization's role for new members. */
export const SamlProviderCreate = Schema.Struct({
  /** Name of the provider, in one line. */
  label,
  /** URL of the provider at which people sign in. Default: none; the provider is then pending. */
  ssoURL: Schema.optionalKey(SsoUrl),
  /** Entity id of the provider. Default: none. */
  entityID: Schema.optionalKey(EntityId),
  /** Certificates that sign the responses, in PEM or the Base64 in it. Default: none. */
  certificate: Schema.optionalKey(Certificate),
  /** Id of the team of people who sign in for the first time. Default: none. */
  defaultTeam: Schema.optionalKey(TeamId),
  /** Role of people who sign in for the first time. `null` for guests. Default: `defaultRole` of the organization. */
  defaultRole: Schema.optionalKey(Schema.NullOr(Role))
})
export type SamlProviderCreate = typeof SamlProviderCreate.Type

/** `null` removes an optional value; omitted fields stay unchanged. */
export const SamlProviderPatch = Schema.Struct({
  /** Name of the provider, in one line. */
  label: Schema.optionalKey(label),
  /** URL of the provider at which people sign in. */
  ssoURL: Schema.optionalKey(Schema.NullOr(SsoUrl)),
  /** Entity id of the provider. */
  entityID: Schema.optionalKey(Schema.NullOr(EntityId)),
  /** Certificates that sign the responses, in PEM or the Base64 in it. */
  certificate: Schema.optionalKey(Schema.NullOr(Certificate)),
  /** Id of the team of people who sign in for the first time. */
  defaultTeam: Schema.optionalKey(Schema.NullOr(TeamId)),
  /** Role of people who sign in for the first time. `null` for guests. */
  defaultRole: Schema.optionalKey(Schema.NullOr(Role))
})
export type SamlProviderPatch = typeof SamlProviderPatch.Type

/** A SAML provider as an API resource. */
export const SamlProvider = Schema.Struct({
  object: Schema.Literal("saml-provider"),
  id: SamlProviderId,
  label: Schema.String,
  ssoURL: Schema.optionalKey(Schema.String),
  entityID: Schema.optionalKey(Schema.String),
  certificate: Schema.optionalKey(Schema.String),
  defaultTeam: Schema.optionalKey(Team),
  defaultRole: Schema.NullOr(Role),
  createdAt: Timestamp,
  status: SamlProviderStatus,
  /** Values of Lectern to configure at the identity provider. */
  service: Schema.Struct({ acsURL: Schema.String, startURL: Schema.String, entityID: Schema.String }),
  urls: Schema.Struct({ location: Schema.String })
})
export interface SamlProvider extends Schema.Schema.Type<typeof SamlProvider> {}

/** An active provider in the list from which users choose. */
export const SsoLogin = Schema.Struct({
  object: Schema.Literal("sso-provider"),
  id: SamlProviderId,
  label: Schema.String,
  startURL: Schema.String
})
export type SsoLogin = typeof SsoLogin.Type

export const SsoLogins = Schema.Struct({ items: Schema.Array(SsoLogin) })
export interface SsoLogins extends Schema.Schema.Type<typeof SsoLogins> {}

/** Raised if no SAML provider with the id exists. */
export class SamlProviderNotFound extends Schema.TaggedError<SamlProviderNotFound>()(
  "SamlProviderNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export class TooManySamlProviders extends Schema.TaggedError<TooManySamlProviders>()(
  "TooManySamlProviders",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the team does not belong to the organization. */
export class InvalidDefaultTeam extends Schema.TaggedError<InvalidDefaultTeam>()(
  "InvalidDefaultTeam",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "The default team does not belong to the organization"
  }
}
