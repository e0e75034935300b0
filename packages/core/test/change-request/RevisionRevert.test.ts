import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Contents } from "@lectern/core/content/Contents"
import { LiveContents } from "@lectern/core/content/live/LiveContents"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"

/** A space with two pages, then with one of them changed, one deleted, and a new one. */
const history = Effect.gen(function* () {
  const { org, people } = yield* members
  const live = yield* LiveContents
  const contents = yield* Contents
  const { id: space } = yield* (yield* Spaces).create(org, { title: "Guide" })
  const first = yield* live.write(space, [
    { operation: "insert_page", ref: "start", title: "Start", document: { markdown: "Old." } },
    { operation: "insert_page", ref: "refunds", title: "Refunds", document: { markdown: "Kept." } }
  ])
  const [start = "", refunds = ""] = first.changes.flatMap((change) =>
    change.object === "created_page" ? [String(change.page.id)] : []
  )
  yield* live.write(space, [
    { operation: "update_page", page: start, title: "Begin" },
    { operation: "delete_page", page: refunds },
    { operation: "insert_page", title: "News" }
  ])
  const titles = Effect.gen(function* () {
    const { pages } = yield* contents.pages(yield* contents.locate({ space }))
    return pages.map(({ title }) => title)
  })
  return { people, space, start, refunds, first: first.revision, titles, changeRequests: yield* ChangeRequests }
})

for (const [name, services] of onEach(adapters)) {
  describe(`ChangeRequests.revert (${name})`, () => {
    const rule = ruleOn(services)

    rule("returns a space to a revision when it is merged, and not before", () =>
      Effect.gen(function* () {
        const { space, first, titles, changeRequests } = yield* history
        const { id, status, subject } = yield* changeRequests.revert(space, first)
        assert.deepStrictEqual([status, subject], ["draft", `Revert to revision ${first}`])
        assert.deepStrictEqual(yield* titles, ["Begin", "News"])
        const merge = (yield* ChangeRequestContents).merge(space, id)
        assert.strictEqual((yield* merge).result, "merge")
        assert.deepStrictEqual(yield* titles, ["Start", "Refunds"])
        assert.strictEqual(yield* outcome(changeRequests.revert(space, first)), "ChangeRequestConflict")
      })
    )

    rule("keeps what others merge meanwhile", () =>
      Effect.gen(function* () {
        const { space, first, titles, changeRequests } = yield* history
        const { id } = yield* changeRequests.revert(space, first)
        yield* (yield* LiveContents).write(space, [{ operation: "insert_page", title: "Meanwhile" }])
        assert.strictEqual((yield* (yield* ChangeRequestContents).merge(space, id)).result, "merge")
        assert.sameMembers([...(yield* titles)], ["Start", "Refunds", "Meanwhile"])
      })
    )

    rule("returns single pages with their ids", () =>
      Effect.gen(function* () {
        const { space, first, refunds, titles, changeRequests } = yield* history
        const { id, subject } = yield* changeRequests.revert(space, first, {
          pages: [refunds],
          subject: "Refunds again"
        })
        assert.strictEqual(subject, "Refunds again")
        yield* (yield* ChangeRequestContents).merge(space, id)
        assert.sameMembers([...(yield* titles)], ["Begin", "News", "Refunds"])
        const contents = yield* Contents
        const { title } = yield* contents.page(yield* contents.locate({ space }), refunds)
        assert.strictEqual(title, "Refunds")
      })
    )

    rule("is refused for unknown revisions and pages, and to readers", () =>
      Effect.gen(function* () {
        const { people, space, first, start, changeRequests } = yield* history
        assert.strictEqual(yield* outcome(changeRequests.revert(space, "gone")), "RevisionNotFound")
        const refused = yield* Effect.flip(changeRequests.revert(space, first, { pages: [start, "gone"] }))
        assert.deepStrictEqual(refused._tag === "InvalidInput" && refused.issues, [
          { path: "body.pages[1]", message: "Expected a page of the space or of the revision" }
        ])
        assert.deepStrictEqual(yield* outcomes(people, changeRequests.revert(space, first)), {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )
  })
}
