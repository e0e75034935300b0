import { ShareLinks } from "@lectern/core/publishing/ShareLinks"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { makeSpaceUrls } from "@lectern/core/site/store/SpaceUrls"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { adapters } from "../../Instances.ts"
import { siteWithMembers } from "../SiteMembers.ts"

const published = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const sites = yield* Sites
  const { urls } = yield* sites.publish(fixture.org, fixture.site)
  const [spaceUrls, spaces] = [yield* makeSpaceUrls, (yield* Storage).repository(SpaceTable)]
  const urlOf = (id: SpaceId, ...options: readonly [shareKey?: string]) =>
    Effect.flatMap(spaces.get({ id }), (row) => spaceUrls.published(row!, ...options))
  return { ...fixture, sites, url: urls.published!, urlOf }
})

for (const [name, services] of onEach(adapters)) {
  describe(`SpaceUrls (${name})`, () => {
    const rule = ruleOn(services)

    rule("are below the first site that shows the space", () =>
      Effect.gen(function* () {
        const { org, sites, guide, reference, blog, url, urlOf } = yield* published
        assert.strictEqual(yield* urlOf(guide), url)
        assert.strictEqual(yield* urlOf(reference), `${url}reference/`)
        assert.isUndefined(yield* urlOf(blog))
        const { id: other } = yield* sites.create(org, { spaces: [blog] })
        assert.isUndefined(yield* urlOf(blog))
        const { urls } = yield* sites.publish(org, other)
        assert.strictEqual(yield* urlOf(blog), urls.published)
      })
    )

    rule("are absent if a condition hides the space, and after the site is unpublished", () =>
      Effect.gen(function* () {
        const { org, site, sites, guide, reference, urlOf } = yield* published
        const siteSpaces = yield* SiteSpaces
        const { items } = yield* siteSpaces.list(org, site, {})
        yield* siteSpaces.update(org, site, items[1]!.id, { condition: "visitor.claims.beta === true" })
        assert.isUndefined(yield* urlOf(reference))
        yield* sites.unpublish(org, site)
        assert.isUndefined(yield* urlOf(guide))
      })
    )

    rule("on a shared site need the key of a link", () =>
      Effect.gen(function* () {
        const { org, site, sites, guide, urlOf } = yield* published
        yield* sites.update(org, site, { visibility: "share-link" })
        const { urls } = yield* (yield* ShareLinks).create(org, site, { name: "Partners" })
        assert.isUndefined(yield* urlOf(guide))
        assert.strictEqual(yield* urlOf(guide, urls.published.split("/").at(-2)!), urls.published)
      })
    )
  })
}
