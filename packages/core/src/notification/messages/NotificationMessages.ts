/** Texts of one language: the shape of the JSON files in this folder. */
import type { ReviewStatus } from "../../review/Review.ts"
import type { NotificationOutcome } from "../Notification.ts"
import type { NotificationKind } from "../NotificationKind.ts"

export interface NotificationMessages {
  /** Title of each kind, before the name of its subject, and of its list of mails. */
  readonly kinds: { readonly [Kind in NotificationKind]: string }
  readonly outcomes: { readonly [Outcome in NotificationOutcome | ReviewStatus]: string }
  /** Subject of the daily mail. */
  readonly digest: string
  /** Reason for the mail, before the name of the server. */
  readonly reason: string
}
