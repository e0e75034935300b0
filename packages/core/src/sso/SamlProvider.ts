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
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { Team } from "../team/Team.ts"
import { label, providerFields, ProviderStatus, ProviderUrl, SignOnProviderId, TeamId } from "./SignOnProvider.ts"

/** Text of a certificate, parsed by the adapter for SAML. */
const Certificate = Text.atMost(10_000).check(
  Schema.makeFilter((text: string) =>
    text.includes("PRIVATE KEY") ? "Expected a certificate, not a private key" : undefined
  )
)

const EntityId = Text.atMost(1024)

/** `trust` changes with `entityID` and `certificate`. */
export const SamlProviderRow = Schema.Struct({
  ...providerFields,
  ssoURL: Schema.optionalKey(ProviderUrl),
  entityID: Schema.optionalKey(EntityId),
  certificate: Schema.optionalKey(Certificate)
})
export type SamlProviderRow = typeof SamlProviderRow.Type

/** A provider with all settings that sign-in needs. */
export interface ActiveProvider extends SamlProviderRow {
  readonly ssoURL: string
  readonly entityID: string
  readonly certificate: string
}

export const isActive = (row: SamlProviderRow): row is ActiveProvider =>
  Boolean(row.ssoURL) && Boolean(row.entityID) && Boolean(row.certificate)

export const statusOf = (row: SamlProviderRow): ProviderStatus => (isActive(row) ? "active" : "pending")

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
  ssoURL: Schema.optionalKey(ProviderUrl),
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
  ssoURL: Schema.optionalKey(Schema.NullOr(ProviderUrl)),
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
  id: SignOnProviderId,
  label: Schema.String,
  ssoURL: Schema.optionalKey(Schema.String),
  entityID: Schema.optionalKey(Schema.String),
  certificate: Schema.optionalKey(Schema.String),
  defaultTeam: Schema.optionalKey(Team),
  defaultRole: Schema.NullOr(Role),
  createdAt: Timestamp,
  status: ProviderStatus,
  /** Values of Lectern to configure at the identity provider. */
  service: Schema.Struct({ acsURL: Schema.String, startURL: Schema.String, entityID: Schema.String }),
  urls: Schema.Struct({ location: Schema.String })
})
export interface SamlProvider extends Schema.Schema.Type<typeof SamlProvider> {}

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

/** Raised if the provider is not active yet. An administrator has to complete it. */
export class SamlProviderPending extends Schema.TaggedError<SamlProviderPending>()(
  "SamlProviderPending",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
