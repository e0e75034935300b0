import { SiteSectionGroups } from "@lectern/core/site/SiteSectionGroups"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSorting } from "@lectern/core/site/SiteSorting"
import type { Sort } from "@lectern/core/site/SiteInput"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, outlineOf, readers, siteWithMembers } from "./SiteMembers.ts"

const space = (id: string) => ({ type: "site-space", id }) as const
const section = (id: string) => ({ type: "site-section", id }) as const
const group = (id: string) => ({ type: "site-section-group", id }) as const

/** A site without sections: Guide, Reference and Blog. */
const flat = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site, blog } = fixture
  const siteSpaces = yield* SiteSpaces
  yield* siteSpaces.add(org, site, { spaceId: blog })
  const [guide, reference, news] = (yield* siteSpaces.list(org, site, {})).items.map(({ id }) => id)
  const ids = [guide!, reference!, news!] as const
  return { ...fixture, ids, sorting: yield* SiteSorting, outline: outlineOf(org, site, {}) }
})

/** The sections one (Guide and Reference) and two (Blog), and a group with three (Blog). */
const sectioned = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site, guide, blog } = fixture
  const sections = yield* SiteSections
  const one = yield* sections.create(org, site, { spaceId: guide, title: "One" })
  const two = yield* sections.create(org, site, { spaceId: blog, title: "Two" })
  const three = yield* sections.create(org, site, { spaceId: blog, title: "Three" })
  const grouped = yield* (yield* SiteSectionGroups).create(org, site, { title: "Group", sections: [three.id] })
  return { ...fixture, one, two, three, grouped, sorting: yield* SiteSorting, outline: outlineOf(org, site, {}) }
})

for (const [name, services] of onEach(adapters)) {
  describe(`SiteSorting (${name})`, () => {
    const rule = ruleOn(services)

    rule("moves a site space after, before, and between its neighbours, and to the end", () =>
      Effect.gen(function* () {
        const { org, site, ids, sorting, outline } = yield* flat
        const [guide, reference, blog] = ids
        const moves: ReadonlyArray<readonly [string, Sort["position"], Array<string>]> = [
          [guide, { after: space(blog) }, ["reference", "blog", "guide"]],
          [guide, { before: space(reference) }, ["guide", "reference", "blog"]],
          [blog, { after: space(guide), before: space(reference) }, ["guide", "blog", "reference"]],
          [guide, {}, ["blog", "reference", "guide"]]
        ]
        for (const [item, position, expected] of moves) {
          yield* sorting.sort(org, site, { item: space(item), position })
          assert.deepStrictEqual(yield* outline, expected)
        }
      })
    )

    rule("moves sections and groups among each other, and sections in and out of a group", () =>
      Effect.gen(function* () {
        const { org, site, one, two, three, grouped, sorting, outline } = yield* sectioned
        assert.deepStrictEqual(yield* outline, ["one", "two", ["Group", ["three"]]])
        yield* sorting.sort(org, site, { item: group(grouped.id), position: { before: section(one.id) } })
        assert.deepStrictEqual(yield* outline, [["Group", ["three"]], "one", "two"])
        yield* sorting.sort(org, site, { item: section(two.id), position: { after: section(three.id) } })
        assert.deepStrictEqual(yield* outline, [["Group", ["three", "two"]], "one"])
        yield* sorting.sort(org, site, { item: section(three.id), position: { after: section(one.id) } })
        assert.deepStrictEqual(yield* outline, [["Group", ["two"]], "one", "three"])
      })
    )

    rule("rejects positions that do not exist, and changes nothing", () =>
      Effect.gen(function* () {
        const { org, site, ids, sorting, outline } = yield* flat
        const [guide, reference, blog] = ids
        const before = yield* outline
        for (const position of [
          { after: space("missing") },
          { after: section("missing") },
          { after: space(blog), before: space(reference) }
        ]) {
          const sort = sorting.sort(org, site, { item: space(guide), position })
          assert.strictEqual(yield* outcome(sort), "InvalidPosition")
        }
        assert.notStrictEqual(yield* outcome(sorting.sort(org, site, { item: space("missing"), position: {} })), "ok")
        assert.deepStrictEqual(yield* outline, before)
      })
    )

    rule("rejects a site space on a level that has its space", () =>
      Effect.gen(function* () {
        const { org, site, two, three, sorting } = yield* sectioned
        const sort = sorting.sort(org, site, {
          item: space(two.siteSpaces[0]!.id),
          position: { after: space(three.siteSpaces[0]!.id) }
        })
        assert.strictEqual(yield* outcome(sort), "SpaceTwice")
      })
    )

    rule("emits one event for a move, and none without a change", () =>
      Effect.gen(function* () {
        const { org, site, ids, sorting } = yield* flat
        const sort = sorting.sort(org, site, { item: space(ids[0]), position: {} })
        assert.deepStrictEqual(yield* emitted(sort), ["site_structure_updated"])
        assert.deepStrictEqual(yield* emitted(sort), [])
      })
    )

    rule("accepts positions in the older formats", () =>
      Effect.gen(function* () {
        const { org, site, one, two, grouped, sorting, outline } = yield* sectioned
        yield* sorting.moveSection(org, site, two.id, {
          position: { before: { type: "site-section", siteSection: one.id } }
        })
        yield* sorting.moveGroup(org, site, grouped.id, { position: { before: { type: "site-section", id: one.id } } })
        assert.deepStrictEqual(yield* outline, ["two", ["Group", ["three"]], "one"])
        const [guide, reference] = one.siteSpaces
        yield* sorting.moveSiteSpace(org, site, guide!.id, {
          position: { after: { type: "site-space", siteSpace: reference!.id } }
        })
        const { items } = yield* (yield* SiteSections).list(org, site, {})
        const paths = items.find(({ id }) => id === one.id)!.siteSpaces.map(({ path }) => path)
        assert.deepStrictEqual(paths, ["reference", "guide"])
      })
    )

    rule("is for administrators of the site; the structure is for everyone who sees it", () =>
      Effect.gen(function* () {
        const { org, people, site, ids, sorting } = yield* flat
        const sort = sorting.sort(org, site, { item: space(ids[0]), position: {} })
        assert.deepStrictEqual(yield* outcomes(people, sort), administratorsOnly)
        assert.deepStrictEqual(yield* outcomes(people, sorting.get(org, site, {})), readers)
      })
    )

    rule("returns a structure without spaces that the actor does not see", () =>
      Effect.gen(function* () {
        const { org, people, site, blog, outline } = yield* sectioned
        yield* (yield* Spaces).update(blog, { defaultLevel: null })
        assert.deepStrictEqual(yield* outline.pipe(as(people.read)), ["one"])
        assert.strictEqual((yield* outlineOf(org, site, {})).length, 3)
      })
    )
  })
}
