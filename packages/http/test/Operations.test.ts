/** Every operation of the interface, through the whole application, over each adapter. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { endpoints } from "./Endpoints.ts"
import { Harness, onEachAdapter } from "./Harness.ts"
import { changeRequestOperations } from "./operations/ChangeRequestOperations.ts"
import { collectionOperations } from "./operations/CollectionOperations.ts"
import { commentOperations } from "./operations/CommentOperations.ts"
import { contentOperations } from "./operations/ContentOperations.ts"
import { openApiOperations } from "./operations/OpenApiOperations.ts"
import { publishingOperations } from "./operations/PublishingOperations.ts"
import { reviewOperations } from "./operations/ReviewOperations.ts"
import { searchOperations } from "./operations/SearchOperations.ts"
import { siteOperations } from "./operations/SiteOperations.ts"
import { spaceOperations } from "./operations/SpaceOperations.ts"
import { teamOperations } from "./operations/TeamOperations.ts"

onEachAdapter("Operations", (it) => {
  spaceOperations(it)
  collectionOperations(it)
  changeRequestOperations(it)
  contentOperations(it)
  commentOperations(it)
  reviewOperations(it)
  teamOperations(it)
  searchOperations(it)
  siteOperations(it)
  publishingOperations(it)
  openApiOperations(it)

  it.effect("has answered at every endpoint that there is: a new one needs a test", () =>
    Effect.gen(function* () {
      const { succeeded } = yield* Harness
      assert.isAbove(endpoints.length, 30)
      assert.deepStrictEqual(
        endpoints.map(({ name }) => name).filter((name) => !succeeded.has(name)),
        []
      )
    })
  )
})
