/** Converts a provider to its resource, and builds its URLs. */
import type { Team } from "../team/Team.ts"
import { type SamlProvider, type SamlProviderRow, statusOf } from "./SamlProvider.ts"
import { presentCommon, type SsoLogin } from "./SignOnProvider.ts"

/**
 * Returns the URLs of Lectern for browsers and the identity provider. They are outside of `/v1`, since neither has a
 * token.
 */
export const serviceOf = (publicUrl: string, { id }: Pick<SamlProviderRow, "id">): SamlProvider["service"] => ({
  acsURL: `${publicUrl}/saml/${id}/acs`,
  startURL: `${publicUrl}/saml/${id}/start`,
  entityID: `${publicUrl}/saml/${id}/metadata`
})

/** Returns the resource. `defaultTeam`: undefined if no team is set or the team was deleted. */
export const presentProvider = (
  publicUrl: string,
  row: SamlProviderRow,
  defaultTeam: Team | undefined
): SamlProvider => ({
  object: "saml-provider",
  ...presentCommon(row, defaultTeam),
  status: statusOf(row),
  service: serviceOf(publicUrl, row),
  urls: { location: `${publicUrl}/v1/orgs/${row.organization}/saml/${row.id}` }
})

export const presentLogin = (publicUrl: string, row: SamlProviderRow): SsoLogin => ({
  object: "sso-provider",
  id: row.id,
  label: row.label,
  startURL: serviceOf(publicUrl, row).startURL
})
