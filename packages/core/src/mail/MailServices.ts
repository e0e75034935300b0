/** Lists the work that sends mails, the job that removes old ones, and the test mail. */
import type { Services } from "../Services.ts"
import { removeOldMails } from "./MailRetention.ts"
import { sendMails } from "./MailSending.ts"
import { testMail } from "./TestMail.ts"

export const mailServices = {
  jobs: [sendMails, removeOldMails],
  mails: [testMail],
  offered: {}
} as const satisfies Services
