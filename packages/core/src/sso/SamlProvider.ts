/**
 * A SAML provider: an identity provider that an organization lets its people sign on with. It works
 * once its `ssoURL`, `entityID` and `certificate` are set; until then it is `pending`, and its
 * `service` tells what to enter on the other side.
 *
 * Limits: label 1 to 30 characters, `ssoURL` 2,048, `entityID` 1,024, certificate 10,000; 100
 * providers in an organization. Several certificates may stand one after another, for the time in
 * which an identity provider changes its own.
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

/** Text of a certificate. It is read where it is used, by the implementation of SAML. */
const Certificate = Text.atMost(10_000).check(
  Schema.makeFilter((text: string) =>
    text.includes("PRIVATE KEY") ? "Expected a certificate: a private key stays with the identity provider" : undefined
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
  /** May be gone by now. */
  defaultTeam: Schema.optionalKey(TeamId),
  /** The role of who comes for the first time; null makes a guest. */
  defaultRole: Schema.NullOr(Role),
  /** Another one whenever `entityID` or `certificate` change: what was trusted before is no longer. */
  trust: Schema.String,
  createdAt: Timestamp
})
export type SamlProviderRow = typeof SamlProviderRow.Type

export const SamlProviderStatus = Schema.Literals(["active", "pending"])
export type SamlProviderStatus = typeof SamlProviderStatus.Type

/** A provider with all that it takes to sign on with it. */
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

/** The role that is left out is what the organization gives its new members. */
export const SamlProviderCreate = Schema.Struct({
  label,
  ssoURL: Schema.optionalKey(SsoUrl),
  entityID: Schema.optionalKey(EntityId),
  certificate: Schema.optionalKey(Certificate),
  defaultTeam: Schema.optionalKey(TeamId),
  defaultRole: Schema.optionalKey(Schema.NullOr(Role))
})
export type SamlProviderCreate = typeof SamlProviderCreate.Type

/** `null` removes what may be absent; what is left out stays. */
export const SamlProviderPatch = Schema.Struct({
  label: Schema.optionalKey(label),
  ssoURL: Schema.optionalKey(Schema.NullOr(SsoUrl)),
  entityID: Schema.optionalKey(Schema.NullOr(EntityId)),
  certificate: Schema.optionalKey(Schema.NullOr(Certificate)),
  defaultTeam: Schema.optionalKey(Schema.NullOr(TeamId)),
  defaultRole: Schema.optionalKey(Schema.NullOr(Role))
})
export type SamlProviderPatch = typeof SamlProviderPatch.Type

/** The resource. */
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
  /** URLs and id that the identity provider has to know of Lectern. */
  service: Schema.Struct({ acsURL: Schema.String, startURL: Schema.String, entityID: Schema.String }),
  urls: Schema.Struct({ location: Schema.String })
})
export type SamlProvider = typeof SamlProvider.Type

/** An active provider, as whoever wants to sign on chooses it. */
export const SsoLogin = Schema.Struct({
  object: Schema.Literal("sso-provider"),
  id: SamlProviderId,
  label: Schema.String,
  startURL: Schema.String
})
export type SsoLogin = typeof SsoLogin.Type

export const SsoLogins = Schema.Struct({ items: Schema.Array(SsoLogin) })
export type SsoLogins = typeof SsoLogins.Type

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

/** The team is none of the organization. */
export class InvalidDefaultTeam extends Schema.TaggedError<InvalidDefaultTeam>()(
  "InvalidDefaultTeam",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "The default team is none of the organization"
  }
}
