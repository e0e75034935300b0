/** Removes mails from the outbox once a day, 30 days after their last change. */
import { Duration } from "effect"
import { removeOlder, scheduled } from "../job/Schedule.ts"
import { MailTable } from "./Mail.ts"

export const removeOldMails = scheduled(
  "remove-old-mails",
  { days: 1 },
  removeOlder(MailTable, Duration.days(30), (updatedAt) => ({ updatedAt }))
)
