/**
 * Takes in what renderers and sites of ours tell of a site's visitors, keeps what can be asked for later (see
 * `KeptEvent`), and tells the integrations on the site that may know: of views and of feedback. What is kept is
 * written a moment later (see `InsightsRecords`).
 *
 * Limits: those of `InsightsSampling`; 8 KiB of cookies of a visitor, the smallest first. Where 5,000
 * events wait for an integration, no more of these do: they push nothing else out.
 */
import { Clock, Context, Effect } from "effect"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Ids } from "../identity/Ids.ts"
import { Instance } from "../identity/Instance.ts"
import { maxQueued } from "../integration/IntegrationEvent.ts"
import { IntegrationQueue, type Told } from "../integration/IntegrationQueue.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import { millisOf } from "../schema/GivenTime.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type SiteId, type SiteNotFound, SiteTable } from "../site/Site.ts"
import { siteNotFound, SitePolicy } from "../site/SitePolicy.ts"
import { type KeptSite, SiteStore } from "../site/store/SiteStore.ts"
import { findSiteSpace, spaces } from "../site/SiteStructure.ts"
import type { SpaceId } from "../space/Space.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { isKnown, keptOf } from "./EventKeeping.ts"
import { InsightsRecords } from "./InsightsRecords.ts"
import { InsightsSampling, type Sampled } from "./InsightsSampling.ts"
import { type KeptEvent, KeptEventTable } from "./KeptEvent.ts"
import { InsightsTrack, maxAge, type SiteInsightsEvent } from "./SiteInsightsEvent.ts"
import { withoutShareKey } from "./WithoutShareKey.ts"
import { wired } from "../wiring/Wired.ts"

const accept = accepting(InsightsTrack)

const maxCookies = 8 * 1024
const maxWaiting = maxQueued / 2

/** The sender of events. For a site that is open to everyone, that may be anyone. */
export interface Teller {
  readonly actor: Actor | undefined
  /** The address that the request comes from. */
  readonly ip: string
}

/** Something that a site of ours has shown to somebody who may see it. */
export interface Shown {
  readonly event: SiteInsightsEvent
  /** The address that it was asked from. */
  readonly ip: string
  /** Integrations may know of it too. */
  readonly isTold: boolean
}

export class SiteInsights extends Context.Service<
  SiteInsights,
  {
    /** How many of the events go no further, since there are too many of them. */
    readonly track: (
      organization: OrganizationId,
      site: SiteId,
      input: InsightsTrack,
      teller: Teller
    ) => Effect.Effect<number, SiteNotFound | Forbidden | InvalidInput | StorageError>
    /**
     * Notes that a site of ours was read, and waits for nothing: integrations are told and it is kept a moment later,
     * in one transaction with what else was read. `shown` is asked for what goes on alone, with the time.
     */
    readonly noteShown: (site: SiteId, kind: Exclude<Sampled, "feedback">, shown: (now: number) => Shown) => void
  }
>()("@lectern/core/insights/SiteInsights") {
  static readonly layer = wired(
    SiteInsights,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* SiteStore
      const policy = yield* SitePolicy
      const queue = yield* IntegrationQueue
      const instance = yield* Instance
      const ids = yield* Ids
      const written = yield* InsightsRecords
      const keptEvents = storage.repository(KeptEventTable)
      const sites = storage.repository(SiteTable)
      const sampling = new InsightsSampling()
      const clock = yield* Clock.Clock
      const fork = Effect.runForkWith(yield* Effect.context<never>())

      /** Keeps events, unless their site has gone meanwhile. */
      const keep = Effect.fnUntraced(function* (id: SiteId, rows: ReadonlyArray<KeptEvent>) {
        if ((yield* sites.get({ id })) === undefined) return
        for (const row of rows) yield* keptEvents.insert(row).pipe(cannotConflict)
      })

      const rowOf = Effect.fnUntraced(function* (event: SiteInsightsEvent, kept: KeptSite, at: number, weight: number) {
        const { id } = kept.site
        return {
          ...keptOf(event, kept, (text) => instance.sign("insights", `${id} ${text}`)),
          id: yield* ids.next,
          at: Timestamps.at(at),
          weight
        } satisfies KeptEvent
      })

      /** Tells and keeps what was shown, unless its site has gone meanwhile. */
      const keepShown = Effect.fnUntraced(function* (id: SiteId, shown: Shown, at: number, weight: number) {
        const kept = yield* store.get(id)
        if (kept === undefined) return
        const told = shown.isTold ? toldOf(shown.event, kept, shown.ip) : undefined
        const subject = { organization: kept.site.organization, kind: "site", id } as const
        if (told !== undefined) yield* queue.tellAll(subject, [told], { waiting: maxWaiting })
        yield* keptEvents.insert(yield* rowOf(shown.event, kept, at, weight)).pipe(cannotConflict)
      })

      /** The site, where it is published and open to whoever tells of it. */
      const require = Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId, actor: Actor | undefined) {
        const kept = yield* store.get(id)
        if (kept?.site.organization !== organization || !kept.site.published) return yield* siteNotFound(id)
        const { visibility } = kept.site
        if (visibility === "public" || visibility === "unlisted") return kept
        if (actor === undefined) return yield* siteNotFound(id)
        return yield* policy
          .require(organization, id, "see what is published of this site")
          .pipe(Effect.provideService(CurrentActor, actor))
      })

      return SiteInsights.of({
        track: Effect.fn("SiteInsights.track")(function* (organization, id, wanted, { actor, ip }) {
          const kept = yield* require(organization, id, actor)
          const { events } = yield* accept(wanted)
          const now = yield* Clock.currentTimeMillis
          const issues = events.flatMap(({ timestamp }, i) =>
            timestamp === undefined || Math.abs(millisOf(timestamp) - now) <= maxAge
              ? []
              : [{ path: `body.events[${i}].timestamp`, message: "Expected a time within 5 minutes of now" }]
          )
          if (issues.length > 0) return yield* new InvalidInput({ issues })
          const known = events.filter(({ type }) => isKnown(type))
          const taken = known
            .map((event) => ({ event, weight: sampling.weigh(id, sampledAs(event), now) }))
            .filter(({ weight }) => weight > 0)
          if (taken.length === 0) return known.length
          const rows: Array<KeptEvent> = []
          for (const { event, weight } of taken) {
            const at = event.timestamp === undefined ? now : millisOf(event.timestamp)
            rows.push(yield* rowOf(event, kept, at, weight))
          }
          const subject = { organization, kind: "site", id } as const
          const told = taken.flatMap(({ event }) => toldOf(event, kept, ip) ?? [])
          const dropped =
            told.length === 0 ? 0 : yield* storage.transaction(queue.tellAll(subject, told, { waiting: maxWaiting }))
          yield* written.later(keep(id, rows), rows.length)
          return known.length - taken.length + dropped
        }),

        noteShown: (id, kind, shown) => {
          const now = clock.currentTimeMillisUnsafe()
          const weight = sampling.weigh(id, kind, now)
          if (weight > 0) fork(written.later(keepShown(id, shown(now), now, weight)))
        }
      })
    }),
    [InsightsRecords.layer, Instance.layer, IntegrationQueue.layer, SitePolicy.layer, SiteStore.layer]
  )
}

const sampledAs = (event: SiteInsightsEvent): Sampled =>
  "feedback" in event ? "feedback" : event.type === "page_view" ? "view" : "other"

/** The event that integrations receive for this one; undefined for none. */
const toldOf = (event: SiteInsightsEvent, kept: KeptSite, address: string): Told | undefined => {
  const { site } = kept
  const { session, location } = event
  const { page, siteSpace, space } = location
  const about = {
    siteId: site.id,
    // What is not on the site is somebody's invention.
    ...(space !== null && spaces(site.structure).includes(space as SpaceId) && { spaceId: space }),
    ...(page !== null && { pageId: page }),
    visitor: {
      anonymousId: session.visitorId,
      cookies: fitting(session.cookies),
      userAgent: session.userAgent,
      ip: addressOf(session.ip ?? address),
      ...(session.language !== null && { language: session.language })
    },
    url: withoutShareKey(location.url, kept),
    referrer: withoutShareKey(session.referrer ?? "", kept)
  }
  if ("feedback" in event) {
    const { feedback } = event
    return {
      scope: "page:feedback:read",
      payload: (installationId) => ({ type: "page_feedback", installationId, ...about, feedback })
    }
  }
  if (event.type !== "page_view") return undefined
  const isOnSite = siteSpace !== null && findSiteSpace(site.structure, siteSpace) !== undefined
  return {
    scope: "site:views:read",
    payload: (installationId) => ({
      type: "site_view",
      installationId,
      ...about,
      ...(isOnSite && { siteSpaceId: siteSpace })
    })
  }
}

/** As many cookies as there is room for, the smallest first. */
const fitting = (cookies: { readonly [name: string]: string }): { readonly [name: string]: string } => {
  let room = maxCookies
  return Object.fromEntries(
    Object.entries(cookies)
      .filter(([name, value]) => name !== "__proto__" && `${name}${value}`.isWellFormed())
      .toSorted(([a, x], [b, y]) => a.length + x.length - b.length - y.length)
      .filter(([name, value]) => (room -= name.length + value.length) >= 0)
  )
}

const addressOf = (text: string): string => (/^[\da-f:.]{2,64}$/i.test(text) ? text : "")
