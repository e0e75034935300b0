import { Customizations } from "@lectern/core/customization/Customizations"
import { PublishedSites } from "@lectern/core/publishing/PublishedSites"
import { ShareLinks } from "@lectern/core/publishing/ShareLinks"
import { Redirects } from "@lectern/core/redirect/Redirects"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { readers, siteWithMembers } from "../site/SiteMembers.ts"

const published = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { urls } = yield* (yield* Sites).publish(fixture.org, fixture.site)
  return { ...fixture, url: urls.published!, publishedSites: yield* PublishedSites }
})

for (const [name, services] of onEach(adapters)) {
  describe(`PublishedSites (${name})`, () => {
    const rule = ruleOn(services)

    rule("contain the site, its structure and its customization", () =>
      Effect.gen(function* () {
        const { org, site, url, publishedSites } = yield* published
        const found = yield* publishedSites.get(org, site, {})
        assert.deepInclude(found, { object: "published-content-site", scripts: [] })
        assert.strictEqual(found.site.urls.published, url)
        assert.strictEqual(found.structure.structure.length, 2)
        assert.strictEqual(Object.keys(found.customizations.siteSpaces).length, 2)
      })
    )

    rule("are visible to everyone who sees the site, while it is published", () =>
      Effect.gen(function* () {
        const { org, people, site, publishedSites } = yield* published
        for (const read of [publishedSites.get(org, site, {})]) {
          assert.deepStrictEqual(yield* outcomes(people, read), readers)
        }
        yield* (yield* Sites).unpublish(org, site)
        for (const read of [publishedSites.get(org, site, {}), publishedSites.redirect(org, site, { source: "/a" })]) {
          assert.strictEqual(yield* outcome(read), "SiteNotFound")
        }
      })
    )

    rule("leave out site spaces with a condition that an anonymous visitor does not meet", () =>
      Effect.gen(function* () {
        const { org, site, publishedSites } = yield* published
        const siteSpaces = yield* SiteSpaces
        const { items } = yield* siteSpaces.list(org, site, {})
        const condition = "visitor.claims.beta === true"
        yield* siteSpaces.update(org, site, items[1]!.id, { condition })
        const { structure } = yield* publishedSites.get(org, site, {})
        assert.deepStrictEqual(
          structure.structure.map(({ id }) => id as string),
          [items[0]!.id]
        )
      })
    )

    rule("change at once with the site and its customization", () =>
      Effect.gen(function* () {
        const { org, site, publishedSites } = yield* published
        assert.strictEqual((yield* publishedSites.get(org, site, {})).site.title, "Docs")
        yield* (yield* Sites).update(org, site, { title: "Manual" })
        assert.strictEqual((yield* publishedSites.get(org, site, {})).site.title, "Manual")
        const customizations = yield* Customizations
        const before = (yield* publishedSites.get(org, site, {})).customizations.site
        yield* customizations.put(org, site, { header: { preset: "none" } } as never)
        assert.notDeepEqual((yield* publishedSites.get(org, site, {})).customizations.site, before)
      })
    )

    rule("have URLs with the key of a share link", () =>
      Effect.gen(function* () {
        const { org, site, publishedSites } = yield* published
        yield* (yield* Sites).update(org, site, { visibility: "share-link" })
        const { urls } = yield* (yield* ShareLinks).create(org, site, { name: "Partners" })
        const shareKey = urls.published.split("/").at(-2)!
        const found = yield* publishedSites.get(org, site, { shareKey })
        assert.strictEqual(found.site.urls.published, urls.published)
      })
    )

    rule("resolve redirects, and none for other paths", () =>
      Effect.gen(function* () {
        const { org, site, url, publishedSites } = yield* published
        const { items } = yield* (yield* SiteSpaces).list(org, site, {})
        const redirects = yield* Redirects
        const resolve = (source: string) => publishedSites.redirect(org, site, { source })
        yield* redirects.create(org, site, {
          source: "/old/*",
          destination: { kind: "site-space", siteSpaceId: items[1]!.id },
          captureWildcard: true
        })
        yield* redirects.create(org, site, {
          source: "/draft",
          destination: { kind: "external", url: "https://example.com/" },
          draft: true
        })
        assert.strictEqual((yield* resolve("/OLD/page")).target, `${url}reference/page`)
        for (const source of ["/draft", "/missing", "/"]) {
          assert.strictEqual(yield* outcome(resolve(source)), "RedirectNotFound", source)
        }
      })
    )

    rule("redirect from the former path of a page", () =>
      Effect.gen(function* () {
        const { org, site, guide, url, publishedSites } = yield* published
        const page = (yield* publish(guide, [{ operation: "insert_page", title: "Start", ref: "page" }])).get("page")!
        yield* publish(guide, [
          { operation: "insert_page", title: "First" },
          { operation: "update_page", page, slug: "begin" }
        ])
        const { redirect, target } = yield* publishedSites.redirect(org, site, { source: "/start" })
        assert.strictEqual(target, `${url}begin`)
        assert.deepInclude(redirect.destination, { kind: "site-page", pageId: page })
      })
    )
  })
}
