/**
 * Stores the URLs that the main content of a space links to, so that they are checked. Links of a change request are
 * checked after its merge.
 */
import { Clock, Duration, Effect } from "effect"
import type { Content } from "../content/Content.ts"
import type { DocumentLinks } from "@lectern/document/DocumentLinks"
import { Objects } from "../content/store/Objects.ts"
import * as LinkMap from "../content/pages/LinkMap.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import * as TrieDifferences from "../content/store/TrieDifferences.ts"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { sitesUrl } from "../site/SiteAddress.ts"
import { type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Slice } from "../storage/Slice.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import {
  hostOf,
  type LinkCheckRow,
  LinkCheckTable,
  LinkedSpaceTable,
  LinkHostTable,
  maxUrls,
  newUrlInterval,
  urlOf
} from "./LinkCheck.ts"

/** Number of URLs that a transaction stores, and of sources of links read at once: a few milliseconds of work. */
const batchSize = 32

export const makeLinkedUrls = Effect.gen(function* () {
  const storage = yield* Storage
  const objects = yield* Objects
  const revisions = yield* Revisions
  const fetcher = yield* GuardedFetch
  const addresses = { publicUrl: yield* PublicUrl, sites: yield* sitesUrl }
  const checks = storage.repository(LinkCheckTable)
  const hosts = storage.repository(LinkHostTable)
  const linkedSpaces = storage.repository(LinkedSpaceTable)
  const spaces = storage.repository(SpaceTable)

  /** Returns the links of the sources whose links differ between two contents. */
  const changed = Effect.fnUntraced(function* (before: Content, after: Content) {
    const sources: Array<string> = []
    const differences = yield* TrieDifferences.all(objects, before.links ?? null, after.links ?? null)
    for (const { key, after: linksAfter } of differences) if (linksAfter !== undefined) sources.push(key)
    const linksBySource = new Map<string, DocumentLinks>()
    for (let i = 0; i < sources.length; i += batchSize) {
      const batch = yield* LinkMap.linksOf(objects, after, sources.slice(i, i + batchSize))
      for (const [source, links] of batch) linksBySource.set(source, links)
    }
    return linksBySource
  })

  /** Returns the URLs to check with their hosts, up to the limit for a space. */
  const urlsOf = Effect.fnUntraced(function* (links: ReadonlyMap<string, DocumentLinks>) {
    const slice = yield* Slice.start
    const urls = new Map<string, string>()
    for (const source of [...links.keys()].sort()) {
      for (const [text] of links.get(source)!.links) {
        const url = urlOf({ kind: "url", url: text })!
        if (urls.has(url)) continue
        const host = hostOf(url, addresses)
        if (host === undefined) continue
        urls.set(url, host)
        if (urls.size === maxUrls) return urls
      }
      if (slice.isOver()) yield* slice.pause
    }
    return urls
  })

  /**
   * Adds URLs. `addedBefore`: number of URLs that earlier batches added, by host. Returns the number including this
   * batch.
   */
  const addBatch = (
    organization: OrganizationId,
    begunAt: Timestamp,
    batch: ReadonlyArray<Pick<LinkCheckRow, "url" | "host">>,
    addedBefore: ReadonlyMap<string, number>
  ) =>
    storage.transaction(
      Effect.gen(function* () {
        const addedByHost = new Map(addedBefore)
        const now = yield* Clock.currentTimeMillis
        const seenAt = Timestamps.at(now)
        const existing = yield* checks.getMany(batch.map(({ url }) => ({ organization, url })))
        const added = batch.filter((_, i) => existing[i] === undefined)
        const staleUrls = existing.flatMap((row) => (row !== undefined && row.seenAt < begunAt ? [row.url] : []))
        if (staleUrls.length > 0) yield* checks.update({ organization, url: { in: staleUrls } }, { seenAt })
        if (added.length === 0) return addedByHost
        for (const { url, host } of added) {
          // URLs of one host are due one after another, so that URLs of other hosts do not wait for all of them.
          const n = addedByHost.get(host) ?? 0
          addedByHost.set(host, n + 1)
          const dueAt = Timestamps.at(now + n * Duration.toMillis(newUrlInterval))
          yield* checks.insert({ organization, url, host, state: "unchecked", dueAt, seenAt }).pipe(cannotConflict)
        }
        const names = [...new Set(added.map(({ host }) => host))]
        const existingHosts = yield* hosts.getMany(names.map((host) => ({ host })))
        yield* hosts.update({ host: { in: names }, dueAt: { gt: seenAt } }, { dueAt: seenAt })
        for (const [i, host] of names.entries()) {
          if (existingHosts[i] === undefined) yield* hosts.insert({ host, dueAt: seenAt }).pipe(cannotConflict)
        }
        return addedByHost
      })
    )

  const add = Effect.fnUntraced(function* (
    organization: OrganizationId,
    begunAt: Timestamp,
    urls: ReadonlyMap<string, string>
  ) {
    const checkableUrls: Array<Pick<LinkCheckRow, "url" | "host">> = []
    const slice = yield* Slice.start
    for (const [url, host] of urls) {
      if (yield* Effect.isSuccess(fetcher.check(url))) checkableUrls.push({ url, host })
      if (slice.isOver()) yield* slice.pause
    }
    let addedByHost: ReadonlyMap<string, number> = new Map()
    for (let i = 0; i < checkableUrls.length; i += batchSize) {
      addedByHost = yield* addBatch(organization, begunAt, checkableUrls.slice(i, i + batchSize), addedByHost)
      yield* Effect.yieldNow
    }
  })

  /** Stores the revision whose links were read, if the space still exists. */
  const storeRevision = ({ id, organization, revision }: SpaceRow) =>
    storage.transaction(
      Effect.gen(function* () {
        if ((yield* spaces.get({ id })) === undefined) return
        if ((yield* linkedSpaces.update({ space: id }, { organization, revision })) > 0) return
        yield* linkedSpaces.insert({ space: id, organization, revision }).pipe(cannotConflict)
      })
    )

  return {
    /**
     * Stores the URLs of all links, or of links that changed since the last call. URLs that were last seen before
     * `begunAt` get the current time as `seenAt`.
     */
    storeUrls: Effect.fn("LinkedUrls.storeUrls")(function* (
      space: SpaceRow,
      begunAt: Timestamp,
      mode: "all" | "changed" = "all"
    ) {
      const linkedSpace = mode === "all" ? undefined : yield* linkedSpaces.get({ space: space.id })
      const isSame = linkedSpace?.organization === space.organization
      if (isSame && linkedSpace.revision === space.revision) return
      const [before, after] = yield* revisions.getMany([isSame ? linkedSpace.revision : space.revision, space.revision])
      if (after === undefined) return
      const canCompare = isSame && before?.content.links !== undefined && after.content.links !== undefined
      const links = canCompare
        ? yield* changed(before.content, after.content)
        : yield* LinkMap.allLinks(objects, after.content)
      yield* add(space.organization, begunAt, yield* urlsOf(links))
      yield* storeRevision(space)
    })
  }
})
