import { Contents } from "@lectern/core/content/Contents"
import { Grants } from "@lectern/core/grant/Grants"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import type { SiteCreate, SiteId } from "@lectern/core/site/Site"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { administratorsOnly, outlineOf, readers, siteWithMembers } from "./SiteMembers.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Sites (${name})`, () => {
    const rule = ruleOn(services)

    rule("are created unpublished, with a title and a basename from the input or the first space", () =>
      Effect.gen(function* () {
        const { org, guide } = yield* siteWithMembers
        const sites = yield* Sites
        const created = yield* sites.create(org, { spaces: [guide] })
        assert.deepInclude(created, { title: "Guide", published: false, visibility: "public", siteSpaces: 1 })
        assert.strictEqual((yield* sites.create(org, {})).title, "Untitled site")
        const [first, second] = [
          yield* sites.create(org, { title: "Acme" }),
          yield* sites.create(org, { title: "Acme" })
        ]
        assert.notStrictEqual(first.basename, second.basename)
      })
    )

    rule("are created with a new space of the same title, with sample pages or empty", () =>
      Effect.gen(function* () {
        const { org, people } = yield* siteWithMembers
        const [sites, siteSpaces] = [yield* Sites, yield* SiteSpaces]
        for (const [kind, pages] of [
          ["sample", 3],
          ["empty", 0]
        ] as const) {
          const { id } = yield* sites.create(org, { title: "Manual", spaces: kind }).pipe(as(people.create))
          const [made] = (yield* siteSpaces.list(org, id, {})).items
          assert.strictEqual(made?.space.title, "Manual")
          const contents = yield* Contents
          const located = yield* contents.locate({ space: made!.space.id })
          assert.strictEqual((yield* contents.pages(located, {})).pages.length, pages)
        }
      })
    )

    rule("are created from the level create on, with spaces on which the actor has that level", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, guide } = yield* siteWithMembers
        const sites = yield* Sites
        assert.deepStrictEqual(yield* outcomes(people, sites.create(org, { spaces: [guide] })), {
          ok: "host admin create",
          Forbidden: "review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
        const { id: foreign } = yield* (yield* Spaces).create(elsewhere, {})
        yield* (yield* Spaces).update(guide, { defaultLevel: null })
        for (const space of [foreign, guide, "missing" as typeof guide]) {
          const create = sites.create(org, { spaces: [space] }).pipe(as(people.create))
          assert.strictEqual(yield* outcome(create), "InvalidSpace")
        }
        assert.strictEqual(yield* outcome(sites.create(org, { spaces: [guide, guide] })), "SpaceTwice")
      })
    )

    rule("are visible to members with a level on the organization or on the site", () =>
      Effect.gen(function* () {
        const { org, people, site } = yield* siteWithMembers
        const sites = yield* Sites
        assert.deepStrictEqual(yield* outcomes(people, sites.get(org, site)), readers)
        yield* (yield* Grants).grant(
          { kind: "site", id: site, organization: org },
          {
            users: [people.guest],
            role: "read"
          }
        )
        assert.strictEqual((yield* sites.get(org, site).pipe(as(people.guest))).id, site)
        const other = yield* sites.create(org, {})
        const listed = yield* sites.list(org, {}).pipe(as(people.guest))
        assert.deepStrictEqual([listed.count, listed.items.map(({ id }) => id)], [1, [site]])
        assert.strictEqual(yield* outcome(sites.get(org, other.id)).pipe(as(people.guest)), "SiteNotFound")
      })
    )

    rule("exist in their organization only", () =>
      Effect.gen(function* () {
        const { org, elsewhere, site } = yield* siteWithMembers
        const sites = yield* Sites
        assert.strictEqual(yield* outcome(sites.get(elsewhere, site)), "SiteNotFound")
        assert.strictEqual(yield* outcome(sites.update(elsewhere, site, { title: "New" })), "SiteNotFound")
        yield* sites.remove(elsewhere, site)
        assert.strictEqual((yield* sites.get(org, site)).title, "Docs")
      })
    )

    rule("are changed, published and removed by their administrators", () =>
      Effect.gen(function* () {
        const { org, people, site } = yield* siteWithMembers
        const sites = yield* Sites
        assert.deepStrictEqual(
          yield* outcomes(people, (actor) => sites.update(org, site, { title: `By ${actor}` })),
          administratorsOnly
        )
        assert.deepStrictEqual(yield* outcomes(people, sites.publish(org, site)), administratorsOnly)
        const removes = yield* outcomes(people, () =>
          Effect.flatMap(sites.create(org, {}).pipe(as("host")), ({ id }) => sites.remove(org, id))
        )
        assert.deepStrictEqual(removes, {
          ok: "host admin guest",
          Forbidden: "create review edit comment read",
          OrganizationNotFound: "outsider"
        })
        assert.strictEqual((yield* sites.list(org, {})).count, 8)
      })
    )

    rule("let an administrator of the site change it, but not its hostname", () =>
      Effect.gen(function* () {
        const { org, people, site } = yield* siteWithMembers
        const sites = yield* Sites
        yield* (yield* Grants).grant(
          { kind: "site", id: site, organization: org },
          {
            users: [people.read],
            role: "admin"
          }
        )
        const update = (patch: Parameters<typeof sites.update>[2]) =>
          outcome(sites.update(org, site, patch)).pipe(as(people.read))
        assert.strictEqual(yield* update({ title: "Renamed" }), "ok")
        assert.strictEqual(yield* update({ hostname: "docs.acme.example" }), "Forbidden")
        // To publish takes the role admin on every space too.
        assert.strictEqual(yield* outcome(sites.publish(org, site)).pipe(as(people.read)), "Forbidden")
      })
    )

    rule("are published and unpublished once, with an event", () =>
      Effect.gen(function* () {
        const { org, site } = yield* siteWithMembers
        const sites = yield* Sites
        for (const [published, change, event] of [
          [true, sites.publish, "site_published"],
          [false, sites.unpublish, "site_unpublished"]
        ] as const) {
          assert.deepStrictEqual(yield* emitted(change(org, site)), [event])
          assert.deepStrictEqual(yield* emitted(change(org, site)), [])
          const found = yield* sites.get(org, site)
          assert.deepStrictEqual([found.published, found.urls.published !== undefined], [published, published])
        }
      })
    )

    rule("emit an event when they are created, changed and removed", () =>
      Effect.gen(function* () {
        const { org, site } = yield* siteWithMembers
        const sites = yield* Sites
        assert.deepStrictEqual(yield* emitted(sites.create(org, {})), ["site_created"])
        const update = sites.update(org, site, { title: "New" })
        assert.deepStrictEqual(yield* emitted(update), ["site_updated"])
        assert.deepStrictEqual(yield* emitted(update), [])
        assert.deepStrictEqual(yield* emitted(sites.remove(org, site)), ["site_deleted"])
        assert.deepStrictEqual(yield* emitted(sites.remove(org, site)), [])
      })
    )

    rule("have addresses that no other site has, regardless of case", () =>
      Effect.gen(function* () {
        const { org, elsewhere, site } = yield* siteWithMembers
        const sites = yield* Sites
        yield* sites.update(org, site, { basename: "handbook" })
        assert.strictEqual(yield* outcome(sites.create(elsewhere, { basename: "Handbook" })), "AddressTaken")
        const { id } = yield* sites.create(elsewhere, {})
        assert.strictEqual(yield* outcome(sites.update(elsewhere, id, { basename: "HANDBOOK" })), "AddressTaken")
        yield* sites.remove(org, site)
        assert.strictEqual((yield* sites.update(elsewhere, id, { basename: "handbook" })).basename, "handbook")
      })
    )

    rule("reject invalid input without a change", () =>
      Effect.gen(function* () {
        const { org, site } = yield* siteWithMembers
        const sites = yield* Sites
        const before = yield* sites.get(org, site)
        for (const input of [
          { title: "x" },
          { title: "x".repeat(129) },
          { basename: "a b" },
          { basename: ".." },
          { hostname: "example.com" },
          { proxy: "example.com" },
          { visibility: "secret" }
        ] as unknown as ReadonlyArray<SiteCreate>) {
          assert.strictEqual(yield* outcome(sites.create(org, input)), "InvalidInput")
          const { spaces: _, ...patch } = input
          assert.strictEqual(yield* outcome(sites.update(org, site, patch)), "InvalidInput")
        }
        assert.strictEqual(
          yield* outcome(sites.update(org, site, { defaultSiteSpace: "missing" as never })),
          "InvalidInput"
        )
        assert.deepStrictEqual(yield* sites.get(org, site), before)
      })
    )

    rule("are listed by space, by title without case and accents, and by publication", () =>
      Effect.gen(function* () {
        const { org, people, site, guide, blog } = yield* siteWithMembers
        const sites = yield* Sites
        yield* TestClock.adjust("1 second")
        const { id: other } = yield* sites.create(org, { title: "Zürich", spaces: [guide] })
        yield* sites.publish(org, other)
        const ids = (filter: Parameters<typeof sites.list>[1]) =>
          Effect.map(sites.list(org, filter), ({ items }) => items.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids({}), [site, other])
        assert.deepStrictEqual(yield* ids({ space: guide }), [site, other])
        assert.deepStrictEqual(yield* ids({ space: blog }), [])
        assert.deepStrictEqual(yield* ids({ title: "ZURICH" }), [other])
        assert.deepStrictEqual(yield* ids({ published: true }), [other])
        assert.deepStrictEqual(yield* ids({ published: false }), [site])
        // The filter by a space reveals nothing about a space that the actor does not see.
        yield* (yield* Spaces).update(guide, { defaultLevel: null })
        assert.deepStrictEqual(yield* ids({ space: guide }).pipe(as(people.read)), [])
      })
    )

    rule("keep their spaces when they are removed, and lose trashed spaces", () =>
      Effect.gen(function* () {
        const { org, site, guide, reference } = yield* siteWithMembers
        const [sites, spaces] = [yield* Sites, yield* Spaces]
        yield* spaces.remove(guide)
        assert.deepStrictEqual(yield* outlineOf(org, site, {}), ["reference"])
        yield* spaces.restore(guide)
        assert.deepStrictEqual(yield* outlineOf(org, site, {}), ["guide", "reference"])
        yield* sites.remove(org, site)
        for (const space of [guide, reference]) assert.strictEqual((yield* spaces.get(space)).id, space)
        assert.strictEqual(yield* outcome((yield* SiteSpaces).list(org, site, {})), "SiteNotFound")
        assert.strictEqual(yield* outcome(sites.get(org, "missing" as SiteId)), "SiteNotFound")
      })
    )
  })
}
