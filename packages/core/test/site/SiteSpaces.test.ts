import { Grants } from "@lectern/core/grant/Grants"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import type { SiteSpaceId } from "@lectern/core/site/SiteStructure"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, outlineOf, readers, siteWithMembers } from "./SiteMembers.ts"

const missing = "missing" as SiteSpaceId

const sited = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const siteSpaces = yield* SiteSpaces
  const { items } = yield* siteSpaces.list(fixture.org, fixture.site, {})
  return { ...fixture, siteSpaces, first: items[0]!, second: items[1]! }
})

for (const [name, services] of onEach(adapters)) {
  describe(`SiteSpaces (${name})`, () => {
    const rule = ruleOn(services)

    rule("are added at the end, with a path from the title of the space", () =>
      Effect.gen(function* () {
        const { org, site, blog, siteSpaces } = yield* sited
        const added = yield* siteSpaces.add(org, site, { spaceId: blog })
        assert.deepInclude(added, { path: "blog", title: "Blog", default: false })
        assert.deepStrictEqual(yield* outlineOf(org, site, {}), ["guide", "reference", "blog"])
        const { id: again } = yield* (yield* Spaces).create(org, { title: "Blog" })
        assert.strictEqual((yield* siteSpaces.add(org, site, { spaceId: again })).path, "blog-2")
      })
    )

    rule("are added, changed, copied and removed by administrators of the site", () =>
      Effect.gen(function* () {
        const { org, people, site, siteSpaces, first } = yield* sited
        const spaces = yield* Spaces
        const adds = yield* outcomes(people, () =>
          Effect.flatMap(spaces.create(org, {}).pipe(as("host")), ({ id }) =>
            siteSpaces.add(org, site, { spaceId: id })
          )
        )
        assert.deepStrictEqual(adds, administratorsOnly)
        for (const change of [
          siteSpaces.update(org, site, first.id, { condition: "true" }),
          siteSpaces.duplicate(org, site, first.id),
          siteSpaces.remove(org, site, missing)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, change), administratorsOnly)
        }
      })
    )

    rule("are listed for everyone who sees the site, if their space is visible to the actor", () =>
      Effect.gen(function* () {
        const { org, people, site, guide, siteSpaces } = yield* sited
        assert.deepStrictEqual(yield* outcomes(people, siteSpaces.list(org, site, {})), readers)
        yield* (yield* Spaces).update(guide, { defaultLevel: null })
        const paths = (person: keyof typeof people) =>
          Effect.map(siteSpaces.list(org, site, {}).pipe(as(people[person])), ({ items }) =>
            items.map(({ path }) => path)
          )
        assert.deepStrictEqual(yield* paths("read"), ["reference"])
        assert.deepStrictEqual(yield* paths("admin"), ["guide", "reference"])
      })
    )

    rule("take the role create on the space, and admin if the site is published", () =>
      Effect.gen(function* () {
        const { org, people, site, blog, siteSpaces } = yield* sited
        yield* (yield* Grants).grant(
          { kind: "site", id: site, organization: org },
          {
            users: [people.create, people.edit],
            role: "admin"
          }
        )
        const add = outcome(siteSpaces.add(org, site, { spaceId: blog }))
        assert.strictEqual(yield* add.pipe(as(people.edit)), "Forbidden")
        yield* (yield* Sites).publish(org, site)
        assert.strictEqual(yield* add.pipe(as(people.create)), "Forbidden")
        yield* (yield* Sites).unpublish(org, site)
        assert.strictEqual(yield* add.pipe(as(people.create)), "ok")
      })
    )

    rule("are rejected if the space is absent, or on the level already", () =>
      Effect.gen(function* () {
        const { org, elsewhere, site, guide, blog, reference, siteSpaces, first } = yield* sited
        const { id: foreign } = yield* (yield* Spaces).create(elsewhere, {})
        const add = (spaceId: typeof guide) => outcome(siteSpaces.add(org, site, { spaceId }))
        assert.strictEqual(yield* add(foreign), "InvalidSpace")
        assert.strictEqual(yield* add("missing" as typeof guide), "InvalidSpace")
        assert.strictEqual(yield* add(guide), "SpaceTwice")
        yield* (yield* Spaces).remove(blog)
        assert.strictEqual(yield* add(blog), "InvalidSpace")
        const replace = siteSpaces.update(org, site, first.id, { spaceId: reference })
        assert.strictEqual(yield* outcome(replace), "SpaceTwice")
      })
    )

    rule("change their path, condition and space; null removes a condition", () =>
      Effect.gen(function* () {
        const { org, site, blog, siteSpaces, first, second } = yield* sited
        const update = (patch: Parameters<typeof siteSpaces.update>[3]) => siteSpaces.update(org, site, first.id, patch)
        assert.strictEqual(yield* outcome(update({ path: second.path.toUpperCase() })), "PathTaken")
        assert.deepInclude(yield* update({ path: "start", condition: "true" }), { path: "start", condition: "true" })
        assert.notProperty(yield* update({ condition: null }), "condition")
        assert.strictEqual((yield* update({ spaceId: blog })).space.id, blog)
        assert.strictEqual(yield* outcome(update({ path: "a/b" })), "InvalidInput")
        assert.strictEqual(yield* outcome(siteSpaces.update(org, site, missing, {})), "SiteSpaceNotFound")
      })
    )

    rule("are copied after the original, with a copy of the space", () =>
      Effect.gen(function* () {
        const { org, site, guide, siteSpaces, first } = yield* sited
        const copy = yield* siteSpaces.duplicate(org, site, first.id)
        assert.notStrictEqual(copy.space.id, guide)
        assert.strictEqual((yield* siteSpaces.list(org, site, {})).items[1]!.id, copy.id)
        assert.strictEqual(yield* outcome(siteSpaces.duplicate(org, site, missing)), "SiteSpaceNotFound")
      })
    )

    rule("are removed without their space; the first one left becomes the default", () =>
      Effect.gen(function* () {
        const { org, site, guide, siteSpaces, first } = yield* sited
        const remove = siteSpaces.remove(org, site, first.id)
        assert.deepStrictEqual(yield* emitted(remove), ["site_structure_updated"])
        assert.deepStrictEqual(yield* emitted(remove), [])
        const { items } = yield* siteSpaces.list(org, site, {})
        assert.deepStrictEqual(
          items.map(({ path, default: isDefault }) => [path, isDefault]),
          [["reference", true]]
        )
        assert.strictEqual((yield* (yield* Spaces).get(guide)).id, guide)
      })
    )

    rule("emit an event for each change of the structure, and none without a change", () =>
      Effect.gen(function* () {
        const { org, site, blog, siteSpaces, first } = yield* sited
        assert.deepStrictEqual(yield* emitted(siteSpaces.add(org, site, { spaceId: blog })), ["site_structure_updated"])
        const move = siteSpaces.update(org, site, first.id, { path: "start" })
        assert.deepStrictEqual(yield* emitted(move), ["site_structure_updated"])
        assert.deepStrictEqual(yield* emitted(move), [])
      })
    )

    rule("are listed as the default, or as all others", () =>
      Effect.gen(function* () {
        const { org, site, siteSpaces, first, second } = yield* sited
        const ids = (filter: { readonly default: boolean }) =>
          Effect.map(siteSpaces.list(org, site, filter), ({ items }) => items.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids({ default: true }), [first.id])
        assert.deepStrictEqual(yield* ids({ default: false }), [second.id])
        yield* (yield* Sites).update(org, site, { defaultSiteSpace: second.id })
        assert.deepStrictEqual(yield* ids({ default: true }), [second.id])
      })
    )
  })
}
