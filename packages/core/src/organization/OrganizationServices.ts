/** Lists the services of organizations, their subdomains and members, invitations with their mail, and invite links. */
import { offer, type Services } from "../Services.ts"
import { invitationMail } from "./InvitationMail.ts"
import { Invitations } from "./Invitations.ts"
import { InviteLinks } from "./InviteLinks.ts"
import { Members } from "./Members.ts"
import { Organizations } from "./Organizations.ts"

export const organizationServices = {
  jobs: [],
  mails: [invitationMail],
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
    "organizations.invitations": offer(Invitations, {
      invite: "outsideTransaction",
      list: "outsideTransaction",
      mine: "outsideTransaction",
      get: "outsideTransaction",
      accept: "outsideTransaction",
      remove: "outsideTransaction",
      useLinks: "internal"
    }),
    "organizations.inviteLinks": offer(InviteLinks, "outsideTransaction")
  }
} as const satisfies Services
