/**
 * Searches all spaces of an organization that the actor may read. Pages of all spaces are ranked together.
 *
 * Limit: the oldest 1,000 spaces.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import type { InvalidCursor, ListPage } from "../paging/Paging.ts"
import { SpaceTable } from "../space/Space.ts"
import { readable } from "../space/ReadableSpaces.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { PageSearch } from "./PageSearch.ts"
import type { SearchSpaceResult } from "./SearchResult.ts"
import { groupBySpace, maxSpaces } from "./SpacesSearch.ts"

export class OrganizationSearches extends Context.Service<
  OrganizationSearches,
  {
    /** Returns the pages that match the query, grouped by space (see `SpacesSearch`). */
    readonly search: (
      organization: OrganizationId,
      query: string,
      params: PageParams
    ) => Effect.Effect<
      ListPage<SearchSpaceResult>,
      OrganizationNotFound | Forbidden | InvalidCursor | StorageError,
      CurrentActor
    >
  }
>()("@lectern/core/search/OrganizationSearches") {
  static readonly layer = Layer.effect(
    OrganizationSearches,
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const policy = yield* SpacePolicy
      const pages = yield* PageSearch
      const spaces = (yield* Storage).repository(SpaceTable)

      return OrganizationSearches.of({
        search: Effect.fn("OrganizationSearches.search")(function* (organization, query, params) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const rows = yield* spaces.list({ where: readable(organization, member), limit: maxSpaces })
          const readableSpaces = yield* policy.readable(rows)
          const titles = new Map(rows.map(({ id, title }) => [id, title]))
          return groupBySpace(
            yield* pages.find(readableSpaces, query, `search of ${organization} for ${query}`, params),
            titles
          )
        })
      })
    })
  )
}
