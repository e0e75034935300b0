import { Searches } from "@lectern/core/search/Searches"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

/** The spaces One and Two with a page about owls each, and a space of another organization. */
const searchable = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const spaces = yield* Spaces
  const create = Effect.fnUntraced(function* (organization: typeof org, title: string) {
    const { id } = yield* spaces.create(organization, { title })
    yield* publish(id, [{ operation: "insert_page", title: `Owls of ${title}` }])
    return id
  })
  const [one, two] = [yield* create(org, "One"), yield* create(org, "Two")]
  yield* create(elsewhere, "Three")
  const searches = yield* Searches
  const found = Effect.map(searches.organization(org, "owls", {}), ({ items }) =>
    items.map(({ title }) => title).toSorted()
  )
  return { org, people, one, two, spaces, searches, found }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Searches of organizations (${name})`, () => {
    const rule = ruleOn(services)

    rule("find pages of all spaces of the organization, grouped by space", () =>
      Effect.gen(function* () {
        const { org, searches } = yield* searchable
        const { items } = yield* searches.organization(org, "owls", {})
        assert.sameDeepMembers(
          items.map(({ type, title, pages }) => [type, title, pages.map((page) => page.title)]),
          [
            ["space", "One", ["Owls of One"]],
            ["space", "Two", ["Owls of Two"]]
          ]
        )
      })
    )

    rule("find only pages of spaces that the actor reads", () =>
      Effect.gen(function* () {
        const { people, two, spaces, found } = yield* searchable
        yield* spaces.update(two, { defaultLevel: null })
        assert.deepStrictEqual(yield* found, ["One", "Two"])
        assert.deepStrictEqual(yield* found.pipe(as(people.read)), ["One"])
        assert.deepStrictEqual(yield* found.pipe(as(people.guest)), [])
      })
    )

    rule("are for members of the organization", () =>
      Effect.gen(function* () {
        const { org, people, searches } = yield* searchable
        assert.deepStrictEqual(yield* outcomes(people, searches.organization(org, "owls", {})), {
          ok: "host admin create review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
      })
    )

    rule("find nothing in spaces in the trash", () =>
      Effect.gen(function* () {
        const { one, spaces, found } = yield* searchable
        yield* spaces.remove(one)
        assert.deepStrictEqual(yield* found, ["Two"])
        yield* spaces.restore(one)
        assert.deepStrictEqual(yield* found, ["One", "Two"])
      })
    )

    rule("rank pages across all spaces, page by page", () =>
      Effect.gen(function* () {
        const { org, searches } = yield* searchable
        const first = yield* searches.organization(org, "owls", { limit: 1 })
        const second = yield* searches.organization(org, "owls", { limit: 1, page: first.next!.page })
        const ranks = [first, second].flatMap(({ items }) =>
          items.flatMap(({ pages }) => pages.map(({ rank }) => rank))
        )
        assert.deepStrictEqual(ranks, [1, 2])
        assert.strictEqual(yield* outcome(searches.organization(org, "owls", { page: "invalid" })), "InvalidCursor")
      })
    )
  })
}
