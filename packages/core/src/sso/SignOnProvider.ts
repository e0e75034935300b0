/**
 * Fields and errors of identity providers of an organization for all protocols (see `SamlProvider` and `OidcProvider`).
 *
 * Limits: label 1 to 30 characters; 100 providers of each protocol in an organization.
 */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import type { Team } from "../team/Team.ts"

export const maxProviders = 100

/** Id of an identity provider. Unique among all protocols. */
export const SignOnProviderId = Schema.String.pipe(Schema.brand("SignOnProviderId"))
export type SignOnProviderId = typeof SignOnProviderId.Type

export const label = Text.line(1, 30)
export const TeamId = Text.atMost(256)

/** URL that browsers or this server open, without a user name and a password. */
export const ProviderUrl = Text.between(1, 2048).check(
  Schema.makeFilter((text: string) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && (url.protocol === "https:" || url.protocol === "http:") && url.username === ""
      ? undefined
      : "Expected an http or https URL"
  })
)

export const providerFields = {
  id: SignOnProviderId,
  organization: OrganizationId,
  label,
  /** Id of a team that may have been deleted. */
  defaultTeam: Schema.optionalKey(TeamId),
  /** Role of new members; null for guests. */
  defaultRole: Schema.NullOr(Role),
  /** Identifier that changes with the identity of the provider. Sessions with an earlier identifier are invalid. */
  trust: Schema.String,
  createdAt: Timestamp
}

const ProviderRow = Schema.Struct(providerFields)
/** A provider of any protocol. */
export type SignOnProviderRow = typeof ProviderRow.Type

export const ProviderStatus = Schema.Literals(["active", "pending"])
export type ProviderStatus = typeof ProviderStatus.Type

/** An active provider in the list from which users choose. */
export const SsoLogin = Schema.Struct({
  object: Schema.Literal("sso-provider"),
  id: SignOnProviderId,
  label: Schema.String,
  startURL: Schema.String
})
export type SsoLogin = typeof SsoLogin.Type

export const SsoLogins = Schema.Struct({ items: Schema.Array(SsoLogin) })
export interface SsoLogins extends Schema.Schema.Type<typeof SsoLogins> {}

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

/**
 * Returns the common fields of the resource of a provider. `defaultTeam`: undefined if no team is set or the team was
 * deleted.
 */
export const presentCommon = <Row extends SignOnProviderRow>(row: Row, defaultTeam: Team | undefined) => {
  const { organization: _, defaultTeam: __, trust: ___, ...fields } = row
  return { ...fields, ...(defaultTeam && { defaultTeam }) }
}
