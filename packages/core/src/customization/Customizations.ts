/** Reads and writes the customization of sites and site spaces. */
import { Context, Effect, Equal, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as Conditions from "../adaptive/Conditions.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { SiteId, SiteNotFound, SiteRow } from "../site/Site.ts"
import { makeSiteChanges, Unchanged } from "../site/SiteChanges.ts"
import { SitePolicy } from "../site/SitePolicy.ts"
import { makeSiteSpacePolicy } from "../site/SiteSpacePolicy.ts"
import { type SiteSpaceId, type SiteSpaceNotFound, siteSpaces as siteSpacesOf } from "../site/SiteStructure.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { uploadClaims } from "../upload/UploadClaims.ts"
import {
  type Customization,
  CustomizationPatch,
  CustomizationPut,
  CustomizationTable,
  defaultCustomization,
  merged,
  patched,
  renderedByDefault,
  visibleCustomization,
  type SiteSpaceCustomization
} from "./Customization.ts"

const acceptPut = accepting(CustomizationPut)
const acceptPatch = accepting(CustomizationPatch)

const acceptConditions = ({ header }: CustomizationPut) =>
  Conditions.accept(
    Object.fromEntries(
      (header?.links ?? []).map(({ condition }, i) => [`body.header.links[${i}].condition`, condition])
    )
  )

/**
 * Maximum number of site spaces that are all listed. With more, only those with overrides are listed, and consumers use
 * the site's settings for the others.
 */
export const maxListed = 50

/** Value of the column `siteSpace` for the settings of the site itself. */
const siteItself = ""

type Failure = SiteNotFound | Forbidden | StorageError

export class Customizations extends Context.Service<
  Customizations,
  {
    /**
     * Returns the settings of a site, with defaults for unset ones.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly get: (organization: OrganizationId, site: SiteId) => Effect.Effect<Customization, Failure, CurrentActor>
    /**
     * Replaces the settings of a site. Omitted settings become unset.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     */
    readonly put: (
      organization: OrganizationId,
      site: SiteId,
      input: CustomizationPut
    ) => Effect.Effect<Customization, Failure | InvalidInput, CurrentActor>
    /**
     * Returns the settings of a site space: its overrides, and the site's settings for the rest.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     * @throws {SiteSpaceNotFound}
     */
    readonly getOfSiteSpace: (
      organization: OrganizationId,
      site: SiteId,
      siteSpace: SiteSpaceId
    ) => Effect.Effect<SiteSpaceCustomization, Failure | SiteSpaceNotFound, CurrentActor>
    /**
     * Updates the overrides in the patch.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     * @throws {SiteSpaceNotFound}
     */
    readonly patchOfSiteSpace: (
      organization: OrganizationId,
      site: SiteId,
      siteSpace: SiteSpaceId,
      patch: CustomizationPatch
    ) => Effect.Effect<SiteSpaceCustomization, Failure | SiteSpaceNotFound | InvalidInput, CurrentActor>
    /**
     * Removes all overrides of a site space. Does nothing if the site space does not exist.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly removeOfSiteSpace: (
      organization: OrganizationId,
      site: SiteId,
      siteSpace: SiteSpaceId
    ) => Effect.Effect<void, Failure, CurrentActor>
    /**
     * Returns the settings of a site and of its site spaces for a renderer, without a check of access. An unset theme
     * is `system`. If a site has more than 50 visible site spaces, only those with overrides are listed.
     */
    readonly of: (
      site: SiteRow,
      view?: {
        /** Default: all site spaces of the site. */
        readonly siteSpaces?: ReadonlySet<SiteSpaceId>
        /**
         * Returns true if an entry with a condition is visible. The entry is then returned without its condition.
         * Default: all entries are returned with their conditions.
         */
        readonly isVisible?: (entry: { readonly condition?: string }) => boolean
      }
    ) => Effect.Effect<
      { readonly site: Customization; readonly siteSpaces: Readonly<Record<SiteSpaceId, Customization>> },
      StorageError
    >
  }
>()("@lectern/core/customization/Customizations") {
  static readonly layer = Layer.effect(
    Customizations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const policy = yield* SitePolicy
      const siteSpaces = yield* makeSiteSpacePolicy
      const changes = yield* makeSiteChanges
      const uploads = yield* uploadClaims
      const rows = storage.repository(CustomizationTable)

      /** Reads the settings of a site and the overrides of a site space. */
      const read = (site: SiteId, siteSpace: SiteSpaceId) =>
        Effect.map(
          rows.getMany([
            { site, siteSpace: siteItself },
            { site, siteSpace }
          ]),
          (settingsRows) => settingsRows.map((row) => row?.settings ?? {}) as [CustomizationPut, CustomizationPut]
        )

      /** Replaces the stored settings. */
      const write = Effect.fnUntraced(function* (site: SiteId, siteSpace: string, settings: CustomizationPut) {
        yield* rows.remove({ site, siteSpace })
        if (Object.keys(settings).length === 0) return
        yield* rows.insert({ site, siteSpace, settings }).pipe(cannotConflict)
      })

      const present = (site: CustomizationPut, override: CustomizationPut): SiteSpaceCustomization => ({
        ...merged(merged(defaultCustomization, site), override),
        hasOverrides: Object.keys(override).length > 0
      })

      return Customizations.of({
        get: Effect.fn("Customizations.get")(function* (organization, site) {
          yield* policy.require(organization, site, "see this site")
          const row = yield* rows.get({ site, siteSpace: siteItself })
          return merged(defaultCustomization, row?.settings ?? {})
        }),

        put: Effect.fn("Customizations.put")(function* (organization, site, rawInput) {
          const settings = yield* acceptPut(rawInput)
          yield* acceptConditions(settings)
          return yield* changes.settings(
            organization,
            site,
            "change this site",
            Effect.fnUntraced(function* () {
              const customization = merged(defaultCustomization, settings)
              const before = yield* rows.get({ site, siteSpace: siteItself })
              if (Equal.equals(before?.settings ?? {}, settings)) return new Unchanged(customization)
              yield* uploads.named(organization, settings, "body")
              yield* write(site, siteItself, settings)
              return customization
            })
          )
        }),

        getOfSiteSpace: Effect.fn("Customizations.getOfSiteSpace")(function* (organization, site, id) {
          const authorized = yield* policy.require(organization, site, "see this site")
          yield* siteSpaces.requireVisible(authorized, id)
          return present(...(yield* read(site, id)))
        }),

        patchOfSiteSpace: Effect.fn("Customizations.patchOfSiteSpace")(function* (organization, site, id, rawInput) {
          const patch = yield* acceptPatch(rawInput)
          return yield* changes.settings(
            organization,
            site,
            "change this site",
            Effect.fnUntraced(function* (authorized) {
              yield* siteSpaces.requireVisible(authorized, id)
              const [base, before] = yield* read(site, id)
              // The result of the patch is validated as a whole, since repeated patches may exceed the limits in total.
              const override = yield* acceptPut(patched(before, patch))
              yield* acceptConditions(override)
              if (Equal.equals(before, override)) return new Unchanged(present(base, override))
              yield* uploads.named(organization, override, "body")
              yield* write(site, id, override)
              return present(base, override)
            })
          )
        }),

        removeOfSiteSpace: Effect.fn("Customizations.removeOfSiteSpace")(function* (organization, site, siteSpace) {
          yield* changes.settings(organization, site, "change this site", (authorized) =>
            siteSpaces.requireVisible(authorized, siteSpace).pipe(
              Effect.andThen(rows.remove({ site, siteSpace })),
              Effect.catchTag("SiteSpaceNotFound", () => Effect.succeed(0)),
              Effect.map((count) => (count === 0 ? new Unchanged(undefined) : undefined))
            )
          )
        }),

        of: Effect.fn("Customizations.of")(function* (site, { siteSpaces: listedSiteSpaces, isVisible } = {}) {
          const visiblePart = (customization: Customization) =>
            isVisible === undefined ? customization : visibleCustomization(customization, isVisible)
          const overridesBySiteSpace = new Map(
            (yield* rows.list({ where: { site: site.id } })).map((row) => [row.siteSpace, row.settings])
          )
          const siteSettings = merged(renderedByDefault, overridesBySiteSpace.get(siteItself) ?? {})
          const visibleSiteSettings = visiblePart(siteSettings)
          const customizations: Record<SiteSpaceId, Customization> = {}
          // Overrides of a space that left the site stay stored until it returns.
          const visibleSiteSpaces = siteSpacesOf(site.structure).filter(
            ({ siteSpace }) => listedSiteSpaces?.has(siteSpace.id) !== false
          )
          for (const { siteSpace } of visibleSiteSpaces) {
            const settings = overridesBySiteSpace.get(siteSpace.id)
            if (settings !== undefined) customizations[siteSpace.id] = visiblePart(merged(siteSettings, settings))
            else if (visibleSiteSpaces.length <= maxListed) customizations[siteSpace.id] = visibleSiteSettings
          }
          return { site: visibleSiteSettings, siteSpaces: customizations }
        })
      })
    })
  )
}
