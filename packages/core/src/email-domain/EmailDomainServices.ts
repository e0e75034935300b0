/** Lists the service that manages the e-mail domains of an organization (see `EmailDomains`). */
import { offer, type Services } from "../Services.ts"
import { EmailDomains } from "./EmailDomains.ts"

export const emailDomainServices = {
  jobs: [],
  offered: { "organizations.emailDomains": offer(EmailDomains, "outsideTransaction") }
} as const satisfies Services
