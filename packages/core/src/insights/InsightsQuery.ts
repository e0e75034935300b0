/**
 * A query about visitors of a site: sums over the events of a time range, grouped by columns and filtered.
 *
 * Limits: 20 columns, 20 filters of 100 values each, 1,000 rows in a response; 100,000 events (see `StoredEvent`).
 */
import { Schema } from "effect"
import { InputTime } from "../schema/InputTime.ts"

/** Columns by which events are grouped. */
const dimensions = [
  "datetime",
  "dayOfWeek",
  "hourOfDay",
  "url",
  "urlPath",
  "eventType",
  "siteSection",
  "siteSpace",
  "siteShareKey",
  "displayContext",
  "page",
  "visitorLanguage",
  "visitorBrowser",
  "visitorDevice",
  "visitorOS",
  "referrer",
  "referrerDomain",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "utmTerm",
  "utmContent",
  "eventSearchQuery",
  "eventPageFeedbackRating",
  "eventPageFeedbackComment"
] as const

/** Sums over the events of a group. */
const measures = ["eventsCount", "sessionsCount", "visitorsCount", "pageFeedbackRating"] as const

export type Dimension = (typeof dimensions)[number]
export type Measure = (typeof measures)[number]
export type Column = Dimension | Measure

export const isMeasure = (column: Column): column is Measure => (measures as ReadonlyArray<string>).includes(column)

export const Interval = Schema.Literals(["hour", "day", "week", "month"])
export type Interval = typeof Interval.Type

const ColumnName = Schema.Literals([...dimensions, ...measures])

const Selected = Schema.Struct({
  column: ColumnName,
  /** Unit to which `datetime` is rounded down, in UTC. Default: the time itself. */
  interval: Schema.optionalKey(Interval)
})
export type Selected = typeof Selected.Type

const columns = Schema.Array(Selected).check(Schema.isMaxLength(20))

export const Filter = Schema.Struct({
  column: ColumnName,
  values: Schema.Array(Schema.Json).check(Schema.isMaxLength(100)),
  /** Default: `in`. All operators other than `in` and `notIn` compare with the first value. */
  operator: Schema.optionalKey(
    Schema.Literals(["in", "notIn", "greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"])
  )
})
export type Filter = typeof Filter.Type

export const presets = {
  last24Hours: 1,
  last7Days: 7,
  last30Days: 30,
  last3Months: 91,
  lastYear: 365
} as const

export const InsightsQuery = Schema.Struct({
  /** Default: the columns of `groupBy`, and `eventsCount`. */
  select: Schema.optionalKey(columns),
  /** Conditions that all counted events match. Default: none. */
  where: Schema.optionalKey(Schema.Array(Filter).check(Schema.isMaxLength(20))),
  /** Dimensions to group by, in addition to the selected dimensions. */
  groupBy: Schema.optionalKey(columns),
  /** Default: by time if `datetime` is selected, otherwise the largest sum first. */
  order: Schema.optionalKey(Schema.Struct({ by: Selected, direction: Schema.Literals(["asc", "desc"]) })),
  /** Time range: a preset, or two times. */
  range: Schema.Union([
    Schema.Literals(["lastYear", "last3Months", "last30Days", "last7Days", "last24Hours"]),
    Schema.Struct({ from: InputTime, to: InputTime })
  ]),
  /** Maximum number of rows. Default: 1,000. */
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })))
})
export type InsightsQuery = typeof InsightsQuery.Type

/** The selected columns, each with one value per row. */
export const InsightsSums = Schema.Struct({
  columns: Schema.Array(Schema.Struct({ column: ColumnName, values: Schema.Array(Schema.Json) }))
})
export interface InsightsSums extends Schema.Schema.Type<typeof InsightsSums> {}
