/** Computes sums over the stored events of a site's visitors (see `StoredEvent`). */
import { Clock, Effect } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import { millisOf } from "../schema/InputTime.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SiteId } from "../site/Site.ts"
import { makeVisibleSiteSpaces } from "../site/VisibleSiteSpaces.ts"
import { type AuthorizedSite, seesWhole, SitePolicy } from "../site/SitePolicy.ts"
import { findSection, findSiteSpace } from "../site/SiteStructure.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { InsightsQuery, presets } from "./InsightsQuery.ts"
import { InsightsTally } from "./InsightsTally.ts"
import { type StoredEvent, StoredEventTable, maxStored } from "./StoredEvent.ts"

const accept = accepting(InsightsQuery)

/** Number of events to read before yielding. */
const eventsAtOnce = 500

const day = 24 * 60 * 60 * 1000

/** Returns the operation that computes sums. `flush` writes the events that are not written yet. */
export const makeSiteInsightsSums = Effect.fnUntraced(function* (flush: Effect.Effect<void, StorageError>) {
  const events = (yield* Storage).repository(StoredEventTable)
  const policy = yield* SitePolicy
  const siteSpaces = yield* makeVisibleSiteSpaces

  /** Returns a predicate for events at visible parts of the site, or without a part. */
  const visibilityFor = Effect.fnUntraced(function* (authorized: AuthorizedSite) {
    const { id, structure } = authorized.site
    const seesAllParts = seesWhole(authorized)
      ? undefined
      : (yield* siteSpaces.listFor(authorized.member, [authorized.site])).get(id)
    if (seesAllParts === undefined) return () => true
    const ids: ReadonlySet<string> = seesAllParts
    const spaces = new Set<string>(
      [...seesAllParts].flatMap((one) => findSiteSpace(structure, one)?.siteSpace.space ?? [])
    )
    return ({ siteSection, siteSpace, page }: StoredEvent): boolean => {
      if (page !== undefined && !spaces.has(page.space)) return false
      if (siteSpace !== undefined) return ids.has(siteSpace)
      const sectionSpaces = siteSection === undefined ? [] : (findSection(structure, siteSection)?.siteSpaces ?? [])
      return sectionSpaces.length === 0 || sectionSpaces.some((one) => ids.has(one.id))
    }
  })

  return Effect.fn("SiteInsights.aggregate")(function* (
    organization: OrganizationId,
    site: SiteId,
    rawInput: InsightsQuery
  ) {
    const isShown = yield* visibilityFor(yield* policy.require(organization, site, "see the insights of this site"))
    const query = yield* accept(rawInput)
    const at = yield* rangeOf(query.range, yield* Clock.currentTimeMillis)
    // Includes events that are not written yet.
    yield* flush
    const tally = new InsightsTally(query)
    let after: ReadonlyArray<string> | undefined
    for (let read = 0; read < maxStored; read += eventsAtOnce) {
      const batch = yield* events.list({
        where: { site, at },
        order: ["at"],
        descending: true,
        ...(after && { after }),
        limit: eventsAtOnce
      })
      for (const event of batch) if (isShown(event)) tally.add(event)
      const last = batch.at(-1)
      if (last === undefined || batch.length < eventsAtOnce) break
      after = [last.at, last.id]
      yield* Effect.yieldNow
    }
    return tally.sums()
  })
})

const rangeOf = Effect.fnUntraced(function* (range: InsightsQuery["range"], now: number) {
  const [from, to] =
    typeof range === "string" ? [now - presets[range] * day, now + day] : [millisOf(range.from), millisOf(range.to)]
  if (from <= to) return { gte: Timestamps.at(from), lte: Timestamps.at(to) }
  const message = "Expected two times, the earlier one first"
  return yield* new InvalidInput({ issues: [{ path: "body.range", message }] })
})
