/**
 * Accepts visitor events of a site from renderers and Lectern's own sites, and stores the fields that can be queried
 * later (see `StoredEvent`). Views and feedback are also sent to authorized integrations on the site. Events are stored
 * shortly afterwards in groups (see `WriteBatches`), since page views outnumber feasible commits.
 *
 * If a site is not open to everyone, an event must contain its visitor's credential, or its sender must present the
 * site's own key.
 *
 * Limits: those of `InsightsSampling`; 8 KiB of cookies of a visitor, the smallest first. While 5,000 events wait for
 * an integration, further visitor events for it are dropped, so that they displace no other events.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Ids } from "../identity/Ids.ts"
import { Instance } from "../identity/Instance.ts"
import { maxQueued } from "../integration/IntegrationEvent.ts"
import { IntegrationQueue, type ScopedEvent } from "../integration/IntegrationQueue.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import { millisOf } from "../schema/InputTime.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type SiteId, type SiteNotFound, SiteTable } from "../site/Site.ts"
import { SiteMount } from "../site/SiteAddress.ts"
import { siteNotFound, SitePolicy } from "../site/SitePolicy.ts"
import { type CachedSite, SiteStore } from "../site/store/SiteStore.ts"
import { findSiteSpace, spaces } from "../site/SiteStructure.ts"
import type { SpaceId } from "../space/Space.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { maxTokenLength } from "../publishing/PublishedUrl.ts"
import { Hasher } from "../storage/Hasher.ts"
import * as WriteBatches from "../storage/WriteBatches.ts"
import { Unauthorized } from "../token/Token.ts"
import { VisitorKeys } from "../visitor/VisitorKeys.ts"
import { VisitorTokens } from "../visitor/VisitorTokens.ts"
import { type AgentFeedback, AgentFeedbackInput, type AgentFeedbackResponse, fromSubject } from "./AgentFeedback.ts"
import { isKnown, storedFieldsOf } from "./StoredFields.ts"
import type { InsightsQuery, InsightsSums } from "./InsightsQuery.ts"
import { InsightsSampling, type SampledKind } from "./InsightsSampling.ts"
import { type StoredEvent, StoredEventTable } from "./StoredEvent.ts"
import { InsightsTrack, maxAge, type SiteInsightsEvent } from "./SiteInsightsEvent.ts"
import { makeSiteInsightsSums } from "./SiteInsightsSums.ts"
import { withoutShareKey } from "./WithoutShareKey.ts"

const accept = accepting(InsightsTrack)
const acceptFeedback = accepting(AgentFeedbackInput)

const maxCookies = 8 * 1024
const maxQueuedViews = maxQueued / 2

/** Maximum number of tokens in an event's cookies that are verified. */
const maxSessions = 4
/** A signed token, as a whole text or inside the cookie that a renderer stores. */
const signed = /[\w-]{10,2000}\.[\w-]{2,8000}\.[\w-]{20,200}/g

/** Sender of events, as the request of the renderer states it. */
export interface EventSender {
  /** Actor of the request. Undefined for a request without a token. */
  readonly actor: Actor | undefined
  /** The site's own key, or a token or session signed with it. */
  readonly siteToken?: string
  /** IP address of the request. */
  readonly ip: string
}

/** `Unauthorized`: the token belongs to neither an actor nor the site. */
type TrackFailure = SiteNotFound | Forbidden | Unauthorized | StorageError

/** A page view or other event on a site that Lectern renders, for a visitor who may see it. */
export interface ViewedEvent {
  readonly event: SiteInsightsEvent
  /** IP address of the visitor. */
  readonly ip: string
  /** True if the event is also sent to integrations. */
  readonly isForIntegrations: boolean
}

export class SiteInsights extends Context.Service<
  SiteInsights,
  {
    /**
     * Stores events, and sends views and feedback to integrations. Returns the number of dropped events.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     * @throws {Unauthorized}
     */
    readonly track: (
      organization: OrganizationId,
      site: SiteId,
      input: InsightsTrack,
      sender: EventSender
    ) => Effect.Effect<number, TrackFailure | InvalidInput>
    /**
     * Computes sums over the events of a time range, at most the latest 100,000. Leaves out events at parts of the site
     * that the actor does not see.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     */
    readonly aggregate: (
      organization: OrganizationId,
      site: SiteId,
      query: InsightsQuery
    ) => Effect.Effect<InsightsSums, SiteNotFound | Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Stores an agent's feedback about a site, and returns the response for the agent.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     * @throws {Unauthorized}
     */
    readonly agentFeedback: (
      organization: OrganizationId,
      site: SiteId,
      input: AgentFeedbackInput | AgentFeedback,
      sender: EventSender
    ) => Effect.Effect<AgentFeedbackResponse, TrackFailure | InvalidInput>
    /**
     * Records an event on a site that Lectern renders, without waiting. Integrations receive the event and it is stored
     * shortly afterwards, in one transaction with other events. `event` is called with the time (ms) only if the event
     * is not dropped.
     */
    readonly recordView: (
      site: SiteId,
      kind: Exclude<SampledKind, "feedback">,
      viewOf: (now: number) => ViewedEvent
    ) => void
  }
>()("@lectern/core/insights/SiteInsights") {
  static readonly layer = Layer.effect(
    SiteInsights,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* SiteStore
      const policy = yield* SitePolicy
      const queue = yield* IntegrationQueue
      const instance = yield* Instance
      const ids = yield* Ids
      const hasher = yield* Hasher
      const keys = yield* VisitorKeys
      const tokens = yield* VisitorTokens
      const records = yield* WriteBatches.make("Events of visitors could not be written")
      const storedEvents = storage.repository(StoredEventTable)
      const sites = storage.repository(SiteTable)
      const sampling = new InsightsSampling()
      const clock = yield* Clock.Clock
      const fork = Effect.runForkWith(yield* Effect.context<never>())

      /** Stores events, unless their site was deleted in the meantime. */
      const storeEvents = Effect.fnUntraced(function* (id: SiteId, rows: ReadonlyArray<StoredEvent>) {
        if ((yield* sites.get({ id })) === undefined) return
        for (const row of rows) yield* storedEvents.insert(row).pipe(cannotConflict)
      })

      const rowOf = Effect.fnUntraced(function* (
        event: SiteInsightsEvent,
        cached: CachedSite,
        at: number,
        weight: number
      ) {
        const { id } = cached.site
        return {
          ...storedFieldsOf(event, cached, (text) => instance.sign("insights", `${id} ${text}`)),
          id: yield* ids.next,
          at: Timestamps.at(at),
          weight
        } satisfies StoredEvent
      })

      /** Sends an event to integrations and stores it, unless its site was deleted in the meantime. */
      const storeView = Effect.fnUntraced(function* (id: SiteId, view: ViewedEvent, at: number, weight: number) {
        // A batch contains views of several sites, but a request for a mounted site finds no other site.
        const cached = yield* Effect.provideService(store.get(id), SiteMount, undefined)
        if (cached === undefined) return
        const integrationEvent = view.isForIntegrations ? integrationEventOf(view.event, cached, view.ip) : undefined
        const subject = { organization: cached.site.organization, kind: "site", id } as const
        if (integrationEvent !== undefined)
          yield* queue.notifyAll(subject, [integrationEvent], { maxQueued: maxQueuedViews })
        yield* storedEvents.insert(yield* rowOf(view.event, cached, at, weight)).pipe(cannotConflict)
      })

      /** True if the token is the site's visitor key, or is signed with this key. */
      const isOfSite = Effect.fnUntraced(function* (cached: CachedSite, token: string) {
        if (token.length > maxTokenLength) return false
        const key = yield* keys.keyFor(cached)
        if (key === undefined) return false
        const isSiteKey = cached.auth?.backend === "custom" && hasher.sha256(token) === hasher.sha256(yield* key.secret)
        return isSiteKey || (yield* tokens.verify(cached.site, key, token)) !== undefined
      })

      /**
       * True if an event contains its visitor's credential: the key of a share link, or a session among its cookies.
       */
      const hasCredential = Effect.fnUntraced(function* (cached: CachedSite, { location, session }: SiteInsightsEvent) {
        const { visibility } = cached.site
        if (visibility === "share-link") {
          const { siteShareKey, url } = location
          return (
            (siteShareKey && cached.shareLinkOf(siteShareKey) !== undefined) || withoutShareKey(url, cached) !== url
          )
        }
        const signedTokens = Object.values(session.cookies).flatMap(
          (value) => value.slice(0, maxCookies).match(signed) ?? []
        )
        for (const token of signedTokens.slice(0, maxSessions)) if (yield* isOfSite(cached, token)) return true
        return false
      })

      /**
       * Returns the published site if the sender may report on it. Senders: anyone for a public or unlisted site, an
       * actor who may read the site, or a caller with the site's own key. Anyone may also send events that each contain
       * their visitor's credential.
       */
      const require = Effect.fnUntraced(function* (
        organization: OrganizationId,
        id: SiteId,
        { actor, siteToken }: EventSender,
        events: ReadonlyArray<SiteInsightsEvent>
      ) {
        const cachedSite = yield* store.get(id)
        const cached =
          cachedSite?.site.organization === organization && cachedSite.site.published ? cachedSite : undefined
        if (siteToken !== undefined) {
          if (cached !== undefined && (yield* isOfSite(cached, siteToken))) return cached
          return yield* new Unauthorized({ message: "The token is not known here" })
        }
        if (cached === undefined) return yield* siteNotFound(id)
        const { visibility } = cached.site
        if (visibility === "public" || visibility === "unlisted") return cached
        if (events.length > 0) {
          let isOpen = true
          for (const event of events) isOpen &&= yield* hasCredential(cached, event)
          if (isOpen) return cached
        }
        if (actor === undefined) return yield* siteNotFound(id)
        return yield* policy
          .require(organization, id, "see what is published of this site")
          .pipe(Effect.provideService(CurrentActor, actor))
      })

      return SiteInsights.of({
        track: Effect.fn("SiteInsights.track")(function* (organization, id, rawInput, sender) {
          const { events } = yield* accept(rawInput)
          const cached = yield* require(organization, id, sender, events)
          const now = yield* Clock.currentTimeMillis
          const issues = events.flatMap(({ timestamp }, i) =>
            timestamp === undefined || Math.abs(millisOf(timestamp) - now) <= maxAge
              ? []
              : [{ path: `body.events[${i}].timestamp`, message: "Expected a time within 5 minutes of now" }]
          )
          if (issues.length > 0) return yield* new InvalidInput({ issues })
          const knownEvents = events.filter(({ type }) => isKnown(type))
          const sampledEvents = knownEvents
            .map((event) => ({ event, weight: sampling.weightOf(id, sampledAs(event), now) }))
            .filter(({ weight }) => weight > 0)
          if (sampledEvents.length === 0) return knownEvents.length
          const rows: Array<StoredEvent> = []
          for (const { event, weight } of sampledEvents) {
            const at = event.timestamp === undefined ? now : millisOf(event.timestamp)
            rows.push(yield* rowOf(event, cached, at, weight))
          }
          const subject = { organization, kind: "site", id } as const
          const integrationEvents = sampledEvents.flatMap(
            ({ event }) => integrationEventOf(event, cached, sender.ip) ?? []
          )
          const droppedCount =
            integrationEvents.length === 0
              ? 0
              : yield* storage.transaction(queue.notifyAll(subject, integrationEvents, { maxQueued: maxQueuedViews }))
          yield* records.add(storeEvents(id, rows), rows.length)
          return knownEvents.length - sampledEvents.length + droppedCount
        }),

        aggregate: yield* makeSiteInsightsSums(records.flush),

        agentFeedback: Effect.fn("SiteInsights.agentFeedback")(function* (organization, id, input, sender) {
          const { comment, url, space, page, context, userAgent }: AgentFeedback =
            "subject" in input ? fromSubject(yield* acceptFeedback(input)) : input
          const event: SiteInsightsEvent = {
            type: "agent_feedback",
            session: {
              visitorId: "",
              sessionId: "",
              cookies: {},
              userAgent: userAgent ?? "",
              language: null,
              referrer: null
            },
            location: {
              url: url ?? "https://site.invalid/",
              displayContext: context ?? "server",
              siteSection: null,
              siteSpace: null,
              space: space ?? null,
              revision: null,
              page: page ?? null
            }
          }
          const cached = yield* require(organization, id, sender, url === undefined ? [] : [event])
          const now = yield* Clock.currentTimeMillis
          const weight = sampling.weightOf(id, "feedback", now)
          const row = { ...(yield* rowOf(event, cached, now, weight)), comment, ...(url === undefined && { url: "" }) }
          if (weight > 0) yield* records.add(storeEvents(id, [row]), 1)
          return { id: row.id, result: "Thank you: the feedback is stored for those who edit this site." }
        }),

        recordView: (id, kind, viewOf) => {
          const now = clock.currentTimeMillisUnsafe()
          const weight = sampling.weightOf(id, kind, now)
          if (weight > 0) fork(records.add(storeView(id, viewOf(now), now, weight)))
        }
      })
    })
  )
}

const sampledAs = (event: SiteInsightsEvent): SampledKind =>
  "feedback" in event ? "feedback" : event.type === "page_view" ? "view" : "other"

/** Returns the event that integrations receive; undefined for none. */
const integrationEventOf = (event: SiteInsightsEvent, cached: CachedSite, address: string): ScopedEvent | undefined => {
  const { site } = cached
  const { session, location } = event
  const { page, siteSpace, space } = location
  const commonFields = {
    siteId: site.id,
    // A space that is not on the site was invented by the sender.
    ...(space !== null && spaces(site.structure).includes(space as SpaceId) && { spaceId: space }),
    ...(page !== null && { pageId: page }),
    visitor: {
      anonymousId: session.visitorId,
      cookies: fitCookies(session.cookies),
      userAgent: session.userAgent,
      ip: addressOf(session.ip ?? address),
      ...(session.language !== null && { language: session.language })
    },
    url: withoutShareKey(location.url, cached),
    referrer: withoutShareKey(session.referrer ?? "", cached)
  }
  if ("feedback" in event) {
    const { feedback } = event
    return {
      scope: "page:feedback:read",
      payload: (installationId) => ({ type: "page_feedback", installationId, ...commonFields, feedback })
    }
  }
  if (event.type !== "page_view") return undefined
  const isOnSite = siteSpace !== null && findSiteSpace(site.structure, siteSpace) !== undefined
  return {
    scope: "site:views:read",
    payload: (installationId) => ({
      type: "site_view",
      installationId,
      ...commonFields,
      ...(isOnSite && { siteSpaceId: siteSpace })
    })
  }
}

/** Returns the cookies that fit in the limit, smallest first. */
const fitCookies = (cookies: { readonly [name: string]: string }): { readonly [name: string]: string } => {
  let remainingSize = maxCookies
  return Object.fromEntries(
    Object.entries(cookies)
      .filter(([name, value]) => name !== "__proto__" && `${name}${value}`.isWellFormed())
      .toSorted(([a, x], [b, y]) => a.length + x.length - b.length - y.length)
      .filter(([name, value]) => (remainingSize -= name.length + value.length) >= 0)
  )
}

const addressOf = (text: string): string => (/^[\da-f:.]{2,64}$/i.test(text) ? text : "")
