import { SiteSectionGroups } from "@lectern/core/site/SiteSectionGroups"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { maxGroups, type SiteSectionGroupId, type SiteSectionId } from "@lectern/core/site/SiteStructure"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, outlineOf, readers, siteWithMembers } from "./SiteMembers.ts"

const missing = "missing" as SiteSectionGroupId
const missingSection = "missing" as SiteSectionId

/** The sections one, two and three. The group contains two. */
const grouped = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site, guide } = fixture
  const [sections, groups] = [yield* SiteSections, yield* SiteSectionGroups]
  const create = (title: string) => Effect.map(sections.create(org, site, { spaceId: guide, title }), ({ id }) => id)
  const [one, two, three] = [yield* create("One"), yield* create("Two"), yield* create("Three")]
  const { id: group } = yield* groups.create(org, site, { title: "Group", sections: [two] })
  const outline = outlineOf(org, site, {})
  return { ...fixture, sections, groups, group, one, two, three, outline }
})

for (const [name, services] of onEach(adapters)) {
  describe(`SiteSectionGroups (${name})`, () => {
    const rule = ruleOn(services)

    rule("are created at the end, with sections in the given order", () =>
      Effect.gen(function* () {
        const { org, site, groups, one, three, outline } = yield* grouped
        assert.deepStrictEqual(yield* outline, ["one", "three", ["Group", ["two"]]])
        yield* groups.create(org, site, { title: "Other", sections: [three, one, three] })
        assert.deepStrictEqual(yield* outline, [
          ["Group", ["two"]],
          ["Other", ["three", "one"]]
        ])
        const astray = groups.create(org, site, { title: "Astray", sections: [missingSection] })
        assert.strictEqual(yield* outcome(astray), "InvalidInput")
      })
    )

    rule("are changed by administrators of the site, and listed for everyone who sees it", () =>
      Effect.gen(function* () {
        const { org, people, site, groups, group, one, two } = yield* grouped
        for (const change of [
          groups.create(org, site, { title: "More" }),
          groups.update(org, site, group, { icon: "star" }),
          groups.addSection(org, site, group, { sectionId: one }),
          groups.removeSection(org, site, group, two),
          groups.remove(org, site, group)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, change), administratorsOnly)
        }
        assert.deepStrictEqual(yield* outcomes(people, groups.list(org, site, {})), readers)
      })
    )

    rule("take sections in, and give them back after the group", () =>
      Effect.gen(function* () {
        const { org, site, groups, group, one, two, outline } = yield* grouped
        yield* groups.addSection(org, site, group, { sectionId: one })
        assert.deepStrictEqual(yield* outline, ["three", ["Group", ["two", "one"]]])
        yield* groups.addSection(org, site, group, { sectionId: two })
        assert.deepStrictEqual(yield* outline, ["three", ["Group", ["two", "one"]]])
        yield* groups.removeSection(org, site, group, two)
        assert.deepStrictEqual(yield* outline, ["three", ["Group", ["one"]], "two"])
      })
    )

    rule("leave their sections at their position when they are removed", () =>
      Effect.gen(function* () {
        const { org, site, groups, group, outline } = yield* grouped
        const remove = groups.remove(org, site, group)
        assert.deepStrictEqual(yield* emitted(remove), ["site_structure_updated"])
        assert.deepStrictEqual(yield* emitted(remove), [])
        assert.deepStrictEqual(yield* outline, ["one", "three", "two"])
      })
    )

    rule("have no section or group of another id", () =>
      Effect.gen(function* () {
        const { org, site, groups, group, one } = yield* grouped
        assert.strictEqual(yield* outcome(groups.update(org, site, missing, {})), "SectionGroupNotFound")
        const intoNone = groups.addSection(org, site, missing, { sectionId: one })
        assert.strictEqual(yield* outcome(intoNone), "SectionGroupNotFound")
        const none = groups.addSection(org, site, group, { sectionId: missingSection })
        assert.strictEqual(yield* outcome(none), "InvalidInput")
        for (const remove of [
          groups.removeSection(org, site, group, one),
          groups.removeSection(org, site, missing, one),
          groups.remove(org, site, missing)
        ]) {
          assert.deepStrictEqual(yield* emitted(remove), [])
        }
      })
    )

    rule("change their title and icon; null removes an icon", () =>
      Effect.gen(function* () {
        const { org, site, groups, group } = yield* grouped
        const update = (patch: Parameters<typeof groups.update>[3]) => groups.update(org, site, group, patch)
        assert.deepInclude(yield* update({ title: "Renamed", icon: "star" }), { title: "Renamed", icon: "star" })
        assert.notProperty(yield* update({ icon: null }), "icon")
        for (const title of ["", "x".repeat(101), "two\nlines"]) {
          assert.strictEqual(yield* outcome(update({ title })), "InvalidInput")
        }
      })
    )

    rule("are at most 100", () =>
      Effect.gen(function* () {
        const { org, site, groups } = yield* grouped
        for (let i = 1; i < maxGroups; i++) yield* groups.create(org, site, { title: `Group ${i}` })
        assert.strictEqual(yield* outcome(groups.create(org, site, { title: "Late" })), "StructureTooLarge")
        assert.strictEqual((yield* groups.list(org, site, {})).count, maxGroups)
      })
    )
  })
}
