/**
 * Kinds of notifications, and the channel of each: the inbox only, the inbox and a mail at once, the inbox and the daily
 * digest, or off. Without mail transport, all channels except `off` mean the inbox.
 */
import { Schema } from "effect"

export const NotificationChannel = Schema.Literals(["inbox", "mail", "digest", "off"])
export type NotificationChannel = typeof NotificationChannel.Type

interface KindRules {
  /** Channel of users without a setting. */
  readonly channel: NotificationChannel
  /** True if the kind concerns users because they watch or take part. Muting suppresses it. */
  readonly canMute: boolean
}

/** Rules of each kind. Kinds that address a person directly can't be muted, only switched off. */
export const kindRules = {
  /** A review was requested from the user. */
  "review-requested": { channel: "mail", canMute: false },
  /** A change request was approved, or changes were requested. */
  reviewed: { channel: "mail", canMute: true },
  comment: { channel: "mail", canMute: true },
  /** A reply in a discussion in which the user wrote. */
  reply: { channel: "mail", canMute: true },
  mention: { channel: "mail", canMute: false },
  /** A reaction to a comment or reply of the user. */
  reaction: { channel: "inbox", canMute: true },
  /** A change request was opened for review. */
  "change-request-opened": { channel: "digest", canMute: true },
  "change-request-merged": { channel: "digest", canMute: true },
  /** A change request got conflicts with the main content. */
  "change-request-conflict": { channel: "mail", canMute: true },
  /** A watched page was changed without a change request. */
  "page-updated": { channel: "digest", canMute: true },
  /** A role on a space, collection or site was assigned to the user. */
  assigned: { channel: "mail", canMute: false },
  /** The user was invited to an organization. */
  invitation: { channel: "inbox", canMute: false },
  /** The role of the user in an organization was changed. */
  "role-changed": { channel: "mail", canMute: false },
  /** An import that the user started has ended. */
  import: { channel: "inbox", canMute: false },
  /** A PDF that the user requested is ready, or can't be made. */
  export: { channel: "inbox", canMute: false },
  /** A translation that the user started has ended. */
  translation: { channel: "inbox", canMute: false },
  /** A Git synchronization that the user started has ended, or one of a watched space has failed. */
  "git-sync": { channel: "mail", canMute: false },
  /** The check of links to other websites found a broken link. For administrators, at most once a day. */
  "link-check": { channel: "digest", canMute: false },
  /** A domain was proved or lost. For administrators. */
  domain: { channel: "mail", canMute: false },
  /** A webhook was switched off after failed deliveries. For administrators. */
  webhook: { channel: "mail", canMute: false }
} as const satisfies Record<string, KindRules>

export type NotificationKind = keyof typeof kindRules

export const notificationKinds = Object.keys(kindRules) as ReadonlyArray<NotificationKind>

export const NotificationKind = Schema.Literals(notificationKinds as [NotificationKind, ...Array<NotificationKind>])
