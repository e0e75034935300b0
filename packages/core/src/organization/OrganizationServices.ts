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
      require: "outsideTransaction",
      get: "transactional",
      list: "transactional",
      create: "transactional",
      update: "transactional",
      join: "transactional"
    }),
    subdomains: offer(Subdomains, "outsideTransaction"),
    members: offer(Members, "transactional"),
    invitations: offer(Invitations, "outsideTransaction"),
    inviteLinks: offer(InviteLinks, "outsideTransaction")
  }
} as const satisfies Services
