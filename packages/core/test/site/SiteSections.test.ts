import { Sites } from "@lectern/core/site/Sites"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import type { SiteSectionId } from "@lectern/core/site/SiteStructure"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, outlineOf, readers, siteWithMembers } from "./SiteMembers.ts"

const missing = "missing" as SiteSectionId

/** The sections Start, with Guide and Reference, and Blog. */
const sectioned = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site, guide, blog } = fixture
  const sections = yield* SiteSections
  const start = yield* sections.create(org, site, { spaceId: guide, title: "Start" })
  const news = yield* sections.create(org, site, { spaceId: blog, title: "News" })
  return { ...fixture, sections, start, news }
})

for (const [name, services] of onEach(adapters)) {
  describe(`SiteSections (${name})`, () => {
    const rule = ruleOn(services)

    rule("include the site spaces of the root in the first section", () =>
      Effect.gen(function* () {
        const { start, news } = yield* sectioned
        const paths = [start, news].map(({ siteSpaces }) => siteSpaces.map(({ path }) => path))
        assert.deepStrictEqual(paths, [["guide", "reference"], ["blog"]])
        assert.deepStrictEqual([start.default, news.default], [true, false])
      })
    )

    rule("are titled after their space by default, with a free path", () =>
      Effect.gen(function* () {
        const { org, site, sections, blog } = yield* sectioned
        const made = yield* sections.create(org, site, { spaceId: blog })
        assert.deepInclude(made, { title: "Blog", path: "blog" })
        assert.strictEqual((yield* sections.create(org, site, { spaceId: blog, title: "News" })).path, "news-2")
        const taken = sections.create(org, site, { spaceId: blog, title: "More", path: "NEWS" })
        assert.strictEqual(yield* outcome(taken), "PathTaken")
      })
    )

    rule("are created, changed and removed by administrators of the site", () =>
      Effect.gen(function* () {
        const { org, people, site, sections, news } = yield* sectioned
        const spaces = yield* Spaces
        const creates = yield* outcomes(people, () =>
          Effect.flatMap(spaces.create(org, { title: "More" }).pipe(as("host")), ({ id }) =>
            sections.create(org, site, { spaceId: id })
          )
        )
        assert.deepStrictEqual(creates, administratorsOnly)
        for (const change of [
          sections.update(org, site, news.id, { title: "Newest" }),
          sections.remove(org, site, news.id)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, change), administratorsOnly)
        }
      })
    )

    rule("are listed for everyone who sees the site, without invisible spaces", () =>
      Effect.gen(function* () {
        const { org, people, site, sections, blog } = yield* sectioned
        assert.deepStrictEqual(yield* outcomes(people, sections.list(org, site, {})), readers)
        yield* (yield* Spaces).update(blog, { defaultLevel: null })
        const { items } = yield* sections.list(org, site, {}).pipe(as(people.read))
        assert.deepStrictEqual(
          items.map(({ path }) => path),
          ["start"]
        )
      })
    )

    rule("change their fields; null removes an optional one", () =>
      Effect.gen(function* () {
        const { org, site, sections, news, start } = yield* sectioned
        const update = (patch: Parameters<typeof sections.update>[3]) => sections.update(org, site, news.id, patch)
        const fields = { title: "Updates", path: "updates", icon: "bell", description: "New", condition: "true" }
        assert.deepInclude(yield* update(fields), fields)
        const cleared = yield* update({ icon: null, description: null, condition: null })
        for (const field of ["icon", "description", "condition"]) assert.notProperty(cleared, field)
        assert.strictEqual(yield* outcome(update({ path: "START" })), "PathTaken")
        const foreign = start.siteSpaces[0]!.id
        for (const invalid of [{ title: "x" }, { path: "a/b" }, { defaultSiteSpace: foreign }] as const) {
          assert.strictEqual(yield* outcome(update(invalid)), "InvalidInput")
        }
        assert.strictEqual(yield* outcome(sections.update(org, site, missing, {})), "SiteSectionNotFound")
      })
    )

    rule("choose one of their site spaces as the default", () =>
      Effect.gen(function* () {
        const { org, site, sections, start } = yield* sectioned
        const second = start.siteSpaces[1]!.id
        const { siteSpaces } = yield* sections.update(org, site, start.id, { defaultSiteSpace: second })
        assert.deepStrictEqual(
          siteSpaces.map((one) => one.default),
          [false, true]
        )
      })
    )

    rule("contain each space once, but may share a space", () =>
      Effect.gen(function* () {
        const { org, site, news, guide } = yield* sectioned
        const siteSpaces = yield* SiteSpaces
        const add = siteSpaces.add(org, site, { spaceId: guide, sectionId: news.id })
        assert.strictEqual((yield* add).section, news.id)
        assert.strictEqual(yield* outcome(add), "SpaceTwice")
        const astray = siteSpaces.add(org, site, { spaceId: guide, sectionId: missing })
        assert.strictEqual(yield* outcome(astray), "InvalidInput")
      })
    )

    rule("are removed with their site spaces, but not with their spaces", () =>
      Effect.gen(function* () {
        const { org, site, sections, start, guide } = yield* sectioned
        const remove = sections.remove(org, site, start.id)
        assert.deepStrictEqual(yield* emitted(remove), ["site_structure_updated"])
        assert.deepStrictEqual(yield* emitted(remove), [])
        assert.deepStrictEqual(yield* outlineOf(org, site, {}), ["news"])
        assert.isTrue((yield* sections.list(org, site, {})).items[0]!.default)
        assert.strictEqual((yield* (yield* Spaces).get(guide)).id, guide)
      })
    )

    rule("have a default that the site chooses", () =>
      Effect.gen(function* () {
        const { org, site, sections, news } = yield* sectioned
        yield* (yield* Sites).update(org, site, { defaultSiteSection: news.id })
        const { items } = yield* sections.list(org, site, {})
        assert.deepStrictEqual(
          items.map((section) => section.default),
          [false, true]
        )
        const astray = (yield* Sites).update(org, site, { defaultSiteSection: missing })
        assert.strictEqual(yield* outcome(astray), "InvalidInput")
      })
    )
  })
}
