/** Converts organizations to API resources. */
import { Effect } from "effect"
import type { Membership } from "../access/Access.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { Organization, OrganizationRow } from "./Organization.ts"
import { permissions, strangerPermissions } from "./OrganizationPolicy.ts"

/** Role of an actor in an organization, as far as it determines permissions. */
export interface MemberRights extends Pick<Membership, "role" | "admin"> {
  readonly ownsTeam: boolean
}

export const memberRightsOf = (member: Membership | undefined): MemberRights | undefined =>
  member && {
    role: member.role,
    admin: member.admin,
    ownsTeam: member.user !== undefined && member.facts.ownedTeams.has(member.user)
  }

export const makeOrganizationPresenter = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl

  return {
    /**
     * Returns the API resource. If `rights` is undefined (the actor is not a member), settings are omitted or have
     * neutral values.
     */
    present: (row: OrganizationRow, rights: MemberRights | undefined): Organization => ({
      object: "organization",
      id: row.id,
      title: row.title,
      createdAt: row.createdAt,
      emailDomains: rights === undefined ? [] : row.emailDomains,
      hostname: row.hostname,
      type: "business",
      useCase: "docsSite",
      defaultRole: rights === undefined ? null : row.defaultRole,
      ...(rights !== undefined && row.defaultContent && { defaultContent: row.defaultContent }),
      sso: rights !== undefined && row.sso,
      ai: rights !== undefined && row.ai,
      inviteLinks: rights !== undefined && row.inviteLinks,
      requireSecondFactor: rights !== undefined && row.requireSecondFactor === true,
      plan: "enterprise_2024",
      mergeRules: (rights && row.mergeRules) ?? { type: "none" },
      trial: { status: "notapplicable", count: 0 },
      urls: {
        location: `${publicUrl}/v1/orgs/${row.id}`,
        app: `${publicUrl}/v1/orgs/${row.id}`,
        ...(row.logo !== undefined && { logo: row.logo })
      },
      permissions: rights === undefined ? strangerPermissions : permissions(rights, rights.ownsTeam)
    })
  }
})
