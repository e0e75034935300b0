/**
 * Which page stood at a path that nothing stands at any more. Each segment may have been answered by
 * several pages over time, so the way down is taken as it was right before each time that one of
 * them left its place, the latest first.
 *
 * Limits: of a segment the 100 pages count that left it last.
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
/** How many departures are looked at to tell several candidates apart. */
const maxDepartures = 5_000

/** A page that stands, or stood, at a segment of a path below one that was found for those before. */
interface Step {
  readonly parent: string
  readonly page: PageId
  /** Undefined: it still does. */
  readonly until: RevisionId | undefined
}

type Aliases = Repository<typeof PageAliasTable>

/** The page that stood there last and is still anywhere. */
export const find = Effect.fnUntraced(function* (
  aliases: Aliases,
  space: SpaceId,
  content: ContentReader,
  segments: ReadonlyArray<string>
): Effect.fn.Return<PageEntry | undefined, StorageError> {
  const steps = yield* stepsOf(aliases, space, content, segments)
  if (steps === undefined) return undefined
  const candidates = (yield* content.pages(pagesOf(steps.at(-1)!))).filter((page) => page !== undefined)
  const pages = new Map(candidates.filter(isInPaths).map((page) => [page.id, page]))
  if (pages.size <= 1) return pages.values().next().value
  const departures = yield* departuresOf(aliases, space, pagesOf(steps.flat()))
  for (const time of timesOf(steps)) {
    const id = pageAt(steps, departures, time)
    const page = id && pages.get(id)
    if (page !== undefined) return page
  }
  return candidates.find(isInPaths)
})

/** Links answer to no path. */
export const isInPaths = ({ type }: PageEntry): boolean => type !== "link"

/** For each segment the pages that may be meant; undefined where for one there is none. */
const stepsOf = Effect.fnUntraced(function* (
  aliases: Aliases,
  space: SpaceId,
  content: ContentReader,
  segments: ReadonlyArray<string>
) {
  const steps: Array<ReadonlyArray<Step>> = []
  let parents: ReadonlyArray<string> = [""]
  for (const segment of segments) {
    const found: Array<Step> = []
    for (const parent of parents) {
      const page = yield* content.child(parent === "" ? null : parent, segment)
      if (page !== undefined) found.push({ parent, page, until: undefined })
    }
    found.push(
      ...(yield* aliases.list({
        where: { space, parent: { in: parents }, slug: Slug.fold(segment) },
        order: ["until"],
        descending: true,
        limit: maxCandidates
      }))
    )
    if (found.length === 0) return undefined
    steps.push(found)
    parents = pagesOf(found).slice(0, maxCandidates)
  }
  return steps
})

/** When each page left a place, the last time first. */
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

/** The times right before which something was at another place than after, the latest first. */
const timesOf = (steps: ReadonlyArray<ReadonlyArray<Step>>): ReadonlyArray<RevisionId> =>
  [...new Set(steps.flat().flatMap(({ until }) => until ?? []))].sort().reverse()

/** The page at the end of the path as it was right before a time, if the path led to one. */
const pageAt = (
  steps: ReadonlyArray<ReadonlyArray<Step>>,
  departures: ReadonlyMap<string, ReadonlyArray<RevisionId>>,
  time: RevisionId
): PageId | undefined => {
  /** It came there when it left the place before that one; where it had none, it was always there. */
  const isThere = ({ page, until }: Step) =>
    (until === undefined || until >= time) &&
    departures.get(page)!.every((departure) => departure < time || (until !== undefined && departure >= until))
  let at: PageId | undefined
  for (const found of steps) {
    const there = found.filter((step) => step.parent === (at ?? "") && isThere(step))
    // A page that was made there later is known by nothing to be new: the one that has left was there.
    const step = there.reduce<Step | undefined>(
      (one, other) => (one === undefined || isSooner(other, one) ? other : one),
      undefined
    )
    if (step === undefined) return undefined
    at = step.page
  }
  return at
}

const isSooner = (a: Step, b: Step): boolean => a.until !== undefined && (b.until === undefined || a.until < b.until)
