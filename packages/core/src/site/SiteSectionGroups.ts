/** Lists, creates, changes and removes the section groups of a site, and their sections. */
import { Context, Effect, Result, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Ids } from "../identity/Ids.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { SiteId, SiteNotFound } from "./Site.ts"
import { asInput, asInputAt } from "./PartErrors.ts"
import { makeSiteChanges } from "./SiteChanges.ts"
import { GroupCreate, GroupPatch, GroupSection } from "./SiteInput.ts"
import { type AuthorizedSite, SitePolicy } from "./SitePolicy.ts"
import { presentGroups, presentOneGroup } from "./SitePresenter.ts"
import type { SiteSectionGroup } from "./SiteResources.ts"
import {
  type SectionGroupNotFound,
  SiteSectionGroupId,
  type SiteSectionId,
  type StructureTooLarge
} from "./SiteStructure.ts"
import { addGroup, addSectionToGroup, patchGroup, removeGroup, removeSectionFromGroup } from "./SectionGroupChanges.ts"
import { SiteViews } from "./SiteViews.ts"

const acceptCreate = accepting(GroupCreate)
const acceptPatch = accepting(GroupPatch)
const acceptSection = accepting(GroupSection)

type Failure = SiteNotFound | Forbidden | StorageError

export class SiteSectionGroups extends Context.Service<
  SiteSectionGroups,
  {
    /**
     * Lists the groups of sections of a site in order.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SiteNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      site: SiteId,
      params: PageParams
    ) => Effect.Effect<ListPage<SiteSectionGroup>, Failure | InvalidCursor, CurrentActor>
    /**
     * Creates a group at the end, and moves the given sections into it.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     * @throws {StructureTooLarge}
     */
    readonly create: (
      organization: OrganizationId,
      site: SiteId,
      input: GroupCreate
    ) => Effect.Effect<SiteSectionGroup, Failure | InvalidInput | StructureTooLarge, CurrentActor>
    /**
     * Changes the given fields of a group.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SectionGroupNotFound} If the site has no such group.
     * @throws {SiteNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      site: SiteId,
      group: SiteSectionGroupId,
      patch: GroupPatch
    ) => Effect.Effect<SiteSectionGroup, Failure | InvalidInput | SectionGroupNotFound, CurrentActor>
    /**
     * Removes a group. Its sections take its position, ungrouped. Succeeds if the group does not exist.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly remove: (
      organization: OrganizationId,
      site: SiteId,
      group: SiteSectionGroupId
    ) => Effect.Effect<void, Failure, CurrentActor>
    /**
     * Moves a section of the site into a group.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SectionGroupNotFound} If the site has no such group.
     * @throws {SiteNotFound}
     */
    readonly addSection: (
      organization: OrganizationId,
      site: SiteId,
      group: SiteSectionGroupId,
      input: GroupSection
    ) => Effect.Effect<SiteSectionGroup, Failure | InvalidInput | SectionGroupNotFound, CurrentActor>
    /**
     * Moves a section out of a group. Succeeds if the section is not in the group, or the group does not exist.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly removeSection: (
      organization: OrganizationId,
      site: SiteId,
      group: SiteSectionGroupId,
      section: SiteSectionId
    ) => Effect.Effect<void, Failure, CurrentActor>
    /** Returns the resource of a group after a change. */
    readonly present: (
      authorizedSite: AuthorizedSite,
      group: SiteSectionGroupId
    ) => Effect.Effect<SiteSectionGroup, StorageError>
  }
>()("@lectern/core/site/SiteSectionGroups") {
  static readonly layer = Layer.effect(
    SiteSectionGroups,
    Effect.gen(function* () {
      const ids = yield* Ids
      const paging = yield* Paging
      const policy = yield* SitePolicy
      const changes = yield* makeSiteChanges
      const views = yield* SiteViews

      const present = Effect.fnUntraced(function* (authorizedSite: AuthorizedSite, id: SiteSectionGroupId) {
        return presentOneGroup(authorizedSite, yield* views.presentation(authorizedSite), id)!
      })

      return SiteSectionGroups.of({
        present,

        list: Effect.fn("SiteSectionGroups.list")(function* (organization, site, params) {
          const authorizedSite = yield* policy.require(organization, site, "see what is published of this site")
          const groups = presentGroups(authorizedSite, yield* views.presentation(authorizedSite))
          return yield* paging.inOrder(groups, `section groups of ${site}`, ({ id }) => id, params)
        }),

        create: Effect.fn("SiteSectionGroups.create")(function* (organization, site, rawInput) {
          const { title, icon, sections = [] } = yield* acceptCreate(rawInput)
          const id = SiteSectionGroupId.make(yield* ids.next)
          const authorizedSite = yield* changes.structure(organization, site, (structure) =>
            Effect.succeed(
              addGroup(structure, { id, title, ...(icon && { icon }), sections }).pipe(asInputAt("body.sections"))
            )
          )
          return yield* present(authorizedSite, id)
        }),

        update: Effect.fn("SiteSectionGroups.update")(function* (organization, site, id, rawInput) {
          const patch = yield* acceptPatch(rawInput)
          const authorizedSite = yield* changes.structure(organization, site, (structure) =>
            Effect.succeed(patchGroup(structure, id, patch))
          )
          return yield* present(authorizedSite, id)
        }),

        remove: Effect.fn("SiteSectionGroups.remove")(function* (organization, site, id) {
          yield* changes
            .structure(organization, site, (structure) => Effect.succeed(removeGroup(structure, id)))
            .pipe(Effect.catchTag("SectionGroupNotFound", () => Effect.void))
        }),

        addSection: Effect.fn("SiteSectionGroups.addSection")(function* (organization, site, id, rawInput) {
          const { sectionId } = yield* acceptSection(rawInput)
          const authorizedSite = yield* changes.structure(organization, site, (structure) =>
            Effect.succeed(
              Result.mapError(addSectionToGroup(structure, id, sectionId), (error) =>
                error._tag === "SiteSectionNotFound" ? asInput("body.sectionId")(error) : error
              )
            )
          )
          return yield* present(authorizedSite, id)
        }),

        removeSection: Effect.fn("SiteSectionGroups.removeSection")(function* (organization, site, id, section) {
          yield* changes
            .structure(organization, site, (structure) =>
              Effect.succeed(removeSectionFromGroup(structure, id, section))
            )
            .pipe(Effect.catchTag(["SectionGroupNotFound", "SiteSectionNotFound"], () => Effect.void))
        })
      })
    })
  )
}
