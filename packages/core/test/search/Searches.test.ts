import { Searches } from "@lectern/core/search/Searches"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

/** A space with the page Owls, a page that mentions owls in a section, and a page without owls. */
const searchable = Effect.gen(function* () {
  const { org, people } = yield* members
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const pages = yield* publish(space, [
    { operation: "insert_page", title: "Owls", ref: "owls", document: { markdown: "They hunt at night." } },
    {
      operation: "insert_page",
      title: "Birds",
      ref: "birds",
      into: "owls",
      document: { markdown: "## Night\n\nOwls." }
    },
    { operation: "insert_page", title: "Fish", ref: "fish" }
  ])
  const searches = yield* Searches
  const titles = (query: string) =>
    Effect.map(searches.space(space, query, {}), ({ items }) => items.map(({ title }) => title))
  return { org, people, space, pages, searches, titles }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Searches (${name})`, () => {
    const rule = ruleOn(services)

    rule("rank a page with the words in its title before one with them in a section", () =>
      Effect.gen(function* () {
        const { space, searches, titles } = yield* searchable
        assert.deepStrictEqual(yield* titles("owls"), ["Owls", "Birds"])
        const { items } = yield* searches.space(space, "owls", {})
        assert.deepStrictEqual(
          items.map(({ rank, resultType }) => [rank, resultType]),
          [
            [1, "page"],
            [2, "section"]
          ]
        )
        assert.deepStrictEqual(items[1]!.ancestors, [{ title: "Owls" }])
        assert.deepStrictEqual(
          items[1]!.sections.map(({ title, path }) => [title, path]),
          [["Night", "owls/birds#night"]]
        )
      })
    )

    rule("find words in other cases, other forms, and incomplete at the end", () =>
      Effect.gen(function* () {
        const { titles } = yield* searchable
        for (const query of ["OWLS", "owl", "ow"]) {
          assert.include(yield* titles(query), "Owls", query)
        }
      })
    )

    rule("find nothing for a query without words, or with words that no page has", () =>
      Effect.gen(function* () {
        const { titles } = yield* searchable
        for (const query of ["?!", "  ", "submarine"]) assert.deepStrictEqual(yield* titles(query), [], query)
      })
    )

    rule("are for everyone who reads the space", () =>
      Effect.gen(function* () {
        const { people, space, searches } = yield* searchable
        assert.deepStrictEqual(yield* outcomes(people, searches.space(space, "owls", {})), {
          ok: "host admin create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )

    rule("find what is merged at once, and no longer what is deleted", () =>
      Effect.gen(function* () {
        const { space, pages, titles } = yield* searchable
        yield* publish(space, [
          { operation: "update_page", page: pages.get("fish")!, title: "Fish for owls" },
          { operation: "delete_page", page: pages.get("owls")! }
        ])
        assert.deepStrictEqual(yield* titles("owls"), ["Fish for owls"])
      })
    )

    rule("leave out pages that are hidden from the index", () =>
      Effect.gen(function* () {
        const { space, pages, titles } = yield* searchable
        yield* publish(space, [{ operation: "update_page", page: pages.get("birds")!, noIndex: true }])
        assert.deepStrictEqual(yield* titles("owls"), ["Owls"])
      })
    )

    rule("are listed page by page with the same ranks", () =>
      Effect.gen(function* () {
        const { space, searches } = yield* searchable
        const first = yield* searches.space(space, "owls", { limit: 1 })
        const second = yield* searches.space(space, "owls", { limit: 1, page: first.next!.page })
        assert.deepStrictEqual(
          [...first.items, ...second.items].map(({ title, rank }) => [title, rank]),
          [
            ["Owls", 1],
            ["Birds", 2]
          ]
        )
        const other = searches.space(space, "night", { page: first.next!.page })
        assert.strictEqual(yield* outcome(other), "InvalidCursor")
      })
    )
  })
}
