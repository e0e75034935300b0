/**
 * Checks of URLs of other websites that the main content of spaces links to. Each organization has its own checks, so
 * that it learns nothing about the links of others.
 *
 * Disabled by default, because each request reveals to the host that it is linked.
 *
 * Limits: 20,000 URLs of a space, each of 2,048 characters; further URLs are not checked. Fragments are not part of the
 * checked URL.
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
const maxUrlLength = 2048

/** Pause between requests to one host. */
export const pause = Duration.seconds(1)

/** Interval between the due times of new URLs of one host, which allows twenty a minute. */
export const newUrlInterval = Duration.seconds(3)

/** Interval between sweeps that find unlinked URLs. */
export const sweepInterval = Duration.days(7)

export const LinkCheckRow = Schema.Struct({
  organization: OrganizationId,
  /** URL as written, without a fragment. */
  url: Schema.String,
  host: Schema.String,
  /** See `LinkCheckState`. */
  state: Schema.Literals(["unchecked", "ok", "doubtful", "broken"]),
  /** Time of the first check that reported the URL as missing. */
  goneAt: Schema.optionalKey(Timestamp),
  /** Result of the last check: a status, or the reason of a failure. For operators. */
  answer: Schema.optionalKey(Schema.String),
  checkedAt: Schema.optionalKey(Timestamp),
  /** Time of the next check, if the host may be requested then. */
  dueAt: Timestamp,
  /** Time when the URL was last found in content. */
  seenAt: Timestamp
})
export type LinkCheckRow = typeof LinkCheckRow.Type

export const LinkCheckTable = Table.make("linkCheck", LinkCheckRow, {
  key: ["organization", "url"],
  indexes: [["organization", "state"], ["host", "dueAt"], ["seenAt"]]
})

/** Host of linked URLs. Each host receives at most one request at a time. */
export const LinkHostRow = Schema.Struct({
  host: Schema.String,
  /** Due time of the host's next URL. */
  dueAt: Timestamp,
  /** The host is not requested before this time. */
  notBefore: Schema.optionalKey(Timestamp)
})
export type LinkHostRow = typeof LinkHostRow.Type

export const LinkHostTable = Table.make("linkHost", LinkHostRow, { key: ["host"], indexes: [["dueAt"]] })

/** Main revision of a space whose URLs are all stored. */
export const LinkedSpaceTable = Table.make(
  "linkedSpace",
  Schema.Struct({ space: SpaceId, organization: OrganizationId, revision: RevisionId }),
  { key: ["space"] }
)

/** Progress of the job that goes through all spaces and finds URLs that no space links to. The table has one row. */
const LinkSweep = Schema.Struct({
  id: Schema.Literal("sweep"),
  begunAt: Timestamp,
  /** The last space that was read. */
  after: Schema.String,
  ended: Schema.Boolean
})
export type LinkSweep = typeof LinkSweep.Type

export const LinkSweepTable = Table.make("linkSweep", LinkSweep, { key: ["id"] })

/** Returns the URL under which a reference would be checked; undefined for references that are not URLs. */
export const urlOf = (ref: ContentRef): string | undefined => {
  if (ref.kind !== "url") return undefined
  const fragment = ref.url.indexOf("#")
  return fragment < 0 ? ref.url : ref.url.slice(0, fragment)
}

/** Returns the host of a URL of another website; undefined for other URLs and for URLs that are too long. */
export const hostOf = (url: string, addresses: AppUrl.Addresses): string | undefined =>
  /^https?:/i.test(url) && url.length <= maxUrlLength && URL.canParse(url) && !AppUrl.isApp(addresses, url)
    ? new URL(url).hostname
    : undefined
