/** Searches the pages of a space, best first (see `PageSearch`). */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { InvalidCursor, ListPage } from "../paging/Paging.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import type { StorageError } from "../storage/Storage.ts"
import { PageSearch } from "./PageSearch.ts"
import type { SearchPageResult } from "./SearchResult.ts"

export class Searches extends Context.Service<
  Searches,
  {
    /**
     * Returns the pages of a space that contain any word of the query: the best 1,000, in list pages of 50. `limit`
     * sets another page size. Each result lists the sections that contain the words.
     */
    readonly search: (
      space: SpaceId,
      query: string,
      params: PageParams
    ) => Effect.Effect<
      ListPage<SearchPageResult>,
      SpaceNotFound | Forbidden | InvalidCursor | StorageError,
      CurrentActor
    >
  }
>()("@lectern/core/search/Searches") {
  static readonly make = Effect.gen(function* () {
    const policy = yield* SpacePolicy
    const pages = yield* PageSearch

    return Searches.of({
      search: Effect.fnUntraced(function* (id, text, params) {
        const authorized = yield* policy.require(id, "read this space")
        return (yield* pages.find([authorized], text, `search of ${id} for ${text}`, params)).list
      })
    })
  })

  static readonly layerNoDeps = Layer.effect(Searches, this.make)

  static readonly layer = Layer.effect(Searches, this.make)
}
