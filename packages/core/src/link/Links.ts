/**
 * Lists the links of a space or a page, and backlinks to a page or file, in main content or in a change request. The
 * links of a change request are those that main content would have after the merge. Links store ids, so pages can be
 * renamed and moved freely.
 *
 * The content of a revision never changes, so the targets of its links to itself are cached (the most recently used, up
 * to 200,000 links in total). Targets outside of the space (other spaces, collections, people, specs) are resolved for
 * each actor. URLs of other websites have the state of their last check, for every actor.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { ChangeRequestNotFound } from "../change-request/ChangeRequest.ts"
import { makeChangeRequestLookup } from "../change-request/store/ChangeRequestLookup.ts"
import { ContentPageNotFound } from "../content/edits/ContentErrors.ts"
import type { ContentTarget } from "../content/reading/LocatedRevision.ts"
import { FileNotFound } from "../content/files/Downloads.ts"
import { LruCache } from "../storage/LruCache.ts"
import { Slice, sortInSteps } from "../storage/Slice.ts"
import { Objects } from "../content/store/Objects.ts"
import * as LinkMap from "../content/pages/LinkMap.ts"
import type { RevisionRow } from "../content/revisions/Revision.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import * as LinkCheck from "../link-check/LinkCheck.ts"
import { LinkChecks } from "../link-check/LinkChecks.ts"
import type { OrganizationNotFound } from "../organization/Organization.ts"
import { sitesUrl } from "../site/SiteAddress.ts"
import type { SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import type { StorageError } from "../storage/Storage.ts"
import {
  type ContentLocation,
  type FileBacklink,
  type FileLocation,
  type Link,
  type LinkStats,
  type LinkStatus,
  maxLocations,
  maxLocationsInAll
} from "./Link.ts"
import { type LinkedContent, makeLinkedContents } from "./LinkedContents.ts"
import * as LinkIndex from "./LinkIndex.ts"
import { makeLinkLocations, type LocatedTarget } from "./LinkLocations.ts"
import type { LinkLocation, LinkTarget } from "./LinkTarget.ts"

const maxCachedLinks = 200_000

export interface LinkList extends ListPage<Link> {
  readonly stats: LinkStats
}

export interface LinkParams extends PageParams {
  /** Lists only links with this status. Default: all. */
  readonly status?: LinkStatus
}

export type LinkScope = Pick<ContentTarget, "space" | "changeRequest">

type Failure = SpaceNotFound | ChangeRequestNotFound | OrganizationNotFound | Forbidden | InvalidCursor | StorageError

export class Links extends Context.Service<
  Links,
  {
    /**
     * Lists the links of all pages of a space or a change request, with their status.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly ofSpace: (from: LinkScope, params: LinkParams) => Effect.Effect<LinkList, Failure, CurrentActor>
    /**
     * Lists the links of one page with their status.
     *
     * @param page Id of the page.
     * @throws {ChangeRequestNotFound}
     * @throws {ContentPageNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly ofPage: (
      from: LinkScope,
      page: string,
      params: LinkParams
    ) => Effect.Effect<LinkList, Failure | ContentPageNotFound, CurrentActor>
    /**
     * Lists the links that show a file or point to it.
     *
     * @param file Id of the file.
     * @throws {ChangeRequestNotFound}
     * @throws {FileNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly toFile: (
      from: LinkScope,
      file: string,
      params: PageParams
    ) => Effect.Effect<ListPage<FileBacklink>, Failure | FileNotFound, CurrentActor>
    /**
     * Lists the links that point to a page or one of its headings.
     *
     * @param page Id of the page.
     * @throws {ChangeRequestNotFound}
     * @throws {ContentPageNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly toPage: (
      from: LinkScope,
      page: string,
      params: PageParams
    ) => Effect.Effect<ListPage<ContentLocation>, Failure | ContentPageNotFound, CurrentActor>
  }
>()("@lectern/core/link/Links") {
  static readonly layer = Layer.effect(
    Links,
    Effect.gen(function* () {
      const policy = yield* SpacePolicy
      const changeRequests = yield* makeChangeRequestLookup
      const revisions = yield* Revisions
      const objects = yield* Objects
      const paging = yield* Paging
      const contents = yield* makeLinkedContents
      const locationPresenter = yield* makeLinkLocations
      const linkChecks = yield* LinkChecks
      const addresses = { publicUrl: yield* PublicUrl, sites: yield* sitesUrl }
      const cachedTargets = new LruCache<string, ReadonlyArray<LinkTarget>>(maxCachedLinks)

      const locate = Effect.fnUntraced(function* ({ space: id, changeRequest: name }: LinkScope) {
        const authorized = yield* policy.require(id, "see the work on this space")
        const changeRequest = name === undefined ? undefined : yield* changeRequests.find(id, name)
        const revision = yield* revisions.get((changeRequest ?? authorized.space).revision)
        return { authorized, revision, changeRequest } satisfies LinkedContent
      })

      /** Returns the targets of a content's links, or of the links of one source. */
      const targetsOf = Effect.fnUntraced(function* (space: string, { content }: RevisionRow, source?: string) {
        const key = JSON.stringify([space, content, source])
        const cached = cachedTargets.get(key)
        if (cached !== undefined) return cached
        const sources = source === undefined ? undefined : [source]
        const targets = yield* LinkIndex.targetsOf(objects, content, space, addresses, sources)
        cachedTargets.set(
          key,
          targets,
          targets.reduce((sum, { locations }) => sum + 1 + locations.length, 1)
        )
        return targets
      })

      /** Returns a function for the status of targets, with targets outside of the content resolved for the actor. */
      const withStatus = Effect.fnUntraced(function* (from: LinkedContent, targets: ReadonlyArray<LinkTarget>) {
        const outsideTargets = targets.filter(({ state }) => state === "outside")
        const resolved = yield* contents.find(
          from,
          outsideTargets.map(({ ref }) => ref)
        )
        const existingKeys = new Set(outsideTargets.filter((_, i) => resolved[i] !== undefined).map(({ key }) => key))
        const brokenUrls = yield* linkChecks.broken(from.authorized.space.organization)
        const isBrokenUrl = (ref: LinkTarget["ref"]) => {
          const url = brokenUrls.size === 0 ? undefined : LinkCheck.urlOf(ref)
          return url !== undefined && brokenUrls.has(url)
        }
        return ({ key, ref, state }: LinkTarget): LinkStatus => {
          if (state === "outside") return existingKeys.has(key) ? "ok" : "broken"
          return state === "ok" && isBrokenUrl(ref) ? "broken" : state
        }
      })

      /**
       * Returns the number of broken targets that were not broken, or not linked, at the base of the change request.
       */
      const countNewlyBroken = Effect.fnUntraced(function* (
        { authorized, changeRequest }: LinkedContent,
        broken: ReadonlyArray<LinkTarget>,
        statusOf: (target: LinkTarget) => LinkStatus,
        source?: string
      ) {
        if (changeRequest === undefined) return undefined
        if (broken.length === 0) return 0
        const base = yield* revisions.get(changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial)
        const before = new Map(
          (yield* targetsOf(authorized.space.id, base, source)).map((target) => [target.key, target])
        )
        return broken.filter(({ key, locations }) => {
          const previous = before.get(key)
          if (previous === undefined || statusOf(previous) !== "broken") return true
          const previousSources = new Set(previous.locations.map(({ source }) => source))
          return locations.some(({ source }) => !previousSources.has(source))
        }).length
      })

      /** Returns the parts of a content at these locations. */
      const partsAt = Effect.fnUntraced(function* (from: LinkedContent, locations: ReadonlyArray<LinkLocation>) {
        const parts = yield* contents.find(
          from,
          locations.map(({ source }) => {
            const reusableContent = LinkMap.reusableOf(source)
            return reusableContent === undefined
              ? { kind: "page", page: source }
              : { kind: "reusable-content", reusableContent }
          })
        )
        return parts.flatMap((each, i): ReadonlyArray<LocatedTarget> =>
          each ? [{ ...each, node: locations[i]!.node }] : []
        )
      })

      const present = Effect.fnUntraced(function* (
        from: LinkedContent,
        targets: ReadonlyArray<LinkTarget>,
        statusOf: (target: LinkTarget) => LinkStatus
      ) {
        const displayedLocations = shownLocations(targets)
        const resolvedTargets = yield* contents.find(
          from,
          targets.map(({ ref }) => ref)
        )
        const located = yield* partsAt(from, displayedLocations.flat())
        const existingTargets = resolvedTargets.filter((each) => each !== undefined)
        const all = yield* locationPresenter.present([...existingTargets, ...located])
        let [target, next] = [0, existingTargets.length]
        return targets.map((each, i): Link => {
          const reference = resolvedTargets[i] === undefined ? undefined : all[target++]
          const locationReferences = all.slice(next, (next += displayedLocations[i]!.length))
          return {
            object: "link",
            status: statusOf(each),
            relation: each.relation,
            ref: each.ref,
            ...(reference && { targetReference: reference }),
            locationReferences,
            locationCount: each.locations.length
          }
        })
      })

      const list = Effect.fnUntraced(function* (
        from: LinkedContent,
        name: string,
        { status, ...params }: LinkParams,
        source?: string
      ) {
        const targets = yield* targetsOf(from.authorized.space.id, from.revision, source)
        const statusOf = yield* withStatus(from, targets)
        const brokenTargets = targets.filter((target) => statusOf(target) === "broken")
        const selectedTargets = status === undefined ? targets : targets.filter((target) => statusOf(target) === status)
        const page = yield* paging.items(selectedTargets, `links of ${name} ${status ?? ""}`, ({ key }) => key, params)
        const changeRequest = yield* countNewlyBroken(from, brokenTargets, statusOf, source)
        const stats = {
          total: targets.length,
          broken: { total: brokenTargets.length, ...(changeRequest !== undefined && { changeRequest }) }
        }
        return { ...page, items: yield* present(from, page.items, statusOf), stats }
      })

      const nameOf = ({ authorized, changeRequest }: LinkedContent) =>
        `${authorized.space.id} ${changeRequest?.id ?? ""}`

      const requirePage = Effect.fnUntraced(function* (from: LinkedContent, page: string) {
        const [targetPage] = yield* contents.find(from, [{ kind: "page", page }])
        if (targetPage?.kind !== "page") return yield* new ContentPageNotFound({ page })
      })

      /** Returns a page of the sources that link to the targets, each source once. */
      const backlinks = Effect.fnUntraced(function* (
        from: LinkedContent,
        name: string,
        params: PageParams,
        isSelected: (target: LinkTarget) => boolean
      ) {
        const targets = (yield* targetsOf(from.authorized.space.id, from.revision)).filter(isSelected)
        const bySource = new Map<string, LinkLocation & { readonly relation: LinkTarget["relation"] }>()
        for (const { relation, locations: all } of targets) {
          for (const each of all) if (!bySource.has(each.source)) bySource.set(each.source, { ...each, relation })
        }
        const sorted = yield* Slice.run(sortInSteps([...bySource.values()], (a, b) => (a.source < b.source ? -1 : 1)))
        const page = yield* paging.items(sorted, `backlinks of ${nameOf(from)} ${name}`, ({ source }) => source, params)
        return { page, located: yield* partsAt(from, page.items) }
      })

      return Links.of({
        ofSpace: Effect.fn("Links.ofSpace")(function* (scope, params) {
          const from = yield* locate(scope)
          return yield* list(from, nameOf(from), params)
        }),

        ofPage: Effect.fn("Links.ofPage")(function* (scope, page, params) {
          const from = yield* locate(scope)
          yield* requirePage(from, page)
          return yield* list(from, `${nameOf(from)} ${page}`, params, page)
        }),

        toFile: Effect.fn("Links.toFile")(function* (scope, id, params) {
          const from = yield* locate(scope)
          const [file] = yield* contents.find(from, [{ kind: "file", file: id }])
          if (file?.kind !== "file") return yield* new FileNotFound({ message: `There is no file ${id.slice(0, 100)}` })
          const { page, located } = yield* backlinks(
            from,
            `file ${id}`,
            params,
            ({ ref }) => ref.kind === "file" && ref.space === undefined && ref.file === id
          )
          const [displayedFile, ...linkLocations] = yield* locationPresenter.present([file, ...located])
          const items = linkLocations.map((location, i) => ({
            ...(displayedFile as FileLocation),
            object: "file-backlink" as const,
            relation: page.items[i]!.relation,
            location
          }))
          return { ...page, items }
        }),

        toPage: Effect.fn("Links.toPage")(function* (scope, id, params) {
          const from = yield* locate(scope)
          yield* requirePage(from, id)
          const { page, located } = yield* backlinks(
            from,
            `page ${id}`,
            params,
            ({ ref }) => (ref.kind === "page" || ref.kind === "anchor") && ref.space === undefined && ref.page === id
          )
          return { ...page, items: yield* locationPresenter.present(located) }
        })
      })
    })
  )
}

/** Returns the locations that a response lists for each target. */
const shownLocations = (targets: ReadonlyArray<LinkTarget>): ReadonlyArray<ReadonlyArray<LinkLocation>> => {
  let remaining = maxLocationsInAll
  return targets.map(({ locations }) => {
    const displayedLocations = locations.slice(0, Math.max(1, Math.min(maxLocations, remaining)))
    remaining -= displayedLocations.length
    return displayedLocations
  })
}
