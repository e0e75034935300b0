/** Lists, creates, changes and deletes the share links of a site. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { OtherAction } from "../audit/AuditActions.ts"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { type Changes, changesOf } from "../audit/Changes.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Ids } from "../identity/Ids.ts"
import { Instance } from "../identity/Instance.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { publishedUrl, sitesUrl } from "../site/SiteAddress.ts"
import type { SiteId, SiteNotFound, SiteRow } from "../site/Site.ts"
import { makeSiteChanges, Unchanged } from "../site/SiteChanges.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import { SitePolicy } from "../site/SitePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import {
  shareKeyHash,
  maxShareLinks,
  type ShareLink,
  ShareLinkCreate,
  ShareLinkNotFound,
  ShareLinkPatch,
  type ShareLinkRow,
  ShareLinkTable,
  TooManyShareLinks
} from "./ShareLink.ts"

const acceptCreate = accepting(ShareLinkCreate)
const acceptPatch = accepting(ShareLinkPatch)

type Failure = SiteNotFound | Forbidden | StorageError

export class ShareLinks extends Context.Service<
  ShareLinks,
  {
    /**
     * Lists the share links of a site in order of creation.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SiteNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      site: SiteId,
      params: PageParams
    ) => Effect.Effect<ListPage<ShareLink>, Failure | InvalidCursor, CurrentActor>
    /**
     * Creates a share link, whose key admits everyone who has it.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     * @throws {TooManyShareLinks} If the site has the maximum.
     * @example
     * ```ts
     * const { urls } = await lectern.sites.shareLinks.create(organization.id, site.id, { name: "Beta customers" })
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      site: SiteId,
      input: ShareLinkCreate
    ) => Effect.Effect<ShareLink, Failure | InvalidInput | TooManyShareLinks, CurrentActor>
    /**
     * Changes the given fields of a share link.
     *
     * @param id Id of the link.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {ShareLinkNotFound} If the site has no such link.
     * @throws {SiteNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      site: SiteId,
      id: string,
      patch: ShareLinkPatch
    ) => Effect.Effect<ShareLink, Failure | InvalidInput | ShareLinkNotFound, CurrentActor>
    /**
     * Deletes a share link. Succeeds if it does not exist.
     *
     * @param id Id of the link.
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly remove: (
      organization: OrganizationId,
      site: SiteId,
      id: string
    ) => Effect.Effect<void, Failure, CurrentActor>
  }
>()("@lectern/core/publishing/ShareLinks") {
  static readonly layer = Layer.effect(
    ShareLinks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const paging = yield* Paging
      const policy = yield* SitePolicy
      const siteChanges = yield* makeSiteChanges
      const store = yield* SiteStore
      const sites = yield* sitesUrl
      const instance = yield* Instance
      const secrets = yield* Secrets
      const trail = yield* makeAuditTrail
      const links = storage.repository(ShareLinkTable)

      const present = (site: SiteRow, row: ShareLinkRow) =>
        Effect.map(secrets.open(ShareLinkTable, row, "key"), (key): ShareLink => ({
          object: "share-link",
          id: row.id,
          createdAt: row.createdAt,
          name: row.name,
          active: row.active,
          urls: { published: `${publishedUrl(site, sites)}${key}/` }
        }))

      const record = (
        action: OtherAction,
        { organization, id: site }: SiteRow,
        link: ShareLinkRow,
        changes?: Changes
      ) =>
        trail.record({
          organization,
          action,
          target: { type: "share-link", id: link.id, label: link.name },
          changes,
          payload: { site }
        })

      const changeSettings = <A, E>(
        organization: OrganizationId,
        id: SiteId,
        change: (site: SiteRow) => Effect.Effect<A | Unchanged<A>, E>
      ) => siteChanges.settings(organization, id, "see the secrets of this site", ({ site }) => change(site))

      return ShareLinks.of({
        list: Effect.fn("ShareLinks.list")(function* (organization, id, params) {
          const { site } = yield* policy.require(organization, id, "see the secrets of this site")
          const where = { site: id }
          const page = yield* paging.rows(
            ShareLinkTable,
            `share links of ${id}`,
            { where, order: ["createdAt"] },
            params
          )
          return { ...page, items: yield* Effect.forEach(page.items, (row) => present(site, row)) }
        }),

        create: Effect.fn("ShareLinks.create")(function* (organization, id, rawInput) {
          const { name } = yield* acceptCreate(rawInput)
          const link = yield* ids.next
          const key = yield* ids.secret
          const row: ShareLinkRow = {
            site: id,
            id: link,
            name,
            key: yield* secrets.seal(ShareLinkTable, { site: id, id: link }, "key", key),
            mark: shareKeyHash(instance, id, key),
            active: true,
            createdAt: yield* Timestamps.now
          }
          return yield* changeSettings(
            organization,
            id,
            Effect.fnUntraced(function* (site: SiteRow) {
              if ((yield* links.count({ site: id })) >= maxShareLinks) {
                return yield* new TooManyShareLinks({ message: `A site has at most ${maxShareLinks} share links` })
              }
              yield* links.insert(row).pipe(cannotConflict)
              yield* store.audienceChanged(id)
              yield* record("share_link_created", site, row)
              return yield* present(site, row)
            })
          )
        }),

        update: Effect.fn("ShareLinks.update")(function* (organization, site, id, rawInput) {
          const patch = yield* acceptPatch(rawInput)
          return yield* changeSettings(
            organization,
            site,
            Effect.fnUntraced(function* (siteRow: SiteRow) {
              const link = yield* links.get({ site, id })
              if (link === undefined) return yield* new ShareLinkNotFound({ message: `There is no share link ${id}` })
              if (!hasChanges(link, patch)) return new Unchanged(yield* present(siteRow, link))
              yield* links.update({ site, id }, patch)
              if (patch.active === true) yield* store.audienceChanged(site)
              const changedLink = applyPatch(ShareLinkTable, link, patch)
              yield* record(
                "share_link_updated",
                siteRow,
                changedLink,
                changesOf(link, changedLink, ["name", "active"])
              )
              return yield* present(siteRow, changedLink)
            })
          )
        }),

        remove: Effect.fn("ShareLinks.remove")(function* (organization, site, id) {
          yield* changeSettings(
            organization,
            site,
            Effect.fnUntraced(function* (siteRow: SiteRow) {
              const link = yield* links.get({ site, id })
              if (link === undefined) return new Unchanged(undefined)
              yield* links.remove({ site, id })
              yield* record("share_link_removed", siteRow, link)
              return undefined
            })
          )
        })
      })
    })
  )
}
