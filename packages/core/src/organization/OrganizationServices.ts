/** Lists the services of organizations, their subdomains and members, invitations, and invite links. */
import { offer, type Services } from "../Services.ts"
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
    organizations: offer(Organizations, {
      require: "apart",
      get: "short",
      list: "short",
      create: "short",
      update: "short",
      join: "short"
    }),
    subdomains: offer(Subdomains, "apart"),
    members: offer(Members, "short"),
    invitations: offer(Invitations, "apart"),
    inviteLinks: offer(InviteLinks, "apart")
  }
} as const satisfies Services
