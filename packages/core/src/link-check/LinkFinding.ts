/**
 * Finds the URLs to check, once a minute: it follows the events of spaces and reads changed links. Once a week it
 * sweeps through all spaces, which finds links older than the activation of checks, and removes URLs that are no longer
 * linked.
 *
 * Limits: 10 seconds a minute; the rest follows in the next run.
 */
import { Clock, Duration, Effect } from "effect"
import type { Event, EventType } from "../event/Event.ts"
import { Events } from "../event/Events.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { sliceSize } from "../storage/RemoveInSlices.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { LinkCheckTable, type LinkSweep, LinkSweepTable, sweepInterval } from "./LinkCheck.ts"
import { makeLinkedUrls } from "./LinkedUrls.ts"

export const FindLinks = Job.recurring("find-links", { minutes: 1 })

const runMillis = 10_000

/** Number of spaces that the sweep reads in one query. */
const spacesAtOnce = 50

const reader = "link-checks"

/** Events that change the links of a space, or the organization that they belong to. */
const types: ReadonlyArray<EventType> = [
  "space_content_updated",
  "space_created",
  "space_duplicated",
  "space_restored",
  "space_transferred"
]

export const findLinks = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const linkedUrls = yield* makeLinkedUrls
  const checks = storage.repository(LinkCheckTable)
  const spaces = storage.repository(SpaceTable)
  const sweeps = storage.repository(LinkSweepTable)
  const id = "sweep" as const

  /** Returns the running sweep, or the last one if it started less than a week ago. Starts a new one otherwise. */
  const currentSweep: Effect.Effect<LinkSweep, StorageError> = storage.transaction(
    Effect.gen(function* () {
      const existing = yield* sweeps.get({ id })
      const now = yield* Clock.currentTimeMillis
      if (existing !== undefined) {
        const isOver = existing.ended && Date.parse(existing.begunAt) + Duration.toMillis(sweepInterval) <= now
        if (!isOver) return existing
      }
      const initial = { begunAt: Timestamps.at(now), after: "", ended: false }
      if ((yield* sweeps.update({ id }, initial)) === 0) yield* sweeps.insert({ id, ...initial }).pipe(cannotConflict)
      return { id, ...initial }
    })
  )

  const isActive = (row: SpaceRow | undefined): row is SpaceRow =>
    row !== undefined && row.deletedAt === undefined && row.removing !== true

  const follow = Effect.fnUntraced(function* ({ begunAt }: LinkSweep, until: number) {
    for (;;) {
      const { events: batch, after, hasMore } = yield* events.read({ after: yield* events.cursor(reader), types })
      const scopeBySpace = changedSpaces(batch)
      for (const space of yield* spaces.getMany([...scopeBySpace.keys()].map((space) => ({ id: space })))) {
        if (isActive(space)) yield* linkedUrls.storeUrls(space, begunAt, scopeBySpace.get(space.id))
      }
      yield* events.advance(reader, after)
      if (!hasMore || (yield* Clock.currentTimeMillis) >= until) return
    }
  })

  /** Removes some URLs that the sweep did not find. Returns true if more may remain. */
  const removeUnlinked = (begunAt: LinkSweep["begunAt"]) =>
    storage.transaction(
      Effect.gen(function* () {
        const unlinked = yield* checks.list({ where: { seenAt: { lt: begunAt } }, limit: sliceSize })
        if (unlinked.length > 0) yield* checks.remove(unlinked.map(({ organization, url }) => ({ organization, url })))
        return unlinked.length === sliceSize
      })
    )

  const sweep = Effect.fnUntraced(function* ({ begunAt, after: begunAfter }: LinkSweep, until: number) {
    let after = begunAfter
    while ((yield* Clock.currentTimeMillis) < until) {
      const batch = yield* spaces.list({ where: {}, after: [after], limit: spacesAtOnce })
      for (const space of batch) {
        if (isActive(space)) yield* linkedUrls.storeUrls(space, begunAt, "all")
        after = space.id
        if ((yield* Clock.currentTimeMillis) >= until) break
      }
      if (batch.length > 0) {
        yield* sweeps.update({ id }, { after })
        continue
      }
      while (yield* removeUnlinked(begunAt)) yield* Effect.yieldNow
      yield* sweeps.update({ id }, { ended: true })
      return
    }
  })

  return Job.handler(FindLinks, () =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + runMillis
      const current = yield* currentSweep
      yield* follow(current, until)
      if (!current.ended) yield* sweep(current, until)
    })
  )
})

/** Returns the spaces that events are about, and whether all of their links or only changed ones are read. */
const changedSpaces = (events: ReadonlyArray<Event>): ReadonlyMap<SpaceId, "all" | "changed"> => {
  const scopeBySpace = new Map<SpaceId, "all" | "changed">()
  for (const event of events) {
    if (!("space" in event)) continue
    const isEdit = event.type === "space_content_updated" && scopeBySpace.get(event.space) !== "all"
    scopeBySpace.set(event.space, isEdit ? "changed" : "all")
  }
  return scopeBySpace
}
