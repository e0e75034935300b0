/** Lists the services of organizations, their subdomains and members, invitations, and invite links. */
import { offer, type Services } from "../Services.ts"
import { Invitations } from "./Invitations.ts"
import { InviteLinks } from "./InviteLinks.ts"
import { Members } from "./Members.ts"
import { Organizations } from "./Organizations.ts"

export const organizationServices = {
  jobs: [],
  offered: {
    organizations: offer(Organizations, {
      require: "internal",
      get: "transactional",
      list: "transactional",
      create: "transactional",
      update: "transactional",
      join: "transactional",
      syncMembers: "transactional",
      subdomain: "outsideTransaction"
    }),
    "organizations.members": offer(Members, "transactional"),
    "organizations.invitations": offer(Invitations, "outsideTransaction"),
    "organizations.inviteLinks": offer(InviteLinks, "outsideTransaction")
  }
} as const satisfies Services
