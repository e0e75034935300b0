/** Services of organizations and their people. */
import type { Services } from "../Services.ts"
import { Invitations } from "./Invitations.ts"
import { InviteLinks } from "./InviteLinks.ts"
import { MemberPresenter } from "./MemberPresenter.ts"
import { Members } from "./Members.ts"
import { OrganizationPresenter } from "./OrganizationPresenter.ts"
import { Organizations } from "./Organizations.ts"
import { Subdomains } from "./Subdomains.ts"

export const organizationServices = {
  layers: [
    Invitations.layer,
    InviteLinks.layer,
    MemberPresenter.layer,
    Members.layer,
    OrganizationPresenter.layer,
    Organizations.layer,
    Subdomains.layer
  ],
  jobs: [],
  offered: {
    organizations: Organizations,
    subdomains: Subdomains,
    members: Members,
    invitations: Invitations,
    inviteLinks: InviteLinks
  }
} as const satisfies Services
