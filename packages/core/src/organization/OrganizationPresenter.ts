/** Converts organizations to API resources. */
import { Context, Effect } from "effect"
import type { Membership } from "../access/Access.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { Organization, OrganizationRow } from "./Organization.ts"
import { permissions, strangerPermissions } from "./OrganizationPolicy.ts"
import { wired } from "../wiring/Wired.ts"

/** Role of an actor in an organization, as far as it determines permissions. */
export interface Belonging extends Pick<Membership, "role" | "admin"> {
  readonly ownsTeam: boolean
}

export const belongingOf = (member: Membership | undefined): Belonging | undefined =>
  member && {
    role: member.role,
    admin: member.admin,
    ownsTeam: member.user !== undefined && member.facts.ownedTeams.has(member.user)
  }

export class OrganizationPresenter extends Context.Service<
  OrganizationPresenter,
  {
    /**
     * Returns the API resource. Without `belonging` (the actor is not a member), settings are omitted or have neutral
     * values.
     */
    readonly present: (row: OrganizationRow, belonging: Belonging | undefined) => Organization
  }
>()("@lectern/core/organization/OrganizationPresenter") {
  static readonly layer = wired(
    OrganizationPresenter,
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl

      return OrganizationPresenter.of({
        present: (row, belonging) => ({
          object: "organization",
          id: row.id,
          title: row.title,
          createdAt: row.createdAt,
          emailDomains: belonging === undefined ? [] : row.emailDomains,
          hostname: row.hostname,
          type: "business",
          useCase: "docsSite",
          defaultRole: belonging === undefined ? null : row.defaultRole,
          ...(belonging !== undefined && row.defaultContent && { defaultContent: row.defaultContent }),
          sso: belonging !== undefined && row.sso,
          ai: belonging !== undefined && row.ai,
          inviteLinks: belonging !== undefined && row.inviteLinks,
          plan: "enterprise_2024",
          mergeRules: { type: "none" },
          trial: { status: "notapplicable", count: 0 },
          urls: {
            location: `${publicUrl}/v1/orgs/${row.id}`,
            app: `${publicUrl}/v1/orgs/${row.id}`,
            ...(row.logo !== undefined && { logo: row.logo })
          },
          permissions: belonging === undefined ? strangerPermissions : permissions(belonging, belonging.ownsTeam)
        })
      })
    })
  )
}
