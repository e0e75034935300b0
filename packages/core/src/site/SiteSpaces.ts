/** Lists, adds, changes and removes the spaces of a site. */
import { Context, Effect, Result, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import * as Conditions from "../adaptive/Conditions.ts"
import { Ids } from "../identity/Ids.ts"
import type { InvalidPosition } from "../collection/Collection.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import type { SpaceNotFound } from "../space/Space.ts"
import { Spaces } from "../space/Spaces.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { InvalidSpace, SiteId, SiteNotFound } from "./Site.ts"
import { asInputAt } from "./PartErrors.ts"
import { makeSiteChanges } from "./SiteChanges.ts"
import { SiteSpaceCreate, SiteSpaceDuplicate, SiteSpacePatch } from "./SiteInput.ts"
import { type AuthorizedSite, SitePolicy } from "./SitePolicy.ts"
import { presentOneSiteSpace, presentStructureSpaces } from "./SitePresenter.ts"
import type { SiteSpace } from "./SiteResources.ts"
import { makeSiteSpacePolicy } from "./SiteSpacePolicy.ts"
import { addCopy } from "./SiteSpaceCopies.ts"
import {
  findSiteSpace,
  type PathTaken,
  SiteSectionId,
  SiteSpaceId,
  type SiteSpaceNotFound,
  type SpaceTwice,
  type StructureTooLarge
} from "./SiteStructure.ts"
import { addSiteSpace, patchSiteSpace, removeSiteSpace } from "./SiteSpaceChanges.ts"
import { SiteViews } from "./SiteViews.ts"

const acceptCreate = accepting(SiteSpaceCreate)
const acceptDuplicate = accepting(SiteSpaceDuplicate)
const acceptPatch = accepting(SiteSpacePatch)

type Failure = SiteNotFound | Forbidden | StorageError

export class SiteSpaces extends Context.Service<
  SiteSpaces,
  {
    /**
     * Lists the site spaces of a site by section, in order.
     *
     * @param params.shareKey Key of a share link, which URLs in the result then contain. Default: none.
     * @param params.default True for only the site space at the root, false for all others. Default: all.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SiteNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      site: SiteId,
      params: PageParams & { readonly shareKey?: string; readonly default?: boolean }
    ) => Effect.Effect<ListPage<SiteSpace>, Failure | InvalidCursor, CurrentActor>
    /**
     * Adds a space of the organization to a site.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidSpace}
     * @throws {PathTaken}
     * @throws {SiteNotFound}
     * @throws {SpaceTwice} If the space is on the level already.
     * @throws {StructureTooLarge} If the site is full.
     * @example
     * ```ts
     * const siteSpace = await lectern.sites.siteSpaces.add(organization.id, site.id, { spaceId: other.id, path: "api" })
     * console.log(siteSpace.id, siteSpace.path)
     * ```
     */
    readonly add: (
      organization: OrganizationId,
      site: SiteId,
      input: SiteSpaceCreate
    ) => Effect.Effect<
      SiteSpace,
      Failure | InvalidInput | InvalidSpace | PathTaken | SpaceTwice | StructureTooLarge,
      CurrentActor
    >
    /**
     * Changes the given fields of a site space.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidSpace}
     * @throws {PathTaken} If a sibling has the path.
     * @throws {SiteNotFound}
     * @throws {SiteSpaceNotFound}
     * @throws {SpaceTwice} If the new space is on the level already.
     */
    readonly update: (
      organization: OrganizationId,
      site: SiteId,
      siteSpace: SiteSpaceId,
      patch: SiteSpacePatch
    ) => Effect.Effect<
      SiteSpace,
      Failure | InvalidInput | InvalidSpace | SiteSpaceNotFound | PathTaken | SpaceTwice,
      CurrentActor
    >
    /**
     * Copies the space of a site space as `spaces.duplicate` does, and adds the copy after it, or in a section of its
     * own if the section contains only the original. Copies nothing if the site is full.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {InvalidSpace}
     * @throws {OrganizationNotFound}
     * @throws {SiteNotFound}
     * @throws {SiteSpaceNotFound}
     * @throws {SpaceNotFound}
     * @throws {StructureTooLarge}
     */
    readonly duplicate: (
      organization: OrganizationId,
      site: SiteId,
      siteSpace: SiteSpaceId,
      input?: SiteSpaceDuplicate
    ) => Effect.Effect<
      SiteSpace,
      | Failure
      | InvalidInput
      | InvalidPosition
      | InvalidSpace
      | OrganizationNotFound
      | SpaceNotFound
      | SiteSpaceNotFound
      | StructureTooLarge,
      CurrentActor
    >
    /**
     * Removes a site space, but not its space. Succeeds if it does not exist.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly remove: (
      organization: OrganizationId,
      site: SiteId,
      siteSpace: SiteSpaceId
    ) => Effect.Effect<void, Failure, CurrentActor>
    /** Returns the resource of a site space after a change. */
    readonly present: (authorizedSite: AuthorizedSite, siteSpace: SiteSpaceId) => Effect.Effect<SiteSpace, StorageError>
  }
>()("@lectern/core/site/SiteSpaces") {
  static readonly layer = Layer.effect(
    SiteSpaces,
    Effect.gen(function* () {
      const ids = yield* Ids
      const spaces = yield* Spaces
      const paging = yield* Paging
      const policy = yield* SitePolicy
      const spacePolicy = yield* makeSiteSpacePolicy
      const changes = yield* makeSiteChanges
      const views = yield* SiteViews

      const present = Effect.fnUntraced(function* (authorizedSite: AuthorizedSite, id: SiteSpaceId) {
        return presentOneSiteSpace(authorizedSite, yield* views.presentation(authorizedSite), id)!
      })

      return SiteSpaces.of({
        present,

        list: Effect.fn("SiteSpaces.list")(function* (
          organization,
          site,
          { shareKey, default: defaultFilter, ...params }
        ) {
          const authorizedSite = yield* policy.require(organization, site, "see what is published of this site")
          const siteSpaces = presentStructureSpaces(
            authorizedSite,
            yield* views.presentation(authorizedSite, { shareKey })
          )
            .filter(({ isFirst }) => defaultFilter === undefined || isFirst === defaultFilter)
            .map(({ siteSpace }) => siteSpace)
          return yield* paging.inOrder(
            siteSpaces,
            `site spaces of ${site} ${defaultFilter ?? ""}`,
            ({ id }) => id,
            params
          )
        }),

        add: Effect.fn("SiteSpaces.add")(function* (organization, site, rawInput) {
          const { spaceId, sectionId, ...patch } = yield* acceptCreate(rawInput)
          yield* Conditions.accept({ "body.condition": patch.condition })
          const id = SiteSpaceId.make(yield* ids.next)
          const authorizedSite = yield* changes.structure(
            organization,
            site,
            Effect.fnUntraced(function* (structure, { site }) {
              const [space] = yield* spacePolicy.require(site, [spaceId], "body.spaceId")
              const addedSiteSpace = addSiteSpace(
                structure,
                { id, space: spaceId, title: space!.title },
                sectionId
              ).pipe(asInputAt("body.sectionId"))
              return Result.flatMap(addedSiteSpace, (structure) =>
                // The site space exists with a space of its own, since it was added above, so only `PathTaken` can
                // occur.
                Result.mapError(patchSiteSpace(structure, id, patch), (failure) => failure as PathTaken)
              )
            })
          )
          return yield* present(authorizedSite, id)
        }),

        update: Effect.fn("SiteSpaces.update")(function* (organization, site, id, rawInput) {
          const { spaceId, ...patch } = yield* acceptPatch(rawInput)
          yield* Conditions.accept({ "body.condition": patch.condition })
          const authorizedSite = yield* changes.structure(
            organization,
            site,
            Effect.fnUntraced(function* (structure, authorizedSite) {
              yield* spacePolicy.requireVisible(authorizedSite, id)
              if (spaceId !== undefined) yield* spacePolicy.require(authorizedSite.site, [spaceId], "body.spaceId")
              return patchSiteSpace(structure, id, { ...patch, ...(spaceId !== undefined && { space: spaceId }) })
            })
          )
          return yield* present(authorizedSite, id)
        }),

        duplicate: Effect.fn("SiteSpaces.duplicate")(function* (organization, site, original, rawInput = {}) {
          yield* acceptDuplicate(rawInput)
          const id = SiteSpaceId.make(yield* ids.next)
          const section = SiteSectionId.make(yield* ids.next)
          const authorizedSite = yield* changes.structure(
            organization,
            site,
            Effect.fnUntraced(function* (structure, authorizedSite) {
              yield* spacePolicy.requireVisible(authorizedSite, original)
              const { id: space, title } = yield* spaces.duplicate(findSiteSpace(structure, original)!.siteSpace.space)
              yield* spacePolicy.require(authorizedSite.site, [space], "siteSpace")
              return addCopy(structure, original, { id, space, title, section })
            })
          )
          return yield* present(authorizedSite, id)
        }),

        remove: Effect.fn("SiteSpaces.remove")(function* (organization, site, id) {
          yield* changes
            .structure(organization, site, (structure, authorizedSite) =>
              Effect.as(spacePolicy.requireVisible(authorizedSite, id), removeSiteSpace(structure, id))
            )
            .pipe(Effect.catchTag("SiteSpaceNotFound", () => Effect.void))
        })
      })
    })
  )
}
