/** Lists, creates, changes and removes the redirects of a site. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Ids } from "../identity/Ids.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as HeaderUrl from "../schema/HeaderUrl.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { makeVisibleSiteSpaces } from "../site/VisibleSiteSpaces.ts"
import type { SiteId, SiteNotFound, SiteRow } from "../site/Site.ts"
import { pathBelow, sitesUrl } from "../site/SiteAddress.ts"
import { makeSiteChanges, Unchanged } from "../site/SiteChanges.ts"
import { type AuthorizedSite, seesWhole, SitePolicy } from "../site/SitePolicy.ts"
import { findSection, findSiteSpace, type SiteSpaceId } from "../site/SiteStructure.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, Storage, type StorageError, type UniqueConflict } from "../storage/Storage.ts"
import { RedirectBatch, type RedirectResult, type RedirectResults, RedirectSet } from "./RedirectBatch.ts"
import { loopOf } from "./RedirectChain.ts"
import { liveRedirects } from "./RedirectMatch.ts"
import {
  type Destination,
  encodeSource,
  foldSource,
  InvalidDestination,
  maxRedirects,
  type Redirect,
  RedirectConflict,
  RedirectCreate,
  RedirectNotFound,
  RedirectPatch,
  RedirectRing,
  type RedirectRow,
  RedirectTable
} from "./Redirect.ts"

const acceptCreate = accepting(RedirectCreate)
const acceptPatch = accepting(RedirectPatch)
const acceptBatch = accepting(RedirectBatch)

type Failure = SiteNotFound | Forbidden | StorageError
type WriteFailure = Failure | InvalidInput | InvalidDestination | RedirectConflict | RedirectRing

export const presentRedirect = ({ site: _, ...row }: RedirectRow): Redirect => ({
  object: "site-redirect",
  ...row,
  destination:
    row.destination.kind === "external"
      ? { ...row.destination, url: HeaderUrl.headerUrl(row.destination.url) }
      : row.destination
})

type Order = "createdAt" | "updatedAt" | "source"

/** Sort keys of a list: by source, or newest first. */
const orders: Record<Order, (row: RedirectRow) => string | number> = {
  source: (row) => foldSource(row.source),
  createdAt: ({ createdAt }) => -Date.parse(createdAt),
  updatedAt: ({ createdAt, updatedAt }) => -Date.parse(updatedAt ?? createdAt)
}

export class Redirects extends Context.Service<
  Redirects,
  {
    /**
     * Lists the redirects of a site. Redirects to parts of the site that the actor does not see are left out.
     *
     * @param params.search Part of the source. Default: all redirects.
     * @param params.draft True for only drafts, false for only redirects in effect. Default: all.
     * @param params.orderBy `source`, or a time with the newest first. Default: `source`.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SiteNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      site: SiteId,
      params: PageParams & { readonly search?: string; readonly draft?: boolean; readonly orderBy?: Order }
    ) => Effect.Effect<ListPage<Redirect>, Failure | InvalidCursor, CurrentActor>
    /**
     * Creates a redirect on a site.
     *
     * @throws {Forbidden}
     * @throws {InvalidDestination} If the destination is not on the site.
     * @throws {InvalidInput}
     * @throws {RedirectConflict} If the source has a redirect or the site has too many.
     * @throws {RedirectRing}
     * @throws {SiteNotFound}
     * @example
     * ```ts
     * await lectern.sites.redirects.create(organization.id, site.id, {
     *   source: "/old/page",
     *   destination: { kind: "external", url: "https://example.com/new" },
     *   permanent: true
     * })
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      site: SiteId,
      input: RedirectCreate
    ) => Effect.Effect<Redirect, WriteFailure, CurrentActor>
    /**
     * Changes the source or the destination of a redirect.
     *
     * @param id Id of the redirect.
     * @throws {Forbidden}
     * @throws {InvalidDestination}
     * @throws {InvalidInput}
     * @throws {RedirectConflict}
     * @throws {RedirectNotFound} If the site has no such redirect.
     * @throws {RedirectRing}
     * @throws {SiteNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      site: SiteId,
      id: string,
      patch: RedirectPatch
    ) => Effect.Effect<Redirect, WriteFailure | RedirectNotFound, CurrentActor>
    /**
     * Writes many redirects. Each item succeeds or fails independently of the other items.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     */
    readonly writeAll: (
      organization: OrganizationId,
      site: SiteId,
      input: RedirectBatch
    ) => Effect.Effect<RedirectResults, Failure | InvalidInput, CurrentActor>
    /**
     * Removes a redirect. Succeeds if it does not exist.
     *
     * @param id Id of the redirect.
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly remove: (
      organization: OrganizationId,
      site: SiteId,
      id: string
    ) => Effect.Effect<void, Failure, CurrentActor>
  }
>()("@lectern/core/redirect/Redirects") {
  static readonly layer = Layer.effect(
    Redirects,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const paging = yield* Paging
      const policy = yield* SitePolicy
      const siteChanges = yield* makeSiteChanges
      const siteSpaces = yield* makeVisibleSiteSpaces
      const redirects = storage.repository(RedirectTable)
      const sites = yield* sitesUrl

      const withSite = <A, E>(
        organization: OrganizationId,
        id: SiteId,
        change: (site: SiteRow) => Effect.Effect<A | Unchanged<A>, E>
      ) => siteChanges.settings(organization, id, "change this site", ({ site }) => change(site))

      /** Returns a predicate for redirects to visible parts of the site. */
      const visibleRedirects = Effect.fnUntraced(function* (authorized: AuthorizedSite) {
        if (seesWhole(authorized)) return () => true
        const { id, structure } = authorized.site
        const visibleSpaces = (yield* siteSpaces.listFor(authorized.member, [authorized.site])).get(id)
        const isVisible = (siteSpace: SiteSpaceId) => visibleSpaces?.has(siteSpace) ?? true
        return ({ destination }: RedirectRow) => {
          if (destination.kind === "external") return true
          if (destination.kind !== "site-section") return isVisible(destination.siteSpaceId)
          const sectionSpaces = findSection(structure, destination.siteSectionId)?.siteSpaces
          return (
            sectionSpaces !== undefined && (sectionSpaces.length === 0 || sectionSpaces.some(({ id }) => isVisible(id)))
          )
        }
      })

      const requireDestination = Effect.fnUntraced(function* (site: SiteRow, destination: Destination) {
        const missing = missingTargetField(site, destination)
        if (missing !== undefined) {
          return yield* new InvalidDestination({
            issues: [{ path: `body.destination.${missing}`, message: "There is nothing of this id on the site" }]
          })
        }
      })

      /** Rejects a live redirect that would close a loop with the other redirects of the site. */
      const rejectLoop = Effect.fnUntraced(function* (site: SiteRow, row: RedirectRow) {
        if (row.draft || row.destination.kind !== "external") return
        const otherRows = (yield* redirects.list({ where: { site: site.id } })).filter(({ id }) => id !== row.id)
        const message = loopError(site, sites, row, [...otherRows, row])
        if (message === undefined) return
        return yield* new RedirectRing({ issues: [{ path: "body.destination.url", message }] })
      })

      const failOnConflict = <A>(
        { source, draft }: Pick<RedirectRow, "source" | "draft">,
        write: Effect.Effect<A, UniqueConflict | StorageError>
      ) =>
        Effect.catchTag(write, "UniqueConflict", () =>
          Effect.fail(
            new RedirectConflict({
              message: `There is a ${draft ? "draft of a redirect" : "redirect"} from ${source} already`
            })
          )
        )

      return Redirects.of({
        list: Effect.fn("Redirects.list")(function* (
          organization,
          id,
          { search, draft, orderBy = "source", ...params }
        ) {
          const isVisible = yield* visibleRedirects(yield* policy.require(organization, id, "see this site"))
          const searchText = search?.toLowerCase() ?? ""
          const key = orders[orderBy]
          const matches = (yield* redirects.list({ where: { site: id, ...(draft !== undefined && { draft }) } }))
            .filter(
              ({ source }) => foldSource(source).includes(searchText) || source.toLowerCase().includes(searchText)
            )
            .filter(isVisible)
            .toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id < b.id ? -1 : 1))
          const listName = `redirects of ${id} by ${orderBy} with ${searchText} ${draft ?? ""}`
          const page = yield* paging.inOrder(matches, listName, ({ id }) => id, params)
          return { ...page, items: page.items.map(presentRedirect) }
        }),

        create: Effect.fn("Redirects.create")(function* (organization, site, rawInput) {
          const input = withEncodedSource(yield* acceptCreate(rawInput))
          const row: RedirectRow = {
            draft: false,
            permanent: false,
            captureWildcard: false,
            ...input,
            site,
            id: yield* ids.next,
            createdAt: yield* Timestamps.now
          }
          return yield* withSite(
            organization,
            site,
            Effect.fnUntraced(function* (siteRow: SiteRow) {
              yield* requireDestination(siteRow, input.destination)
              if ((yield* redirects.count({ site })) >= maxRedirects) {
                return yield* new RedirectConflict({ message: `A site has at most ${maxRedirects} redirects` })
              }
              yield* rejectLoop(siteRow, row)
              yield* failOnConflict(row, redirects.insert(row))
              return presentRedirect(row)
            })
          )
        }),

        update: Effect.fn("Redirects.update")(function* (organization, site, id, rawInput) {
          const patch = withEncodedSource(yield* acceptPatch(rawInput))
          return yield* withSite(
            organization,
            site,
            Effect.fnUntraced(function* (siteRow: SiteRow) {
              const existing = yield* redirects.get({ site, id })
              if (existing === undefined) return yield* new RedirectNotFound({ message: `There is no redirect ${id}` })
              if (!hasChanges(existing, patch)) return new Unchanged(presentRedirect(existing))
              const row = { ...applyPatch(RedirectTable, existing, patch), updatedAt: yield* Timestamps.now }
              yield* requireDestination(siteRow, row.destination)
              yield* rejectLoop(siteRow, row)
              yield* failOnConflict(row, redirects.update({ site, id }, { ...patch, updatedAt: row.updatedAt }))
              return presentRedirect(row)
            })
          )
        }),

        writeAll: Effect.fn("Redirects.writeAll")(function* (organization, site, rawInput) {
          const { redirects: items } = yield* acceptBatch(rawInput)
          const time = yield* Timestamps.now
          return yield* withSite(
            organization,
            site,
            Effect.fnUntraced(function* (siteRow: SiteRow) {
              const redirectSet = new RedirectSet(yield* redirects.list({ where: { site } }))
              const results: Array<RedirectResult> = []
              const refusal = (row: RedirectRow, otherRows: Iterable<RedirectRow>) =>
                missingTargetField(siteRow, row.destination) === undefined
                  ? loopError(siteRow, sites, row, [...otherRows, row])
                  : "The redirect leads to nothing on this site"
              for (const item of items) {
                results.push(redirectSet.apply(withEncodedSource(item), refusal, { site, id: yield* ids.next, time }))
              }
              const { removed, inserted } = redirectSet.changes()
              if (removed.length === 0 && inserted.length === 0) return new Unchanged({ results })
              if (removed.length > 0) yield* redirects.remove({ site, id: { in: removed } })
              for (const row of inserted) yield* redirects.insert(row).pipe(cannotConflict)
              return { results }
            })
          )
        }),

        remove: Effect.fn("Redirects.remove")(function* (organization, site, id) {
          yield* withSite(organization, site, () =>
            Effect.map(redirects.remove({ site, id }), (count) => (count === 0 ? new Unchanged(undefined) : undefined))
          )
        })
      })
    })
  )
}

const withEncodedSource = <A extends { readonly source?: string }>(input: A): A =>
  input.source === undefined ? input : { ...input, source: encodeSource(input.source) }

/** Returns the error message for a redirect that closes a loop; undefined if there is no loop. */
const loopError = (site: SiteRow, sites: string, row: RedirectRow, all: ReadonlyArray<RedirectRow>) => {
  const pathOnSite = (url: string) => pathBelow(site, sites, url)
  if (row.draft || row.destination.kind !== "external" || pathOnSite(row.destination.url) === undefined)
    return undefined
  const loop = loopOf(liveRedirects(all), row.source, pathOnSite)
  if (loop === undefined) return undefined
  return loop.length === 2
    ? `The redirect leads from ${row.source} to itself`
    : `The redirect closes a ring: ${loop.slice(0, maxListedPaths).join(" to ")}${loop.length > maxListedPaths ? " and so on" : ""}`
}

/** Maximum number of a loop's paths in the error message. */
const maxListedPaths = 6

/** Returns the field of a destination that names nothing on the site. Pages are not checked, since they come and go. */
const missingTargetField = ({ structure }: SiteRow, destination: Destination): string | undefined => {
  if (destination.kind === "external") return undefined
  if (destination.kind === "site-section") {
    return findSection(structure, destination.siteSectionId) === undefined ? "siteSectionId" : undefined
  }
  return findSiteSpace(structure, destination.siteSpaceId) === undefined ? "siteSpaceId" : undefined
}
