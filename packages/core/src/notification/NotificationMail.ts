/**
 * Mails of notifications: one for each thread of events, and a daily digest. A mail at once waits 5 minutes for further
 * events of its thread, such as the comments on a change request. Events without a thread are mailed without a pause.
 *
 * Limits: 100 notifications in a mail, the newest ones.
 */
import { Duration, Schema } from "effect"
import { EventId } from "../event/EventKind.ts"
import * as Job from "../job/Job.ts"
import { mailKind } from "../mail/MailKind.ts"

export const maxMailed = 100

/** Time for which a mail waits for further events of its thread. */
export const threadPause = Duration.minutes(5)

/** Age from which events are not mailed, for example after a long stop of the server. */
export const maxMailAge = Duration.days(1)

export const NotificationMail = mailKind(
  "notifications",
  Schema.Struct({
    /** Notifications, newest first. */
    ids: Schema.Array(EventId),
    digest: Schema.Boolean
  })
)

/** Queues the mails of a thread, one for each user. */
export const SendThread = Job.kind("send-notification-mails", Schema.Struct({ thread: Schema.String }))

/** Key of the one job that sends digests. */
export const digestKey = "digests"

/** Queues the digests that are due, and runs again when the next one is. */
export const SendDigests = Job.kind("send-notification-digests", Schema.Struct({}))
