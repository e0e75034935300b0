import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Collections } from "@lectern/core/collection/Collections"
import { AppPaths } from "@lectern/core/identity/AppUrls"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { ContentUrls } from "@lectern/core/link/ContentUrls"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

const content = Effect.gen(function* () {
  const { org, people } = yield* members
  const space = yield* (yield* Spaces).create(org, {})
  const pages = yield* publish(space.id, [{ operation: "insert_page", title: "Guide", ref: "guide" }])
  const changeRequest = yield* (yield* ChangeRequests).create(space.id, {})
  const collection = yield* (yield* Collections).create(org, {})
  const location = space.urls.location
  return { people, space, page: pages.get("guide")!, changeRequest, collection, location, urls: yield* ContentUrls }
})

for (const [name, services] of onEach(adapters)) {
  describe(`ContentUrls (${name})`, () => {
    const rule = ruleOn(services)

    rule("lead to the space, change request, page or collection whose resource lists them", () =>
      Effect.gen(function* () {
        const { space, page, changeRequest, collection, location, urls } = yield* content
        for (const [url, expected] of [
          [location, [space.id, undefined, undefined]],
          [`${location}/`, [space.id, undefined, undefined]],
          [changeRequest.urls.location, [space.id, changeRequest.id, undefined]],
          [`${location}/content/page/${page}`, [space.id, undefined, page]],
          [`${changeRequest.urls.location}/content/page/${page}?a=b#c`, [space.id, changeRequest.id, page]]
        ] as const) {
          const found = yield* urls.find(url)
          assert.deepStrictEqual(
            "space" in found ? [found.space.id, found.changeRequest?.id, found.page?.id] : [],
            [...expected],
            url
          )
        }
        const found = yield* urls.find(collection.urls.location)
        assert.strictEqual("collection" in found && found.collection.id, collection.id)
      })
    )

    rule("lead to the same content by the paths of the app", () =>
      Effect.gen(function* () {
        const { space, page, changeRequest } = yield* content
        const paths = {
          ...(yield* AppPaths),
          content: /^\/s\/(?<space>[\w-]+)(?:\/c\/(?<changeRequest>[\w-]+))?(?:\/p\/(?<page>[\w-]+))?$/
        }
        const { find } = yield* ContentUrls.pipe(
          Effect.provide(Layer.fresh(ContentUrls.layer)),
          Effect.provideService(AppPaths, paths)
        )
        const found = yield* find(`${yield* PublicUrl}/s/${space.id}/c/${changeRequest.number}/p/${page}?a=b`)
        assert.isTrue("space" in found && found.space.id === space.id)
        assert.isTrue("space" in found && found.changeRequest?.id === changeRequest.id && found.page?.id === page)
      })
    )

    rule("lead nowhere for an actor who does not see the content", () =>
      Effect.gen(function* () {
        const { people, page, location, changeRequest, urls } = yield* content
        for (const url of [location, changeRequest.urls.location, `${location}/content/page/${page}`]) {
          assert.deepStrictEqual(yield* outcomes(people, urls.find(url)), {
            ok: "host admin create review edit comment read",
            ContentUrlNotFound: "guest outsider"
          })
        }
      })
    )

    rule("lead nowhere if there is no content, or at another host", () =>
      Effect.gen(function* () {
        const { location, urls } = yield* content
        for (const url of [
          `${location}x`,
          `${location}/content/page/missing`,
          `${location}/change-requests/missing`,
          `${location}/revisions/missing/content/page/missing`,
          `${location}/comments`,
          "https://example.com/v1/spaces/x"
        ]) {
          assert.strictEqual(yield* outcome(urls.find(url)), "ContentUrlNotFound", url)
        }
        for (const text of ["", "spaces/x", "ftp://example.com/"]) {
          assert.strictEqual(yield* outcome(urls.find(text)), "InvalidInput", text)
        }
      })
    )
  })
}
