/**
 * Reads and writes sites. Every page view needs the rows that resolve the URLs of a site and determine its audience, so
 * they are cached until one of them is written (see `ReadCache`).
 *
 * Limits: the 1,000 most recently used sites, the sites of 10,000 spaces, and sites at 100 URLs of mounts are cached.
 */
import { Context, Effect, Layer } from "effect"
import { LruCache } from "../../storage/LruCache.ts"
import { type AdaptiveSchemaRow, AdaptiveSchemaTable } from "../../adaptive/SiteAdaptiveSchema.ts"
import {
  type Customization,
  CustomizationTable,
  defaultCustomization,
  merged
} from "../../customization/Customization.ts"
import { type PublishingAuthRow, PublishingAuthTable } from "../../publishing/PublishingAuth.ts"
import { Instance } from "../../identity/Instance.ts"
import { shareKeyHash, type ShareLinkRow, ShareLinkTable } from "../../publishing/ShareLink.ts"
import { RedirectTable } from "../../redirect/Redirect.ts"
import { type LiveRedirects, liveRedirects } from "../../redirect/RedirectMatch.ts"
import type { OrganizationId } from "../../organization/Organization.ts"
import { type SpaceId, type SpaceRow, SpaceTable } from "../../space/Space.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import * as ReadCache from "../../storage/ReadCache.ts"
import * as Reads from "../../storage/Reads.ts"
import { applyPatch } from "../../storage/Row.ts"
import { cannotConflict, type Patch, Storage, type StorageError } from "../../storage/Storage.ts"
import { type SiteId, type SiteRow, SiteTable } from "../Site.ts"
import { type AddressedSite, SiteMount } from "../SiteAddress.ts"
import * as SitePaths from "../SitePaths.ts"
import { type SiteStructure, siteSpaces, spaces as spacesOf } from "../SiteStructure.ts"

const maxCachedSites = 1_000
const maxCachedSpaces = 10_000
/** A mount has a URL for each origin that readers request. */
const maxMountUrls = 100

export interface CachedSite {
  readonly site: AddressedSite
  readonly paths: SitePaths.Index
  readonly shareLinks: ReadonlyArray<ShareLinkRow>
  /** Returns the share link with this key, active or not. */
  readonly shareLinkWith: (key: string) => ShareLinkRow | undefined
  /** Returns the active share link with this key. */
  readonly shareLinkOf: (key: string) => ShareLinkRow | undefined
  readonly auth: PublishingAuthRow | undefined
  readonly adaptiveSchema: AdaptiveSchemaRow | undefined
  /** Live redirects by their folded source. */
  readonly redirects: LiveRedirects
  readonly favicon: Customization["favicon"]
  /** Spaces whose pages show a link to their source. */
  readonly editLinks: ReadonlySet<SpaceId>
}

/** The spaces on a site. */
export interface SiteSpaceRows {
  readonly rows: ReadonlyMap<SpaceId, SpaceRow>
  /** Changes when one of the spaces changes its visibility or content, or is trashed. */
  readonly state: string
}

export class SiteStore extends Context.Service<
  SiteStore,
  {
    /** Returns a site. In a request for a mounted site, no other site exists (see `SiteMount`). */
    readonly get: (id: SiteId) => Effect.Effect<CachedSite | undefined, StorageError>
    /** Returns the sites that contain a space. */
    readonly sitesWithSpace: (
      organization: OrganizationId,
      space: SpaceId
    ) => Effect.Effect<ReadonlyArray<SiteId>, StorageError>
    /** Returns the current spaces of a site: the same object until one of them changes. */
    readonly spaces: (site: SiteRow) => Effect.Effect<SiteSpaceRows, StorageError>
    readonly insert: (site: SiteRow) => Effect.Effect<void, StorageError>
    /** Updates a site. Returns the new row. */
    readonly update: (site: SiteRow, patch: Patch<SiteRow>) => Effect.Effect<SiteRow, StorageError>
    /** Replaces the structure, and stores aliases for moved parts. */
    readonly restructure: (site: SiteRow, structure: SiteStructure) => Effect.Effect<SiteRow, StorageError>
    readonly remove: (site: SiteRow) => Effect.Effect<void, StorageError>
    /** Records in this transaction that the audience of the site or a space on it changes from now on. */
    readonly audienceChanged: (id: SiteId) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/site/store/SiteStore") {
  static readonly layer = Layer.effect(
    SiteStore,
    Effect.gen(function* () {
      const storage = yield* Storage
      const instance = yield* Instance
      const sites = storage.repository(SiteTable)
      const shareLinks = storage.repository(ShareLinkTable)
      const auths = storage.repository(PublishingAuthTable)
      const adaptiveSchemas = storage.repository(AdaptiveSchemaTable)
      const redirects = storage.repository(RedirectTable)
      const customizations = storage.repository(CustomizationTable)
      const spaces = storage.repository(SpaceTable)
      const cachedSpaces = new LruCache<SiteId, CachedSpaces>(maxCachedSites)
      const cachedSites = yield* ReadCache.make<CachedSite | undefined>(maxCachedSites)
      const mountedSites = new LruCache<string, { readonly stored: CachedSite; readonly mounted: CachedSite }>(
        maxMountUrls
      )
      const cachedSitesOfSpace = yield* ReadCache.make<ReadonlyArray<SiteId>>(maxCachedSpaces)

      const load = Effect.fnUntraced(function* (id: SiteId) {
        const where = { site: id }
        const [site, customizationRows, links, auth, adaptiveSchema, redirectRows] = yield* storage.all([
          sites.get({ id }),
          customizations.list({ where }),
          shareLinks.list({ where }),
          auths.get(where),
          adaptiveSchemas.get(where),
          redirects.list({ where })
        ])
        if (site === undefined) return undefined
        const settingsBySiteSpace = new Map(customizationRows.map((row) => [row.siteSpace, row.settings]))
        const settings = merged(defaultCustomization, settingsBySiteSpace.get("") ?? {})
        const settingsOf = (siteSpace: string) => merged(settings, settingsBySiteSpace.get(siteSpace) ?? {})
        const linksByHash = new Map(links.map((link) => [link.mark, link]))
        const shareLinkWith = (key: string) =>
          linksByHash.size === 0 ? undefined : linksByHash.get(shareKeyHash(instance, id, key))
        return {
          site,
          paths: SitePaths.index(site.structure, site.aliases),
          shareLinks: links,
          shareLinkWith,
          shareLinkOf: (key: string) => {
            const link = shareLinkWith(key)
            return link?.active === true ? link : undefined
          },
          auth,
          adaptiveSchema,
          redirects: liveRedirects(redirectRows),
          favicon: settings.favicon,
          editLinks: new Set(
            siteSpaces(site.structure).flatMap(({ siteSpace: { id, space } }) =>
              settingsOf(id).git.showEditLink ? space : []
            )
          )
        }
      })

      const update = Effect.fnUntraced(function* (site: SiteRow, patchInput: Patch<SiteRow>) {
        const isSame = audienceOf(applyPatch(SiteTable, site, patchInput)) === audienceOf(site)
        const patch = isSame ? patchInput : { ...patchInput, audienceSince: yield* Timestamps.now }
        yield* sites.update({ id: site.id }, patch)
        return applyPatch(SiteTable, site, patch)
      })

      /** Returns the site with the URL of its mount: the same object until the site changes. */
      const atMount = (stored: CachedSite, mountUrl: string) => {
        const key = `${stored.site.id} ${mountUrl}`
        const cached = mountedSites.get(key)
        if (cached?.stored === stored) return cached.mounted
        const mounted = { ...stored, site: { ...stored.site, mountUrl } }
        mountedSites.set(key, { stored, mounted }, 1)
        return mounted
      }

      return SiteStore.of({
        get: (id) =>
          Effect.flatMap(SiteMount, (mount) => {
            if (mount === undefined) return cachedSites(id, load(id))
            return mount.site === id
              ? Effect.map(cachedSites(id, load(id)), (stored) => stored && atMount(stored, mount.url))
              : Effect.undefined
          }),

        sitesWithSpace: (organization, space) =>
          cachedSitesOfSpace(
            `${organization} ${space}`,
            Effect.map(sites.list({ where: { organization, spaces: { any: [space] } } }), (rows) =>
              rows.map(({ id }) => id)
            )
          ),

        spaces: (site) =>
          Effect.flatMap(Reads.untracked(storage.generation), (generation) => {
            const cachedRows = cachedSpaces.get(site.id)
            const isFresh =
              cachedRows?.site === site &&
              generation !== undefined &&
              (cachedRows.validatedAt === generation || !storage.changedSince(cachedRows.reads, cachedRows.validatedAt))
            if (cachedRows !== undefined && isFresh) {
              cachedRows.validatedAt = generation
              return Effect.as(
                Reads.addReads((requestReads) => requestReads.add(cachedRows.reads)),
                cachedRows.spaces
              )
            }
            const ids = spacesOf(site.structure)
            return Effect.map(Reads.tracked(spaces.getMany(ids.map((id) => ({ id })))), ([spaceRows, reads]) => {
              const rows = spaceRows.filter((row) => row !== undefined)
              // Inside a transaction nothing is cached, since the transaction may be rolled back.
              if (generation === undefined) return stateOf(rows)
              const isSame = cachedRows !== undefined && sameRows(cachedRows.rows, rows)
              const now = isSame ? cachedRows.spaces : stateOf(rows)
              cachedSpaces.set(site.id, { site, rows, spaces: now, reads, validatedAt: generation }, 1)
              return now
            })
          }),

        insert: (site) => sites.insert(site).pipe(cannotConflict),

        update,

        restructure: (site, structure) =>
          update(site, {
            structure,
            aliases: SitePaths.updateAliases(site.structure, structure, site.aliases)
          }),

        remove: ({ id }) => Effect.asVoid(sites.remove({ id })),

        audienceChanged: Effect.fnUntraced(function* (id) {
          yield* sites.update({ id }, { audienceSince: yield* Timestamps.now })
        })
      })
    })
  )
}

/** Returns a key of the site's audience: equal as long as the site shows its spaces to an unchanged set of visitors. */
const audienceOf = ({ published, visibility, adaptiveContent, structure }: SiteRow): string =>
  JSON.stringify([
    published,
    visibility,
    adaptiveContent?.enabled,
    siteSpaces(structure)
      .map(({ siteSpace, section }) => JSON.stringify([siteSpace.space, siteSpace.condition, section?.condition]))
      .sort()
  ])

interface CachedSpaces {
  readonly site: SiteRow
  readonly rows: ReadonlyArray<SpaceRow>
  readonly spaces: SiteSpaceRows
  readonly reads: Reads.Reads
  /** Last `Storage.generation` in which the rows were confirmed. */
  validatedAt: number
}

const sameRows = (previousRows: ReadonlyArray<SpaceRow>, rows: ReadonlyArray<SpaceRow>): boolean =>
  previousRows.length === rows.length && rows.every((row, i) => row === previousRows[i])

const stateOf = (rows: ReadonlyArray<SpaceRow>): SiteSpaceRows => ({
  rows: new Map(rows.map((row) => [row.id, row])),
  state: rows
    .map(({ id, revision, visibility, visibilitySet = false, deletedAt = "" }) =>
      [id, revision, visibility, visibilitySet, deletedAt].join(" ")
    )
    .join(",")
})
