/**
 * An event of a site's visitor as stored for sums: the action, its position, and the kind of browser. Nothing else is
 * stored about the visitor: no address, cookie or name. Visitor ids differ for each site.
 *
 * Limits: 30 days, and the latest 100,000 events of a site. Events are sampled (see `InsightsSampling`); `weight` is
 * the number of events that one represents.
 */
import { Schema } from "effect"
import { SiteId } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"
import { Timestamp } from "../schema/Text.ts"
import { Rating } from "./SiteInsightsEvent.ts"

export const maxStored = 100_000
export const retentionDays = 30

const OptionalText = Schema.optionalKey(Schema.String)

export const StoredEvent = Schema.Struct({
  id: Schema.String,
  site: SiteId,
  at: Timestamp,
  type: Schema.String,
  /** Number of events that this one represents. */
  weight: Schema.Int,
  visitor: Schema.String,
  session: Schema.String,
  context: Schema.String,
  /** URL without its query. */
  url: Schema.String,
  /** Absent if the site has no such section. */
  siteSection: OptionalText,
  siteSpace: OptionalText,
  page: Schema.optionalKey(Schema.Struct({ page: Schema.String, space: Schema.String })),
  shareKey: OptionalText,
  language: OptionalText,
  browser: Schema.String,
  device: Schema.String,
  os: Schema.String,
  /** URL without its query; empty if unknown. */
  referrer: Schema.String,
  /** Campaign parameters of the URL (`utm_source` and others), by name. */
  utm: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Search query, or question. */
  query: OptionalText,
  rating: Schema.optionalKey(Rating),
  comment: OptionalText
})
export type StoredEvent = typeof StoredEvent.Type

export const StoredEventTable = Table.make("siteInsightsEvent", StoredEvent, {
  key: ["id"],
  indexes: [["site", "at"], ["at"]]
})
