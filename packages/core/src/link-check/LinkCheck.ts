/**
 * Checks of the URLs of other websites that the main content of spaces links to. Every organization has checks
 * of its own, so that nothing tells it what others link to.
 *
 * Only where the operator turned it on: a URL that is asked for tells its host that it is linked.
 *
 * Limits: 20,000 URLs of a space, each of 2,048 characters; more than that are never asked for. The
 * part behind # is no part of what is asked for.
 */
import { Duration, Schema } from "effect"
import type { ContentRef } from "@lectern/document/Document"
import { RevisionId } from "../content/revisions/Revision.ts"
import * as AppUrl from "../link/AppUrl.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"

export const maxUrls = 20_000
const maxUrl = 2048

/** How long after one request to a host the next one follows. */
export const pause = Duration.seconds(1)

/** How far apart new URLs of a host are due: as far as there is time for, at twenty a minute. */
export const spread = Duration.seconds(3)

/** How often it is looked which URLs there still are. */
export const sweepEvery = Duration.days(7)

export const LinkCheckRow = Schema.Struct({
  organization: OrganizationId,
  /** As it is written, without a fragment. */
  url: Schema.String,
  host: Schema.String,
  /** See `LinkCheckState`. */
  state: Schema.Literals(["unchecked", "ok", "doubtful", "broken"]),
  /** Since when it is known to be gone. */
  goneAt: Schema.optionalKey(Timestamp),
  /** Outcome of the last check, for the operator: a status, or the reason why there was none. */
  answer: Schema.optionalKey(Schema.String),
  checkedAt: Schema.optionalKey(Timestamp),
  /** When it is asked for next, if its host may be asked then. */
  dueAt: Timestamp,
  /** When it was last known to be linked. */
  seenAt: Timestamp
})
export type LinkCheckRow = typeof LinkCheckRow.Type

export const LinkCheckTable = Table.make("linkCheck", LinkCheckRow, {
  key: ["organization", "url"],
  indexes: [["organization", "state"], ["host", "dueAt"], ["seenAt"]]
})

/** A host that URLs lead to: it is one host that is asked at most once at a time. */
export const LinkHostRow = Schema.Struct({
  host: Schema.String,
  /** When one of its URLs is due. */
  dueAt: Timestamp,
  /** It is left alone until then. */
  notBefore: Schema.optionalKey(Timestamp)
})
export type LinkHostRow = typeof LinkHostRow.Type

export const LinkHostTable = Table.make("linkHost", LinkHostRow, { key: ["host"], indexes: [["dueAt"]] })

/** The main revision of a space whose URLs are all known. */
export const LinkedSpaceTable = Table.make(
  "linkedSpace",
  Schema.Struct({ space: SpaceId, organization: OrganizationId, revision: RevisionId }),
  { key: ["space"] }
)

/** How far the walk through all spaces has come that finds out which URLs there still are. There is one. */
const LinkSweep = Schema.Struct({
  id: Schema.Literal("sweep"),
  begunAt: Timestamp,
  /** The space that it looked at last. */
  after: Schema.String,
  ended: Schema.Boolean
})
export type LinkSweep = typeof LinkSweep.Type

export const LinkSweepTable = Table.make("linkSweep", LinkSweep, { key: ["id"] })

/** The scope of `Versions` that changes when a URL of the organization gets or is no longer broken. */
export const scopeOf = (organization: OrganizationId) => `link-checks ${organization}`

/** As which URL a reference is checked. Makes no claim that it ever is. */
export const urlOf = (ref: ContentRef): string | undefined => {
  if (ref.kind !== "url") return undefined
  const fragment = ref.url.indexOf("#")
  return fragment < 0 ? ref.url : ref.url.slice(0, fragment)
}

/** The host of a URL of another website; undefined where it is none, or too long. */
export const hostOf = (url: string, addresses: AppUrl.Addresses): string | undefined =>
  /^https?:/i.test(url) && url.length <= maxUrl && URL.canParse(url) && !AppUrl.isApp(addresses, url)
    ? new URL(url).hostname
    : undefined
