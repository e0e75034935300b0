import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Links } from "@lectern/core/link/Links"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

const everyReader = { ok: "host admin create review edit comment read", SpaceNotFound: "guest outsider" }

/** A page that links to another page, to a missing one, to a website, to another space, and shows a file. */
const linked = Effect.gen(function* () {
  const { org, people } = yield* members
  const spaces = yield* Spaces
  const [{ id: space }, { id: other }] = [yield* spaces.create(org, {}), yield* spaces.create(org, {})]
  const file = { name: "a.png", ref: "file", base64: "iVBORw0KGgo=" }
  const before = yield* publish(space, [
    { operation: "insert_files", files: [file] },
    { operation: "insert_page", title: "Target", ref: "target" }
  ])
  const target = before.get("target")!
  const paragraph = (ref: object) => ({
    object: "block",
    type: "paragraph",
    nodes: [
      {
        object: "inline",
        type: "link",
        data: { ref },
        nodes: [{ object: "text", leaves: [{ object: "leaf", text: "x", marks: [] }] }]
      }
    ]
  })
  const document = {
    object: "document",
    data: {},
    nodes: [
      paragraph({ kind: "page", page: target }),
      paragraph({ kind: "page", page: "missing" }),
      paragraph({ kind: "url", url: "https://example.com/" }),
      paragraph({ kind: "space", space: other })
    ]
  }
  const pages = yield* publish(space, [
    { operation: "insert_page", title: "Source", ref: "source", document: { document } }
  ])
  return { people, space, other, target, source: pages.get("source")!, links: yield* Links, spaces }
})

const statuses = (space: SpaceId, params: object = {}) =>
  Effect.flatMap(Links, (links) =>
    Effect.map(links.ofSpace({ space }, params), ({ items }) =>
      Object.fromEntries<string>(items.map(({ ref, status }) => [ref.kind === "page" ? ref.page : ref.kind, status]))
    )
  )

for (const [name, services] of onEach(adapters)) {
  describe(`Links (${name})`, () => {
    const rule = ruleOn(services)

    rule("have a status: broken if the target does not exist", () =>
      Effect.gen(function* () {
        const { space, target, links } = yield* linked
        const expected = { [target]: "ok", missing: "broken", url: "ok", space: "ok" }
        assert.deepStrictEqual(yield* statuses(space), expected)
        assert.deepStrictEqual(yield* statuses(space, { status: "broken" }), { missing: "broken" })
        const { stats } = yield* links.ofSpace({ space }, { status: "broken" })
        assert.deepStrictEqual(stats, { total: 4, broken: { total: 1 } })
      })
    )

    rule("are broken for an actor who does not see the target", () =>
      Effect.gen(function* () {
        const { people, space, other, spaces } = yield* linked
        yield* spaces.update(other, { defaultLevel: null })
        assert.deepInclude(yield* statuses(space).pipe(as(people.read)), { space: "broken" })
        assert.deepInclude(yield* statuses(space).pipe(as(people.admin)), { space: "ok" })
        yield* spaces.remove(other)
        assert.deepInclude(yield* statuses(space).pipe(as(people.admin)), { space: "broken" })
      })
    )

    rule("are listed for the space and for a page, with their locations", () =>
      Effect.gen(function* () {
        const { space, source, target, links } = yield* linked
        const { items } = yield* links.ofPage({ space }, source, {})
        assert.strictEqual(items.length, 4)
        for (const { locationReferences, locationCount } of items) {
          const [location] = locationReferences
          assert.strictEqual(location?.kind === "page" && location.page.id, source)
          assert.strictEqual(locationCount, 1)
        }
        assert.strictEqual((yield* links.ofPage({ space }, target, {})).count, 0)
        assert.strictEqual(yield* outcome(links.ofPage({ space }, "missing", {})), "ContentPageNotFound")
      })
    )

    rule("point back to a page from the pages that link to it", () =>
      Effect.gen(function* () {
        const { space, source, target, links } = yield* linked
        const { items } = yield* links.toPage({ space }, target, {})
        assert.deepStrictEqual(
          items.map((item) => item.kind === "page" && item.page.id),
          [source]
        )
        assert.strictEqual((yield* links.toPage({ space }, source, {})).count, 0)
        assert.strictEqual(yield* outcome(links.toPage({ space }, "missing", {})), "ContentPageNotFound")
        assert.strictEqual(yield* outcome(links.toFile({ space }, "missing", {})), "FileNotFound")
      })
    )

    rule("of a change request count the links that it breaks", () =>
      Effect.gen(function* () {
        const { space, target, links } = yield* linked
        const { id } = yield* (yield* ChangeRequests).create(space, {})
        const scope = { space, changeRequest: id }
        const stats = Effect.map(links.ofSpace(scope, {}), (list) => list.stats.broken)
        assert.deepStrictEqual(yield* stats, { total: 1, changeRequest: 0 })
        yield* (yield* ChangeRequestContents).write(space, id, [{ operation: "delete_page", page: target }])
        assert.deepStrictEqual(yield* stats, { total: 2, changeRequest: 1 })
        assert.deepInclude(yield* statuses(space), { [target]: "ok" })
        const missing = { space, changeRequest: "missing" }
        assert.strictEqual(yield* outcome(links.ofSpace(missing, {})), "ChangeRequestNotFound")
      })
    )

    rule("are listed for everyone who reads the space", () =>
      Effect.gen(function* () {
        const { people, space, source, links } = yield* linked
        for (const read of [links.ofSpace({ space }, {}), links.ofPage({ space }, source, {})]) {
          assert.deepStrictEqual(yield* outcomes(people, read), everyReader)
        }
        assert.deepStrictEqual(yield* outcomes(people, links.toPage({ space }, source, {})), everyReader)
      })
    )
  })
}
