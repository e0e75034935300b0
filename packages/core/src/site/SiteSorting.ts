/** Sorts the parts of a site. The move operations are older forms of `sort`, one for each kind of part. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { InvalidPosition } from "../collection/Collection.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { SiteId, SiteNotFound } from "./Site.ts"
import { makeSiteChanges } from "./SiteChanges.ts"
import { GroupMove, type ItemPointer, SectionMove, SiteSpaceMove, Sort } from "./SiteInput.ts"
import type { SiteSection, SiteSectionGroup, SiteSpace, Structure } from "./SiteResources.ts"
import { SiteSectionGroups } from "./SiteSectionGroups.ts"
import { SiteSections } from "./SiteSections.ts"
import { makeSiteSpacePolicy } from "./SiteSpacePolicy.ts"
import { SiteSpaces } from "./SiteSpaces.ts"
import { SitePolicy } from "./SitePolicy.ts"
import { presentStructure } from "./SitePresenter.ts"
import {
  type SectionGroupNotFound,
  type SiteSectionGroupId,
  type SiteSectionId,
  type SiteSectionNotFound,
  type SiteSpaceId,
  type SiteSpaceNotFound,
  type SpaceTwice
} from "./SiteStructure.ts"
import { sort } from "./StructureMoves.ts"
import { SiteViews } from "./SiteViews.ts"

const acceptSort = accepting(Sort)
const acceptSiteSpaceMove = accepting(SiteSpaceMove)
const acceptSectionMove = accepting(SectionMove)
const acceptGroupMove = accepting(GroupMove)

type Failure = SiteNotFound | Forbidden | StorageError
type SortFailure =
  | Failure
  | InvalidInput
  | InvalidPosition
  | SiteSpaceNotFound
  | SiteSectionNotFound
  | SectionGroupNotFound
  | SpaceTwice

type Neighbour =
  | { readonly type: "site-space"; readonly siteSpace: string }
  | { readonly type: "site-section"; readonly siteSection: string }
  | { readonly type: "site-section" | "site-section-group"; readonly id: string }

const pointer = (neighbour: Neighbour): ItemPointer => ({
  type: neighbour.type,
  id: "siteSpace" in neighbour ? neighbour.siteSpace : "siteSection" in neighbour ? neighbour.siteSection : neighbour.id
})

const positionOf = ({
  position = {}
}: {
  readonly position?: { readonly before?: Neighbour; readonly after?: Neighbour }
}) => ({
  ...(position.before && { before: pointer(position.before) }),
  ...(position.after && { after: pointer(position.after) })
})

export class SiteSorting extends Context.Service<
  SiteSorting,
  {
    /**
     * Returns the structure of a site: sections, groups of sections, and site spaces in order.
     *
     * @param options.shareKey Key of a share link, which URLs in the result then contain. Default: none.
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     * @example
     * ```ts
     * const structure = await lectern.sites.structure.get(organization.id, site.id, {})
     * console.log(JSON.stringify(structure, null, 2))
     * ```
     */
    readonly get: (
      organization: OrganizationId,
      site: SiteId,
      options: { readonly shareKey?: string }
    ) => Effect.Effect<Structure, Failure, CurrentActor>
    /**
     * Moves a part of a site: a site space, a section or a group of sections.
     *
     * @returns The moved part.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {SectionGroupNotFound}
     * @throws {SiteNotFound}
     * @throws {SiteSectionNotFound}
     * @throws {SiteSpaceNotFound}
     * @throws {SpaceTwice}
     * @example
     * ```ts
     * const { items } = await lectern.sites.siteSpaces.list(organization.id, site.id, {})
     * const [first, second] = items
     * if (first && second) {
     *   await lectern.sites.structure.sort(organization.id, site.id, {
     *     item: { type: "site-space", id: second.id },
     *     position: { before: { type: "site-space", id: first.id } }
     *   })
     * }
     * ```
     */
    readonly sort: (
      organization: OrganizationId,
      site: SiteId,
      input: Sort
    ) => Effect.Effect<SiteSpace | SiteSection | SiteSectionGroup, SortFailure, CurrentActor>
    /**
     * Moves a site space. An older form of `sort`.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {SectionGroupNotFound}
     * @throws {SiteNotFound}
     * @throws {SiteSectionNotFound}
     * @throws {SiteSpaceNotFound}
     * @throws {SpaceTwice} If the space is on the target level already.
     */
    readonly moveSiteSpace: (
      organization: OrganizationId,
      site: SiteId,
      id: SiteSpaceId,
      move: SiteSpaceMove
    ) => Effect.Effect<SiteSpace, SortFailure, CurrentActor>
    /**
     * Moves a section. An older form of `sort`.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {SectionGroupNotFound}
     * @throws {SiteNotFound}
     * @throws {SiteSectionNotFound}
     * @throws {SiteSpaceNotFound}
     * @throws {SpaceTwice}
     */
    readonly moveSection: (
      organization: OrganizationId,
      site: SiteId,
      id: SiteSectionId,
      move: SectionMove
    ) => Effect.Effect<SiteSection, SortFailure, CurrentActor>
    /**
     * Moves a group of sections. An older form of `sort`.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {SectionGroupNotFound}
     * @throws {SiteNotFound}
     * @throws {SiteSectionNotFound}
     * @throws {SiteSpaceNotFound}
     * @throws {SpaceTwice}
     */
    readonly moveGroup: (
      organization: OrganizationId,
      site: SiteId,
      id: SiteSectionGroupId,
      move: GroupMove
    ) => Effect.Effect<SiteSectionGroup, SortFailure, CurrentActor>
  }
>()("@lectern/core/site/SiteSorting") {
  static readonly layer = Layer.effect(
    SiteSorting,
    Effect.gen(function* () {
      const policy = yield* SitePolicy
      const changes = yield* makeSiteChanges
      const views = yield* SiteViews
      const spacePolicy = yield* makeSiteSpacePolicy
      const spaces = yield* SiteSpaces
      const sections = yield* SiteSections
      const groups = yield* SiteSectionGroups

      const sortItem = (organization: OrganizationId, site: SiteId, { item, position }: Sort) =>
        changes.structure(
          organization,
          site,
          Effect.fnUntraced(function* (structure, authorizedSite) {
            if (item.type === "site-space") yield* spacePolicy.requireVisible(authorizedSite, item.id as SiteSpaceId)
            return sort(structure, item, position)
          })
        )

      return SiteSorting.of({
        get: Effect.fn("SiteSorting.get")(function* (organization, site, { shareKey }) {
          const authorizedSite = yield* policy.require(organization, site, "see what is published of this site")
          return yield* views.cachedResponse("structure", authorizedSite, { shareKey }, (presentation) =>
            Effect.succeed(presentStructure(authorizedSite, presentation))
          )
        }),

        sort: Effect.fn("SiteSorting.sort")(function* (organization, site, rawInput) {
          const input = yield* acceptSort(rawInput)
          const authorizedSite = yield* sortItem(organization, site, input)
          switch (input.item.type) {
            case "site-space":
              return yield* spaces.present(authorizedSite, input.item.id as SiteSpaceId)
            case "site-section":
              return yield* sections.present(authorizedSite, input.item.id as SiteSectionId)
            case "site-section-group":
              return yield* groups.present(authorizedSite, input.item.id as SiteSectionGroupId)
          }
        }),

        moveSiteSpace: Effect.fn("SiteSorting.moveSiteSpace")(function* (organization, site, id, rawInput) {
          const position = positionOf(yield* acceptSiteSpaceMove(rawInput))
          const authorizedSite = yield* sortItem(organization, site, { item: { type: "site-space", id }, position })
          return yield* spaces.present(authorizedSite, id)
        }),

        moveSection: Effect.fn("SiteSorting.moveSection")(function* (organization, site, id, rawInput) {
          const position = positionOf(yield* acceptSectionMove(rawInput))
          const authorizedSite = yield* sortItem(organization, site, { item: { type: "site-section", id }, position })
          return yield* sections.present(authorizedSite, id)
        }),

        moveGroup: Effect.fn("SiteSorting.moveGroup")(function* (organization, site, id, rawInput) {
          const position = positionOf(yield* acceptGroupMove(rawInput))
          const authorizedSite = yield* sortItem(organization, site, {
            item: { type: "site-section-group", id },
            position
          })
          return yield* groups.present(authorizedSite, id)
        })
      })
    })
  )
}
