/** Lists the work that sends mails, and the job that removes old ones. */
import type { Services } from "../Services.ts"
import { removeOldMails } from "./MailRetention.ts"
import { sendMails } from "./MailSending.ts"

export const mailServices = {
  jobs: [sendMails, removeOldMails],
  offered: {}
} as const satisfies Services
