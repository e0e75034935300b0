/**
 * An event of a site's visitor as it is kept for sums: what was done, where, and with what kind of browser.
 * Of the visitor there is nothing else: no address, no cookie, no name, and ids that are those of no other site.
 *
 * Limits: 30 days, and the last 100,000 events of a site. Of each minute what `InsightsSampling` lets through,
 * each event standing for those that it didn't.
 */
import { Schema } from "effect"
import { SiteId } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"
import { Timestamp } from "../schema/Text.ts"
import { Rating } from "./SiteInsightsEvent.ts"

export const maxKept = 100_000
export const keptDays = 30

const MaybeText = Schema.optionalKey(Schema.String)

export const KeptEvent = Schema.Struct({
  id: Schema.String,
  site: SiteId,
  at: Timestamp,
  type: Schema.String,
  /** How many events it stands for. */
  weight: Schema.Int,
  visitor: Schema.String,
  session: Schema.String,
  context: Schema.String,
  /** Without its query. */
  url: Schema.String,
  /** Left out where the site has no such part. */
  siteSection: MaybeText,
  siteSpace: MaybeText,
  page: Schema.optionalKey(Schema.Struct({ page: Schema.String, space: Schema.String })),
  shareKey: MaybeText,
  language: MaybeText,
  browser: Schema.String,
  device: Schema.String,
  os: Schema.String,
  /** Without its query; empty where it is not known. */
  referrer: Schema.String,
  /** By what campaign they came: parameters of the URL. */
  utm: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Text that was searched for, or asked. */
  query: MaybeText,
  rating: Schema.optionalKey(Rating),
  comment: MaybeText
})
export type KeptEvent = typeof KeptEvent.Type

export const KeptEventTable = Table.make("siteInsightsEvent", KeptEvent, {
  key: ["id"],
  indexes: [["site", "at"], ["at"]]
})
