/** Creates, reads, changes, publishes and removes docs sites. */
import { Context, Effect, Equal, Result, Layer } from "effect"
import { Access, grantedContents, levelOn } from "../access/Access.ts"
import { type CurrentActor, requireScope } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { Events } from "../event/Events.ts"
import { makeRunHook, type RefusedByHost } from "../hook/BeforeHooks.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { VisitorKeys } from "../visitor/VisitorKeys.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { foldText } from "../search/Words.ts"
import type { SpaceId } from "../space/Space.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import {
  accessTargetOf,
  type AddressTaken,
  type InvalidSpace,
  type Site,
  SiteCreate,
  SiteId,
  type SiteNotFound,
  SitePatch,
  type SiteRow,
  SiteTable,
  untitledSite
} from "./Site.ts"
import { makeAddressClaiming } from "./AddressClaiming.ts"
import { makeAddressProofs } from "./AddressProofs.ts"
import { basenameRefusal, sitesUrl } from "./SiteAddress.ts"
import { asInputAt } from "./PartErrors.ts"
import { SiteAddresses } from "./SiteAddresses.ts"
import { makeSiteChanges, Unchanged } from "./SiteChanges.ts"
import { SitePolicy } from "./SitePolicy.ts"
import { presentSite, siteUrlOf } from "./SitePresenter.ts"
import { makeSiteRemoval } from "./SiteRemoval.ts"
import { makeSiteSpacePolicy } from "./SiteSpacePolicy.ts"
import { makeVisibleSiteSpaces } from "./VisibleSiteSpaces.ts"
import { SiteStore } from "./store/SiteStore.ts"
import { empty, SiteSpaceId, type SiteStructure, type SpaceTwice, type StructureTooLarge } from "./SiteStructure.ts"
import { setDefaultSection } from "./SectionChanges.ts"
import { addSiteSpace, setDefaultSiteSpace } from "./SiteSpaceChanges.ts"
import { makeStarterSpaces } from "./StarterSpaces.ts"

const acceptCreate = accepting(SiteCreate)
const acceptPatch = accepting(SitePatch)

type Failure = SiteNotFound | Forbidden | StorageError

const hostnameForbidden = new Forbidden({
  message: "To change a hostname, you must be an administrator of the organization"
})

export class Sites extends Context.Service<
  Sites,
  {
    /**
     * Returns a site of the organization.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound} If the actor may not see the site.
     */
    readonly get: (organization: OrganizationId, id: SiteId) => Effect.Effect<Site, Failure, CurrentActor>
    /**
     * Lists the sites that the actor may see, in order of creation.
     *
     * @param params.published True for only published sites, false for only unpublished ones. Default: all.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams & {
        /** Lists only sites with this space. */
        readonly space?: SpaceId
        /** Lists only sites with this text in their title, ignoring case and accents. */
        readonly title?: string
        readonly published?: boolean
      }
    ) => Effect.Effect<ListPage<Site>, OrganizationNotFound | Forbidden | InvalidCursor | StorageError, CurrentActor>
    /**
     * Creates an unpublished site with the spaces of the input.
     *
     * @throws {AddressTaken} If another site has the basename, hostname or proxy.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidSpace} For a space of another organization.
     * @throws {OrganizationNotFound}
     * @throws {SpaceTwice} For a space that is listed twice.
     * @throws {StructureTooLarge}
     * @example
     * ```ts
     * const site = await lectern.sites.create(organization.id, { title: "Acme docs", spaces: [space.id] })
     * const { urls } = await lectern.sites.publish(organization.id, site.id)
     * console.log(urls.published)
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      input: SiteCreate
    ) => Effect.Effect<
      Site,
      | AddressTaken
      | OrganizationNotFound
      | InvalidSpace
      | SpaceTwice
      | StructureTooLarge
      | InvalidInput
      | Forbidden
      | StorageError,
      CurrentActor
    >
    /**
     * Changes the given fields of a site. Other fields keep their values.
     *
     * @throws {AddressTaken} If another site has the hostname, basename or proxy.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      id: SiteId,
      patch: SitePatch
    ) => Effect.Effect<Site, Failure | AddressTaken | InvalidInput, CurrentActor>
    /**
     * Removes a site with its settings, but not its spaces. Succeeds if it does not exist.
     *
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (
      organization: OrganizationId,
      id: SiteId
    ) => Effect.Effect<void, OrganizationNotFound | Forbidden | StorageError, CurrentActor>
    /**
     * Publishes a site to its audience.
     *
     * @throws {Forbidden}
     * @throws {RefusedByHost} If the hook `publish` of the host refuses.
     * @throws {SiteNotFound}
     * @example
     * ```ts
     * const { published } = await lectern.sites.publish(organization.id, site.id)
     * ```
     */
    readonly publish: (
      organization: OrganizationId,
      id: SiteId
    ) => Effect.Effect<Site, Failure | RefusedByHost, CurrentActor>
    /**
     * Unpublishes a site: its readers get a 404.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly unpublish: (organization: OrganizationId, id: SiteId) => Effect.Effect<Site, Failure, CurrentActor>
  }
>()("@lectern/core/site/Sites") {
  static readonly layer = Layer.effect(
    Sites,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const access = yield* Access
      const paging = yield* Paging
      const events = yield* Events
      const organizations = yield* Organizations
      const addresses = yield* SiteAddresses
      const visitorKeys = yield* VisitorKeys
      const policy = yield* SitePolicy
      const spacePolicy = yield* makeSiteSpacePolicy
      const store = yield* SiteStore
      const changes = yield* makeSiteChanges
      const removal = yield* makeSiteRemoval
      const claiming = yield* makeAddressClaiming
      const proofs = yield* makeAddressProofs
      const visibleSiteSpaces = yield* makeVisibleSiteSpaces
      const starters = yield* makeStarterSpaces
      const publicUrl = yield* PublicUrl
      const sites = yield* sitesUrl
      const runHook = yield* makeRunHook

      /** Presents sites for members. The URL of a site with share links is absent, since there are several. */
      const presentAll = Effect.fnUntraced(function* (organization: OrganizationId, rows: ReadonlyArray<SiteRow>) {
        const member = yield* access.membership(organization)
        const authorizedSpaces = yield* visibleSiteSpaces.listFor(member, rows)
        return rows.map((site): Site => {
          // An integration sees the site by its scopes without being a member.
          const level = member === undefined ? "read" : levelOn(member, accessTargetOf(site))
          const base = siteUrlOf({ site, shareLinkOf: () => undefined }, sites)
          const pendingAddresses = level === "admin" ? pendingOf(site) : []
          return {
            ...presentSite(site, level, {
              publicUrl,
              sitesUrl: sites,
              base,
              siteSpaces: authorizedSpaces.get(site.id)?.size
            }),
            ...(pendingAddresses.length > 0 && { pendingAddresses })
          }
        })
      })

      const present = (site: SiteRow) =>
        Effect.map(presentAll(site.organization, [site]), ([presentedSite]) => presentedSite!)

      const pendingOf = ({ organization, claims = {} }: SiteRow) =>
        (["hostname", "proxy"] as const).flatMap((kind) =>
          claims[kind] === undefined ? [] : proofs.present(organization, kind, claims[kind])
        )

      const requireBasename = Effect.fnUntraced(function* (basename: string) {
        const refusal = basenameRefusal(sites, basename)
        if (refusal !== undefined) {
          return yield* new InvalidInput({ issues: [{ path: "body.basename", message: refusal }] })
        }
      })

      const withDefaults = (structure: SiteStructure, { defaultSiteSection, defaultSiteSpace }: SitePatch) => {
        const sectionResult =
          defaultSiteSection === undefined
            ? Result.succeed(structure)
            : setDefaultSection(structure, defaultSiteSection).pipe(asInputAt("body.defaultSiteSection"))
        return Result.flatMap(sectionResult, (changedStructure) =>
          defaultSiteSpace === undefined
            ? Result.succeed(changedStructure)
            : setDefaultSiteSpace(
                changedStructure,
                changedStructure.type === "sections" ? changedStructure.default : null,
                defaultSiteSpace
              ).pipe(asInputAt("body.defaultSiteSpace"))
        )
      }

      const setPublished = (organization: OrganizationId, id: SiteId, published: boolean) =>
        storage.transaction(
          Effect.gen(function* () {
            const authorizedSite = yield* policy.require(organization, id, "publish this site")
            const { site } = authorizedSite
            if (site.published === published) return yield* present(site)
            if (published) yield* spacePolicy.requirePublisher(authorizedSite)
            const changed = yield* store.update(site, { published })
            yield* events.emit(
              { type: published ? "site_published" : "site_unpublished", organization, site: id },
              { label: site.title, payload: { visibility: site.visibility } }
            )
            return yield* present(changed)
          })
        )

      return Sites.of({
        get: Effect.fn("Sites.get")(function* (organization, id) {
          return yield* present((yield* policy.require(organization, id, "see this site")).site)
        }),

        list: Effect.fn("Sites.list")(function* (organization, { space, title, published, ...params }) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const visible = member.admin || member.role !== null ? {} : { id: { in: grantedContents(member) } }
          // The filter by space works only for actors who may see the space.
          const visibleSpace = space === undefined ? undefined : yield* spacePolicy.find(organization, space)
          if (space !== undefined && visibleSpace === undefined) return { items: [], count: 0 }
          const where = {
            organization,
            ...visible,
            ...(published !== undefined && { published }),
            ...(space !== undefined && { spaces: { any: [space] } })
          }
          const name = `sites of ${organization} ${space ?? ""} ${published ?? ""} ${title ?? ""}`
          const titleFilter = title === undefined ? undefined : foldText(title)
          const page =
            titleFilter === undefined
              ? yield* paging.rows(SiteTable, name, { where }, params)
              : yield* paging.items(
                  (yield* storage.repository(SiteTable).list({ where })).filter((site) =>
                    foldText(site.title).includes(titleFilter)
                  ),
                  name,
                  ({ id }) => id,
                  params
                )
          return { ...page, items: yield* presentAll(organization, page.items) }
        }),

        create: Effect.fn("Sites.create")(function* (organization, rawInput) {
          const { spaces = [], hostname, proxy, ...input } = yield* acceptCreate(rawInput)
          const { member } = yield* organizations.require(
            organization,
            "create content at the top of this organization"
          )
          if (hostname !== undefined && !member.admin) return yield* hostnameForbidden
          if (input.basename !== undefined) yield* requireBasename(input.basename)
          const chosen = typeof spaces === "string" ? [yield* starters.make(organization, spaces, input.title)] : spaces
          const createdAt = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              yield* organizations.require(organization, "create content at the top of this organization")
              const spaceRows = yield* spacePolicy.require({ organization, published: false }, chosen, "body.spaces")
              const title = input.title ?? titleOf(spaceRows[0]?.title)
              let structure = empty
              for (const { id: space, title: name } of spaceRows) {
                const addedStructure = addSiteSpace(structure, {
                  id: SiteSpaceId.make(yield* ids.next),
                  space,
                  title: name
                })
                structure = yield* Effect.fromResult(addedStructure).pipe(
                  Effect.catchTag("SiteSectionNotFound", Effect.die)
                )
              }
              const site: SiteRow = {
                id: SiteId.make(yield* ids.next),
                organization,
                type: input.type ?? "basic",
                title,
                basename: input.basename ?? (yield* addresses.freeBasename(title)),
                visibility: input.visibility ?? "public",
                published: false,
                ...(input.adaptiveContent !== undefined && { adaptiveContent: input.adaptiveContent }),
                agentsContext: input.agentsContext ?? "included",
                structure,
                aliases: [],
                createdAt
              }
              yield* store.insert(site)
              yield* addresses.assign(site.id, "basename", site.basename)
              yield* visitorKeys.createKey(site.id)
              const claimedAddresses = yield* claiming.claim(site, { hostname, proxy })
              yield* events.emit({ type: "site_created", organization, site: site.id }, { label: site.title })
              return yield* present(yield* store.update(site, claimedAddresses))
            })
          )
        }),

        update: Effect.fn("Sites.update")(function* (organization, id, rawInput) {
          const patch = yield* acceptPatch(rawInput)
          return yield* changes.settings(organization, id, "change this site", (authorizedSite) =>
            Effect.gen(function* () {
              const { defaultSiteSection: _, defaultSiteSpace: __, hostname, proxy, ...otherFields } = patch
              if (otherFields.visibility !== undefined)
                yield* requireScope("site:publish", "change who may see this site")
              if (hostname !== undefined && !authorizedSite.member.admin) return yield* hostnameForbidden
              const structure = yield* Effect.fromResult(withDefaults(authorizedSite.site.structure, patch))
              if (otherFields.basename !== undefined) {
                yield* requireBasename(otherFields.basename)
                yield* addresses.assign(id, "basename", otherFields.basename)
              }
              const claimedAddresses = yield* claiming.claim(authorizedSite.site, { hostname, proxy })
              const site = yield* store.update(authorizedSite.site, {
                ...otherFields,
                ...claimedAddresses,
                ...(structure !== authorizedSite.site.structure && { structure })
              })
              const presentedSite = yield* present(site)
              return Equal.equals(site, authorizedSite.site) ? new Unchanged(presentedSite) : presentedSite
            })
          )
        }),

        remove: Effect.fn("Sites.remove")(function* (organization, id) {
          yield* organizations.require(organization, "see this organization")
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const { site } = yield* policy.require(organization, id, "delete this site")
                yield* removal.remove(site)
                yield* events.emit({ type: "site_deleted", organization, site: id }, { label: site.title })
              })
            )
            .pipe(Effect.catchTag("SiteNotFound", () => Effect.void))
        }),

        publish: Effect.fn("Sites.publish")(function* (organization, id) {
          const request = Effect.gen(function* () {
            const authorizedSite = yield* policy.require(organization, id, "publish this site")
            const { published, title, visibility } = authorizedSite.site
            if (published) return undefined
            yield* spacePolicy.requirePublisher(authorizedSite)
            return { organization, site: id, title, visibility }
          })
          yield* runHook("publish", request)
          return yield* setPublished(organization, id, true)
        }),

        unpublish: Effect.fn("Sites.unpublish")((organization, id) => setPublished(organization, id, false))
      })
    })
  )
}

/** Returns the default title of a site. The title of a space may be too short for a site. */
const titleOf = (space: string | undefined) =>
  space !== undefined && Array.from(space).length >= 2 ? space : untitledSite
