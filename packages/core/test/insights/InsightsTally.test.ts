/** Sums over visitors' events, by whatever a query groups them by. */
import { assert, describe, it } from "@effect/vitest"
import { browserOf } from "@lectern/core/insights/Browser"
import type { InsightsQuery } from "@lectern/core/insights/InsightsQuery"
import { InsightsTally } from "@lectern/core/insights/InsightsTally"
import type { StoredEvent } from "@lectern/core/insights/StoredEvent"

const event = (at: string, more: Partial<StoredEvent> = {}) =>
  ({
    id: at,
    site: "site",
    at: `${at}.000Z`,
    type: "page_view",
    weight: 1,
    visitor: "v1",
    session: "s1",
    context: "site",
    url: "https://docs.example.com/setup",
    browser: "firefox",
    device: "desktop",
    os: "linux",
    referrer: "",
    ...more
  }) as StoredEvent

/** 2026-01-01 is a Thursday. */
const events = [
  event("2026-01-01T10:20:00", { page: { page: "p", space: "s" } }),
  event("2026-01-01T10:50:00", { session: "s2", weight: 10, referrer: "https://search.example.com/find" }),
  event("2026-01-04T23:59:59", { visitor: "v2", session: "s3", type: "search_type_query", query: "install" }),
  event("2026-01-05T00:00:00", { visitor: "v2", session: "s3", type: "page_post_feedback", rating: "good" }),
  event("2026-02-01T00:00:00", { type: "page_post_feedback", rating: "bad", utm: { source: "news" } })
]

const sums = (query: Omit<InsightsQuery, "range">) => {
  const tally = new InsightsTally({ range: "lastYear", ...query })
  for (const one of events) tally.add(one)
  return tally.sums().columns.map(({ column, values }) => [column, ...values])
}

describe("InsightsTally", () => {
  it("sums events for those that each stands for, and counts visitors and sessions", () => {
    assert.deepStrictEqual(sums({}), [["eventsCount", 14]])
    assert.deepStrictEqual(
      sums({
        select: [{ column: "visitorsCount" }, { column: "sessionsCount" }, { column: "pageFeedbackRating" }],
        where: [{ column: "datetime", values: ["2026-01-02T00:00:00.000Z"], operator: "greaterThan" }]
      }),
      [
        ["visitorsCount", 2],
        ["sessionsCount", 2],
        ["pageFeedbackRating", { ok: 0, good: 1, bad: 1 }]
      ]
    )
    // Of nothing there are sums, too.
    assert.deepStrictEqual(sums({ where: [{ column: "eventType", values: ["none"] }] }), [["eventsCount", 0]])
  })

  it("groups by time, by the columns that are asked for, and by those that an order names", () => {
    const by = (interval: "hour" | "day" | "week" | "month") =>
      sums({ groupBy: [{ column: "datetime", interval }] })[0]
        ?.slice(1)
        .map((at) => String(at).slice(0, 13))
    assert.deepStrictEqual(by("hour"), ["2026-01-01T10", "2026-01-04T23", "2026-01-05T00", "2026-02-01T00"])
    assert.deepStrictEqual(by("day"), ["2026-01-01T00", "2026-01-04T00", "2026-01-05T00", "2026-02-01T00"])
    assert.deepStrictEqual(by("week"), ["2025-12-29T00", "2026-01-05T00", "2026-01-26T00"])
    assert.deepStrictEqual(by("month"), ["2026-01-01T00", "2026-02-01T00"])
    assert.deepStrictEqual(sums({ groupBy: [{ column: "eventType" }], limit: 2 }), [
      ["eventType", "page_view", "page_post_feedback"],
      ["eventsCount", 11, 2]
    ])
    assert.deepStrictEqual(
      sums({
        select: [{ column: "dayOfWeek" }, { column: "hourOfDay" }, { column: "eventsCount" }],
        order: { by: { column: "dayOfWeek" }, direction: "asc" }
      }),
      [
        ["dayOfWeek", 1, 4, 7, 7],
        ["hourOfDay", 0, 10, 23, 0],
        ["eventsCount", 1, 11, 1, 1]
      ]
    )
  })

  it("tells pages, searches, referrers and campaigns, and leaves out who has none", () => {
    const top = (column: "page" | "eventSearchQuery" | "referrerDomain" | "utmSource" | "urlPath") =>
      sums({ groupBy: [{ column }] })[0]?.slice(1)
    assert.deepStrictEqual(top("page"), [null, { page: "p", space: "s" }])
    assert.deepStrictEqual(top("eventSearchQuery"), ["install"])
    assert.deepStrictEqual(top("referrerDomain"), ["search.example.com", ""])
    assert.deepStrictEqual(top("utmSource"), ["", "news"])
    assert.deepStrictEqual(top("urlPath"), ["/setup"])
  })

  it("filters by values, by order, and by sums", () => {
    const count = (filter: NonNullable<InsightsQuery["where"]>[number]) => sums({ where: [filter] })[0]?.[1]
    assert.strictEqual(count({ column: "page", values: [{ space: "s", page: "p" }] }), 1)
    assert.strictEqual(count({ column: "page", values: [null] }), 13)
    assert.strictEqual(count({ column: "page", values: [null], operator: "notIn" }), 1)
    assert.strictEqual(count({ column: "hourOfDay", values: [10], operator: "greaterThanOrEqual" }), 12)
    assert.strictEqual(count({ column: "hourOfDay", values: ["10"], operator: "lessThan" }), 0)
    assert.strictEqual(count({ column: "eventType", values: [] }), 0)
    const often = { column: "eventsCount", values: [1], operator: "greaterThan" } as const
    assert.deepStrictEqual(sums({ groupBy: [{ column: "eventType" }], where: [often] })[0], [
      "eventType",
      "page_view",
      "page_post_feedback"
    ])
  })

  it("knows browsers by what they say", () => {
    const kinds = (text: string) => Object.values(browserOf(text)).join(" ")
    const mozilla = "Mozilla/5.0 "
    assert.strictEqual(
      kinds(`${mozilla}(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0`),
      "edge windows desktop"
    )
    assert.strictEqual(
      kinds(
        `${mozilla}(iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile/15E148 Safari/604`
      ),
      "safari ios mobile"
    )
    assert.strictEqual(kinds(`${mozilla}(Linux; Android 15; Tablet) Chrome/140.0 Safari/537`), "chrome android tablet")
    assert.strictEqual(
      kinds(`${mozilla}(X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`),
      "firefox linux desktop"
    )
    assert.strictEqual(kinds("curl/8"), "unknown unknown unknown")
  })
})
