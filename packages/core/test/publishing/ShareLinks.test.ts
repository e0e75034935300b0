import { maxShareLinks, ShareLinkTable } from "@lectern/core/publishing/ShareLink"
import { ShareLinks } from "@lectern/core/publishing/ShareLinks"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { Sites } from "@lectern/core/site/Sites"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, siteWithMembers } from "../site/SiteMembers.ts"

/** A published site with visibility `share-link`. */
const shared = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site } = fixture
  const sites = yield* Sites
  yield* sites.update(org, site, { visibility: "share-link" })
  yield* sites.publish(org, site)
  return { ...fixture, links: yield* ShareLinks }
})

const opens = (url: string) => Effect.flatMap(PublishedUrls, (urls) => outcome(urls.resolve({ url })))

for (const [name, services] of onEach(adapters)) {
  describe(`ShareLinks (${name})`, () => {
    const rule = ruleOn(services)

    rule("open the site until they are inactive or removed", () =>
      Effect.gen(function* () {
        const { org, site, links } = yield* shared
        const { id, active, urls } = yield* links.create(org, site, { name: "Partners" })
        assert.isTrue(active)
        const { urls: other } = yield* links.create(org, site, { name: "" })
        assert.notStrictEqual(urls.published, other.published)
        assert.strictEqual(yield* opens(urls.published), "ok")
        yield* links.update(org, site, id, { active: false })
        assert.strictEqual(yield* opens(urls.published), "PublishedUrlNotFound")
        yield* links.update(org, site, id, { active: true })
        assert.strictEqual(yield* opens(urls.published), "ok")
        yield* links.remove(org, site, id)
        assert.strictEqual(yield* opens(urls.published), "PublishedUrlNotFound")
        assert.strictEqual(yield* opens(other.published), "ok")
      })
    )

    rule("are for administrators of the site only, even to list", () =>
      Effect.gen(function* () {
        const { org, people, site, links } = yield* shared
        const { id } = yield* links.create(org, site, { name: "Partners" })
        for (const operation of [
          links.list(org, site, {}),
          links.create(org, site, { name: "More" }),
          links.update(org, site, id, { name: "Renamed" }),
          links.remove(org, site, id)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, operation), administratorsOnly)
        }
      })
    )

    rule("are listed in order of creation, page by page", () =>
      Effect.gen(function* () {
        const { org, site, links } = yield* shared
        for (const title of ["c", "a", "b"]) {
          yield* links.create(org, site, { name: title })
          yield* TestClock.adjust("1 second")
        }
        const first = yield* links.list(org, site, { limit: 2 })
        const rest = yield* links.list(org, site, { limit: 2, page: first.next!.page })
        assert.deepStrictEqual(
          [...first.items, ...rest.items].map((link) => link.name),
          ["c", "a", "b"]
        )
        assert.strictEqual(first.count, 3)
      })
    )

    rule("are found in their site only", () =>
      Effect.gen(function* () {
        const { org, site, links } = yield* shared
        const { id } = yield* links.create(org, site, { name: "Partners" })
        const { id: other } = yield* (yield* Sites).create(org, {})
        assert.strictEqual(yield* outcome(links.update(org, other, id, { name: "X" })), "ShareLinkNotFound")
        yield* links.remove(org, other, id)
        assert.strictEqual((yield* links.list(org, site, {})).count, 1)
        assert.strictEqual(yield* outcome(links.update(org, site, "missing", {})), "ShareLinkNotFound")
      })
    )

    rule("reject names of more than 50 characters or several lines", () =>
      Effect.gen(function* () {
        const { org, site, links } = yield* shared
        const { id } = yield* links.create(org, site, { name: "x".repeat(50) })
        for (const invalid of ["x".repeat(51), "two\nlines"]) {
          assert.strictEqual(yield* outcome(links.create(org, site, { name: invalid })), "InvalidInput")
          assert.strictEqual(yield* outcome(links.update(org, site, id, { name: invalid })), "InvalidInput")
        }
      })
    )

    rule("emit one event for each change, and none without a change", () =>
      Effect.gen(function* () {
        const { org, site, links } = yield* shared
        assert.deepStrictEqual(yield* emitted(links.create(org, site, { name: "A" })), ["site_updated"])
        const { id } = (yield* links.list(org, site, {})).items[0]!
        const rename = links.update(org, site, id, { name: "B" })
        assert.deepStrictEqual(yield* emitted(rename), ["site_updated"])
        assert.deepStrictEqual(yield* emitted(rename), [])
        const remove = links.remove(org, site, id)
        assert.deepStrictEqual(yield* emitted(remove), ["site_updated"])
        assert.deepStrictEqual(yield* emitted(remove), [])
      })
    )

    rule("are at most 100, store no readable key, and are removed with their site", () =>
      Effect.gen(function* () {
        const { org, site, links } = yield* shared
        const { urls } = yield* links.create(org, site, { name: "0" })
        const table = (yield* Storage).repository(ShareLinkTable)
        const [row] = yield* table.list({ where: { site } })
        const key = urls.published.split("/").at(-2)!
        assert.notInclude(JSON.stringify(row), key)
        for (let i = 1; i < maxShareLinks; i++) yield* table.insert({ ...row!, id: `x${i}` })
        assert.strictEqual(yield* outcome(links.create(org, site, { name: "Late" })), "TooManyShareLinks")
        yield* (yield* Sites).remove(org, site)
        assert.strictEqual(yield* table.count({ site }), 0)
      })
    )
  })
}
