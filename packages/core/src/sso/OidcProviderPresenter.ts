/** Converts an OpenID Connect provider to its resource, and builds its URLs. */
import type { Team } from "../team/Team.ts"
import {
  defaultScopes,
  defaultVerifiedClaim,
  type OidcProvider,
  type OidcProviderRow,
  statusOf
} from "./OidcProvider.ts"
import { presentCommon, type SsoLogin } from "./SignOnProvider.ts"

/** Returns the URLs of Lectern for browsers and the identity provider. They are outside of `/v1`. */
export const serviceOf = (publicUrl: string, { id }: Pick<OidcProviderRow, "id">): OidcProvider["service"] => {
  const base = `${publicUrl}/oidc/${id}`
  return {
    redirectURL: `${base}/callback`,
    startURL: `${base}/start`,
    backchannelLogoutURL: `${base}/backchannel-logout`,
    frontchannelLogoutURL: `${base}/frontchannel-logout`,
    postLogoutRedirectURL: `${base}/signed-out`
  }
}

/** Returns the resource. `defaultTeam`: undefined if no team is set or the team was deleted. */
export const presentOidcProvider = (
  publicUrl: string,
  row: OidcProviderRow,
  defaultTeam: Team | undefined
): OidcProvider => {
  const { clientSecret, ...fields } = row
  return {
    object: "oidc-provider",
    scopes: defaultScopes,
    emailDomains: [],
    emailVerifiedClaim: defaultVerifiedClaim,
    groups: [],
    ...presentCommon(fields, defaultTeam),
    hasClientSecret: clientSecret !== undefined,
    status: statusOf(row),
    service: serviceOf(publicUrl, row),
    urls: { location: `${publicUrl}/v1/orgs/${row.organization}/oidc/${row.id}` }
  }
}

export const presentOidcLogin = (publicUrl: string, row: OidcProviderRow): SsoLogin => ({
  object: "sso-provider",
  id: row.id,
  label: row.label,
  startURL: serviceOf(publicUrl, row).startURL
})
