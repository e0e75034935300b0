/**
 * Lists the services of notifications and watches, the reader that writes them, their mails, and the job that removes
 * old ones.
 */
import { removeOlder, scheduled } from "../job/Schedule.ts"
import { offer, type Services } from "../Services.ts"
import { notificationAge, NotificationTable } from "./Notification.ts"
import { sendDigests, sendThread } from "./NotificationMailing.ts"
import { notificationMail } from "./NotificationMailRendering.ts"
import { followEvents } from "./NotificationReader.ts"
import { Notifications } from "./Notifications.ts"
import { Watches } from "./Watches.ts"

const removeOldNotifications = scheduled(
  "remove-old-notifications",
  { days: 1 },
  removeOlder(NotificationTable, notificationAge, (createdAt) => ({ createdAt }))
)

export const notificationServices = {
  jobs: [followEvents, removeOldNotifications, sendDigests, sendThread],
  mails: [notificationMail],
  offered: {
    "users.notifications": offer(Notifications, "outsideTransaction"),
    "users.notifications.watches": offer(Watches, "outsideTransaction")
  }
} as const satisfies Services
