/**
 * Finds the page that was at a path earlier, for paths that no page has now. Several pages may have had one segment
 * over time. The path is therefore resolved as of the time right before each departure of a candidate, latest first.
 *
 * Limits: for each segment, the 100 pages that left it last.
 */
import { Effect } from "effect"
import type { SpaceId } from "../../space/Space.ts"
import type { Repository, StorageError } from "../../storage/Storage.ts"
import type { ContentReader } from "../ContentReader.ts"
import type { PageEntry, PageId } from "./Page.ts"
import type { PageAliasTable } from "./PageAlias.ts"
import type { RevisionId } from "../revisions/Revision.ts"
import * as Slug from "./Slug.ts"

const maxCandidates = 100
/** Maximum number of departures that are read to distinguish several candidates. */
const maxDepartures = 5_000

/** A page that is or was at a segment of a path, below a candidate for the previous segment. */
interface Step {
  readonly parent: string
  readonly page: PageId
  /** First revision without the page at this position. Undefined if the current revision has the page there. */
  readonly until: RevisionId | undefined
}

type Aliases = Repository<typeof PageAliasTable>

/** Returns the page that was at the path last and still exists. */
export const find = Effect.fnUntraced(function* (
  aliases: Aliases,
  space: SpaceId,
  content: ContentReader,
  segments: ReadonlyArray<string>
): Effect.fn.Return<PageEntry | undefined, StorageError> {
  const steps = yield* stepsOf(aliases, space, content, segments)
  if (steps === undefined) return undefined
  const candidates = (yield* content.pages(pagesOf(steps.at(-1)!))).filter((page) => page !== undefined)
  const pages = new Map(candidates.filter(hasPath).map((page) => [page.id, page]))
  if (pages.size <= 1) return pages.values().next().value
  const departures = yield* departuresOf(aliases, space, pagesOf(steps.flat()))
  for (const time of timesOf(steps)) {
    const id = pageAt(steps, departures, time)
    const page = id && pages.get(id)
    if (page !== undefined) return page
  }
  return candidates.find(hasPath)
})

/** Returns false for links, which have no path. */
export const hasPath = ({ type }: PageEntry): boolean => type !== "link"

/** Returns the candidate pages for each segment. Undefined if a segment has no candidates. */
const stepsOf = Effect.fnUntraced(function* (
  aliases: Aliases,
  space: SpaceId,
  content: ContentReader,
  segments: ReadonlyArray<string>
) {
  const steps: Array<ReadonlyArray<Step>> = []
  let parents: ReadonlyArray<string> = [""]
  for (const segment of segments) {
    const segmentSteps: Array<Step> = []
    for (const parent of parents) {
      const page = yield* content.child(parent === "" ? null : parent, segment)
      if (page !== undefined) segmentSteps.push({ parent, page, until: undefined })
    }
    segmentSteps.push(
      ...(yield* aliases.list({
        where: { space, parent: { in: parents }, slug: Slug.foldCase(segment) },
        order: ["until"],
        descending: true,
        limit: maxCandidates
      }))
    )
    if (segmentSteps.length === 0) return undefined
    steps.push(segmentSteps)
    parents = pagesOf(segmentSteps).slice(0, maxCandidates)
  }
  return steps
})

/** Returns the revisions in which each page left a position, latest first. */
const departuresOf = Effect.fnUntraced(function* (aliases: Aliases, space: SpaceId, pages: ReadonlyArray<PageId>) {
  const rows = yield* aliases.list({
    where: { space, page: { in: pages } },
    order: ["until"],
    descending: true,
    limit: maxDepartures
  })
  const departures = new Map<string, Array<RevisionId>>(pages.map((page) => [page, []]))
  for (const { page, until } of rows) departures.get(page)!.push(until)
  return departures
})

const pagesOf = (steps: ReadonlyArray<Step>): ReadonlyArray<PageId> => [...new Set(steps.map(({ page }) => page))]

/**
 * Returns the revisions in which a candidate left its position, latest first. The path is resolved as of right before
 * each of them.
 */
const timesOf = (steps: ReadonlyArray<ReadonlyArray<Step>>): ReadonlyArray<RevisionId> =>
  [...new Set(steps.flat().flatMap(({ until }) => until ?? []))].sort().reverse()

/**
 * Returns the page at the end of the path, resolved as of right before a time. Undefined if the path led to no page.
 */
const pageAt = (
  steps: ReadonlyArray<ReadonlyArray<Step>>,
  departures: ReadonlyMap<string, ReadonlyArray<RevisionId>>,
  time: RevisionId
): PageId | undefined => {
  /**
   * Returns true if the page was at this position right before `time`. A page arrives at a position when it leaves the
   * previous one. A page without a previous position counts as always present.
   */
  const wasPresent = ({ page, until }: Step) =>
    (until === undefined || until >= time) &&
    departures.get(page)!.every((departure) => departure < time || (until !== undefined && departure >= until))
  let at: PageId | undefined
  for (const segmentSteps of steps) {
    const presentSteps = segmentSteps.filter((step) => step.parent === (at ?? "") && wasPresent(step))
    // A page that was created there later has no record of its creation. So the page that left first was at the
    // position.
    const step = presentSteps.reduce<Step | undefined>(
      (one, other) => (one === undefined || leftEarlier(other, one) ? other : one),
      undefined
    )
    if (step === undefined) return undefined
    at = step.page
  }
  return at
}

const leftEarlier = (a: Step, b: Step): boolean => a.until !== undefined && (b.until === undefined || a.until < b.until)
