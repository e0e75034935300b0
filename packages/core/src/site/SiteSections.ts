/** Lists, creates, changes and removes the sections of a site. */
import { Context, Effect, Result, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import * as Conditions from "../adaptive/Conditions.ts"
import { Ids } from "../identity/Ids.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { InvalidSpace, SiteId, SiteNotFound } from "./Site.ts"
import { asInputAt } from "./PartErrors.ts"
import { makeSiteChanges } from "./SiteChanges.ts"
import { SectionCreate, SectionPatch } from "./SiteInput.ts"
import { type AuthorizedSite, SitePolicy } from "./SitePolicy.ts"
import { presentOneSection, presentSections } from "./SitePresenter.ts"
import type { SiteSection } from "./SiteResources.ts"
import { makeSiteSpacePolicy } from "./SiteSpacePolicy.ts"
import {
  type PathTaken,
  SiteSectionId,
  type SiteSectionNotFound,
  SiteSpaceId,
  type SpaceTwice,
  type StructureTooLarge
} from "./SiteStructure.ts"
import { addSection, patchSection, removeSection } from "./SectionChanges.ts"
import { setDefaultSiteSpace } from "./SiteSpaceChanges.ts"
import { SiteViews } from "./SiteViews.ts"

const acceptCreate = accepting(SectionCreate)
const acceptPatch = accepting(SectionPatch)

export const untitledSection = "Untitled section"

type Failure = SiteNotFound | Forbidden | StorageError

export class SiteSections extends Context.Service<
  SiteSections,
  {
    /**
     * Lists the sections of a site in order, in groups or not.
     *
     * @param params.shareKey Key of a share link, which URLs in the result then contain. Default: none.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SiteNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      site: SiteId,
      params: PageParams & { readonly shareKey?: string }
    ) => Effect.Effect<ListPage<SiteSection>, Failure | InvalidCursor, CurrentActor>
    /**
     * Creates a section with a space. The first section of a site includes the site spaces of the root.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidSpace}
     * @throws {PathTaken}
     * @throws {SiteNotFound}
     * @throws {SpaceTwice}
     * @throws {StructureTooLarge}
     * @example
     * ```ts
     * const section = await lectern.sites.sections.create(organization.id, site.id, { spaceId: space.id, title: "Guides" })
     * console.log(section.path)
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      site: SiteId,
      input: SectionCreate
    ) => Effect.Effect<
      SiteSection,
      Failure | InvalidInput | InvalidSpace | PathTaken | SpaceTwice | StructureTooLarge,
      CurrentActor
    >
    /**
     * Changes the given fields of a section.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {PathTaken} If another section has the path.
     * @throws {SiteNotFound}
     * @throws {SiteSectionNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      site: SiteId,
      section: SiteSectionId,
      patch: SectionPatch
    ) => Effect.Effect<SiteSection, Failure | InvalidInput | SiteSectionNotFound | PathTaken, CurrentActor>
    /**
     * Removes a section and its site spaces, but not their spaces. Succeeds if it does not exist.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly remove: (
      organization: OrganizationId,
      site: SiteId,
      section: SiteSectionId
    ) => Effect.Effect<void, Failure, CurrentActor>
    /** Returns the resource of a section after a change. */
    readonly present: (
      authorizedSite: AuthorizedSite,
      section: SiteSectionId
    ) => Effect.Effect<SiteSection, StorageError>
  }
>()("@lectern/core/site/SiteSections") {
  static readonly layer = Layer.effect(
    SiteSections,
    Effect.gen(function* () {
      const ids = yield* Ids
      const paging = yield* Paging
      const policy = yield* SitePolicy
      const spacePolicy = yield* makeSiteSpacePolicy
      const changes = yield* makeSiteChanges
      const views = yield* SiteViews

      const present = Effect.fnUntraced(function* (authorizedSite: AuthorizedSite, id: SiteSectionId) {
        return presentOneSection(authorizedSite, yield* views.presentation(authorizedSite), id)!
      })

      return SiteSections.of({
        present,

        list: Effect.fn("SiteSections.list")(function* (organization, site, { shareKey, ...params }) {
          const authorizedSite = yield* policy.require(organization, site, "see what is published of this site")
          const presentedSections = presentSections(
            authorizedSite,
            yield* views.presentation(authorizedSite, { shareKey })
          )
          return yield* paging.inOrder(presentedSections, `sections of ${site}`, ({ id }) => id, params)
        }),

        create: Effect.fn("SiteSections.create")(function* (organization, site, rawInput) {
          const { spaceId, title, icon, ...patch } = yield* acceptCreate(rawInput)
          yield* Conditions.accept({ "body.condition": patch.condition })
          const id = SiteSectionId.make(yield* ids.next)
          const siteSpace = SiteSpaceId.make(yield* ids.next)
          const authorizedSite = yield* changes.structure(
            organization,
            site,
            Effect.fnUntraced(function* (structure, { site }) {
              const [space] = yield* spacePolicy.require(site, [spaceId], "body.spaceId")
              const addedSection = addSection(structure, {
                id,
                title: title ?? titleOf(space!.title),
                ...(icon && { icon }),
                siteSpace: { id: siteSpace, space: spaceId, title: space!.title }
              })
              return Result.flatMap(addedSection, (structure) =>
                // The section exists, since it was added above, so only `PathTaken` can occur.
                Result.mapError(patchSection(structure, id, patch), (failure) => failure as PathTaken)
              )
            })
          )
          return yield* present(authorizedSite, id)
        }),

        update: Effect.fn("SiteSections.update")(function* (organization, site, id, rawInput) {
          const { defaultSiteSpace, ...patch } = yield* acceptPatch(rawInput)
          yield* Conditions.accept({ "body.condition": patch.condition })
          const authorizedSite = yield* changes.structure(organization, site, (structure) =>
            Effect.succeed(
              Result.flatMap(patchSection(structure, id, patch), (patchedStructure) =>
                defaultSiteSpace === undefined
                  ? Result.succeed(patchedStructure)
                  : setDefaultSiteSpace(patchedStructure, id, defaultSiteSpace).pipe(asInputAt("body.defaultSiteSpace"))
              )
            )
          )
          return yield* present(authorizedSite, id)
        }),

        remove: Effect.fn("SiteSections.remove")(function* (organization, site, id) {
          yield* changes
            .structure(organization, site, (structure) => Effect.succeed(removeSection(structure, id)))
            .pipe(Effect.catchTag("SiteSectionNotFound", () => Effect.void))
        })
      })
    })
  )
}

/** Returns the title of a section for a space, whose title may be too short for a section. */
const titleOf = (space: string) => (Array.from(space).length >= 2 ? space : untitledSection)
