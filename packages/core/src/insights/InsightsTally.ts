/**
 * Sums over events, grouped by the columns of a query. Pure: events are added one by one, and sums are returned at the
 * end.
 */
import type { Schema } from "effect"
import type { StoredEvent } from "./StoredEvent.ts"
import {
  type Column,
  type Dimension,
  type Filter,
  type InsightsQuery,
  type InsightsSums,
  type Interval,
  isMeasure,
  type Selected
} from "./InsightsQuery.ts"

interface TallyRow {
  readonly dimensions: ReadonlyArray<Schema.Json>
  events: number
  readonly sessions: Set<string>
  readonly visitors: Set<string>
  readonly ratings: { ok: number; good: number; bad: number }
}

const defaultLimit = 1_000

const day = 24 * 60 * 60 * 1000

/** Returns the start of the hour, day, week (Monday) or month of a time. */
const roundDown = (at: string, interval: Interval | undefined): string => {
  if (interval === undefined) return at
  if (interval === "hour") return `${at.slice(0, 13)}:00:00.000Z`
  if (interval === "day") return `${at.slice(0, 10)}T00:00:00.000Z`
  if (interval === "month") return `${at.slice(0, 7)}-01T00:00:00.000Z`
  const monday = Date.parse(at) - (weekdayOf(at) - 1) * day
  return `${new Date(monday).toISOString().slice(0, 10)}T00:00:00.000Z`
}

/** Returns the day of the week: 1 = Monday to 7 = Sunday. */
const weekdayOf = (at: string): number => new Date(at).getUTCDay() || 7

const pathOf = (url: string): string => url.replace(/^[^/]*\/\/[^/]*/, "") || "/"

const hostOf = (url: string): string => /^[^/]*\/\/([^/]*)/.exec(url)?.[1] ?? ""

const utm = (name: string) => (event: StoredEvent) => event.utm?.[name] ?? ""

/** Returns the value of an event in a column. Events with an undefined value are left out of the sums. */
const values: { readonly [D in Dimension]: (event: StoredEvent, interval?: Interval) => Schema.Json | undefined } = {
  datetime: ({ at }, interval) => roundDown(at, interval),
  dayOfWeek: ({ at }) => weekdayOf(at),
  hourOfDay: ({ at }) => Number(at.slice(11, 13)),
  url: ({ url }) => url,
  urlPath: ({ url }) => pathOf(url),
  eventType: ({ type }) => type,
  siteSection: ({ siteSection = null }) => siteSection,
  siteSpace: ({ siteSpace = null }) => siteSpace,
  siteShareKey: ({ shareKey = null }) => shareKey,
  displayContext: ({ context }) => context,
  page: ({ page = null }) => page,
  visitorLanguage: ({ language = null }) => language,
  visitorBrowser: ({ browser }) => browser,
  visitorDevice: ({ device }) => device,
  visitorOS: ({ os }) => os,
  referrer: ({ referrer }) => referrer,
  referrerDomain: ({ referrer }) => hostOf(referrer),
  utmSource: utm("source"),
  utmMedium: utm("medium"),
  utmCampaign: utm("campaign"),
  utmTerm: utm("term"),
  utmContent: utm("content"),
  eventSearchQuery: ({ query }) => query,
  eventPageFeedbackRating: ({ rating }) => rating,
  eventPageFeedbackComment: ({ comment }) => comment
}

const sumOf = (row: TallyRow, column: Column): Schema.Json => {
  if (column === "sessionsCount") return row.sessions.size
  if (column === "visitorsCount") return row.visitors.size
  if (column === "pageFeedbackRating") return { ...row.ratings }
  return row.events
}

const nameOf = (value: Schema.Json): string =>
  typeof value === "object" && value !== null && "page" in value
    ? JSON.stringify([value["page"], value["space"]])
    : JSON.stringify(value)

/** Returns true if a value matches a filter. An undefined value never matches. */
const matches = ({ values, operator = "in" }: Filter, value: Schema.Json | undefined): boolean => {
  if (value === undefined) return false
  if (operator === "in" || operator === "notIn") {
    return values.some((one) => nameOf(one) === nameOf(value)) === (operator === "in")
  }
  const order = compare(value, values[0] ?? null)
  if (order === undefined) return false
  if (operator === "greaterThan") return order > 0
  if (operator === "greaterThanOrEqual") return order >= 0
  return operator === "lessThan" ? order < 0 : order <= 0
}

/** Returns a negative number, 0 or a positive number. Undefined if the values have no order. */
const compare = (a: Schema.Json, b: Schema.Json): number | undefined => {
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  return undefined
}

export class InsightsTally {
  readonly #query: InsightsQuery
  readonly #dimensions: ReadonlyArray<Selected>
  readonly #selected: ReadonlyArray<Selected>
  readonly #filters: ReadonlyArray<Filter>
  readonly #rows = new Map<string, TallyRow>()

  constructor(query: InsightsQuery) {
    const groupColumns = query.groupBy ?? []
    this.#query = query
    this.#selected = query.select ?? [...groupColumns, { column: "eventsCount" }]
    const dimensions = new Map(
      [...groupColumns, ...this.#selected, ...(query.order === undefined ? [] : [query.order.by])]
        .filter(({ column }) => !isMeasure(column))
        .map((one) => [keyOf(one), one])
    )
    this.#dimensions = [...dimensions.values()]
    this.#filters = query.where ?? []
    // A query without dimensions has one row, even if no event matches.
    if (this.#dimensions.length === 0) this.#row([])
  }

  add(event: StoredEvent): void {
    for (const filter of this.#filters) {
      const { column } = filter
      if (!isMeasure(column) && !matches(filter, values[column](event))) return
    }
    const groupValues = this.#dimensions.map(({ column, interval }) => values[column as Dimension](event, interval))
    if (groupValues.includes(undefined)) return
    const row = this.#row(groupValues as ReadonlyArray<Schema.Json>)
    row.events += event.weight
    row.sessions.add(event.session)
    row.visitors.add(event.visitor)
    if (event.rating !== undefined) row.ratings[event.rating] += event.weight
  }

  sums(): InsightsSums {
    const value = (row: TallyRow, selected: Selected): Schema.Json => {
      if (isMeasure(selected.column)) return sumOf(row, selected.column)
      return row.dimensions[this.#dimensions.findIndex((one) => keyOf(one) === keyOf(selected))]!
    }
    const measureFilters = this.#filters.filter(({ column }) => isMeasure(column))
    const rows = [...this.#rows.values()].filter((row) =>
      measureFilters.every((filter) => matches(filter, sumOf(row, filter.column)))
    )
    const order = this.#query.order ?? this.#order()
    if (order !== undefined) {
      const sign = order.direction === "asc" ? 1 : -1
      rows.sort((a, b) => sign * (compare(value(a, order.by), value(b, order.by)) ?? 0))
    }
    const displayedRows = rows.slice(0, this.#query.limit ?? defaultLimit)
    return {
      columns: this.#selected.map((selected) => ({
        column: selected.column,
        values: displayedRows.map((row) => value(row, selected))
      }))
    }
  }

  #order(): InsightsQuery["order"] {
    const timeColumn = this.#selected.find(({ column }) => column === "datetime")
    if (timeColumn !== undefined) return { by: timeColumn, direction: "asc" }
    const sum = this.#selected.find(({ column }) => isMeasure(column) && column !== "pageFeedbackRating")
    return sum && { by: sum, direction: "desc" }
  }

  #row(dimensions: ReadonlyArray<Schema.Json>): TallyRow {
    const key = JSON.stringify(dimensions)
    const existingRow = this.#rows.get(key)
    if (existingRow !== undefined) return existingRow
    const row: TallyRow = {
      dimensions,
      events: 0,
      sessions: new Set(),
      visitors: new Set(),
      ratings: { ok: 0, good: 0, bad: 0 }
    }
    this.#rows.set(key, row)
    return row
  }
}

const keyOf = ({ column, interval = "" }: { readonly column: Column; readonly interval?: string }): string =>
  `${column} ${interval}`
