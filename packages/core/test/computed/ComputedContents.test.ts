import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import { Contents } from "@lectern/core/content/Contents"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { OpenApiSpecs } from "@lectern/core/openapi/OpenApiSpecs"
import { Searches } from "@lectern/core/search/Searches"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

const specOf = (...operations: ReadonlyArray<string>): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Zoo", version: "1", description: "All about the zoo." },
    tags: [{ name: "animals" }],
    paths: Object.fromEntries(
      operations.map((summary) => [
        `/${summary.toLowerCase().replaceAll(" ", "-")}`,
        { get: { tags: ["animals"], summary, responses: { "200": { description: "Fine" } } } }
      ])
    )
  })

const insertComputed = {
  operation: "insert_page",
  type: "computed",
  title: "API",
  ref: "api",
  computed: {
    type: "builtin:openapi",
    dependencies: { spec: { ref: { kind: "openapi", spec: "zoo" } } },
    props: { models: false }
  }
} as const satisfies ContentChange

/** A space with a computed page of the spec `zoo`, which does not exist yet. */
const ready = Effect.gen(function* () {
  const { org } = yield* members
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const api = (yield* publish(space, [insertComputed])).get("api")!
  const [specs, contents] = [yield* OpenApiSpecs, yield* Contents]
  const put = (...operations: ReadonlyArray<string>) =>
    Effect.andThen(
      specs.put(org, "zoo", { source: { text: specOf(...operations) } }),
      Effect.flatMap(JobWorker, ({ runDue }) => runDue)
    )
  const located = contents.locate({ space })
  const page = (id: string) =>
    Effect.gen(function* () {
      const found = yield* contents.page(yield* located, id, { format: "markdown" })
      return "markdown" in found && typeof found.markdown === "string" ? found.markdown : ""
    })
  /** The computed page and the pages below it: path and id. */
  const pages = Effect.gen(function* () {
    const [root] = (yield* contents.pages(yield* located, {})).pages as ReadonlyArray<{
      readonly path: string
      readonly id: string
      readonly pages?: ReadonlyArray<{ readonly path: string; readonly id: string }>
    }>
    return [root!, ...(root!.pages ?? [])].map(({ path, id }) => [path, id] as const)
  })
  return { org, space, api, specs, put, page, pages }
})

for (const [name, services] of onEach(adapters)) {
  describe(`ComputedContents (${name})`, () => {
    const rule = ruleOn(services)

    rule("have a page for each tag of the spec below the computed page", () =>
      Effect.gen(function* () {
        const { api, put, page, pages } = yield* ready
        yield* put("List animals")
        const [root, animals] = yield* pages
        assert.deepStrictEqual([root, animals?.[0]], [["api", api], "api/animals"])
        assert.include(yield* page(api), "All about the zoo.")
        assert.include(yield* page(animals![1]), "List animals")
      })
    )

    rule("follow new versions of the spec, with the same ids and without a write to the space", () =>
      Effect.gen(function* () {
        const { space, put, page, pages } = yield* ready
        yield* put("List animals")
        const before = yield* pages
        const { revision } = yield* (yield* Spaces).get(space)
        yield* put("Feed animals")
        assert.deepStrictEqual(yield* pages, before)
        const markdown = yield* page(before[1]![1])
        assert.include(markdown, "Feed animals")
        assert.notInclude(markdown, "List animals")
        assert.strictEqual((yield* (yield* Spaces).get(space)).revision, revision)
      })
    )

    rule("state that the spec is missing, with no pages below", () =>
      Effect.gen(function* () {
        const { org, api, specs, put, page, pages } = yield* ready
        assert.deepStrictEqual(yield* pages, [["api", api]])
        assert.include(yield* page(api), "missing")
        yield* put("List animals")
        assert.strictEqual((yield* pages).length, 2)
        yield* specs.remove(org, "zoo")
        assert.deepStrictEqual(yield* pages, [["api", api]])
        assert.include(yield* page(api), "missing")
      })
    )

    rule("are found by a search, by the operations of the last version", () =>
      Effect.gen(function* () {
        const { space, put } = yield* ready
        const searches = yield* Searches
        const found = (query: string) =>
          Effect.map(searches.space(space, query, {}), ({ items }) => items.map(({ path }) => path))
        yield* put("List animals")
        assert.include(yield* found("list"), "api/animals")
        yield* put("Feed animals")
        assert.notInclude(yield* found("list"), "api/animals")
        assert.include(yield* found("feed"), "api/animals")
      })
    )
  })
}
