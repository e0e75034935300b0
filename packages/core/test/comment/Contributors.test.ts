import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { Comments } from "@lectern/core/comment/Comments"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { as, discussion } from "./Discussion.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Contributors (${name})`, () => {
    const rule = ruleOn(services)

    rule("are users who edited, then users who commented, each with a count", () =>
      Effect.gen(function* () {
        const { people, space, cr } = yield* discussion()
        const [changeRequests, contents, comments] = [
          yield* ChangeRequests,
          yield* ChangeRequestContents,
          yield* Comments
        ]
        for (const title of ["A", "B"]) {
          yield* contents.write(space, cr, [{ operation: "insert_page", title }]).pipe(as(people.review))
        }
        for (const author of [people.comment, people.review]) {
          yield* comments.post({ space, changeRequest: cr }, { body: { markdown: "x" } }).pipe(as(author))
        }
        const { items } = yield* changeRequests.contributors(space, cr, {})
        const rows = items.map(({ user, count, actionType }) => [actionType, user.id, count])
        assert.deepStrictEqual(rows[0], ["edit", people.review, 2])
        assert.sameDeepMembers(rows.slice(1), [
          ["comment", people.comment, 1],
          ["comment", people.review, 1]
        ])
      })
    )

    rule("do not include edits that change nothing, and comments on the space", () =>
      Effect.gen(function* () {
        const { people, space, cr } = yield* discussion()
        const [changeRequests, comments] = [yield* ChangeRequests, yield* Comments]
        yield* (yield* ChangeRequestContents)
          .write(space, cr, [{ operation: "set_variables", variables: {} }])
          .pipe(as(people.review))
        yield* comments.post({ space }, { body: { markdown: "x" } }).pipe(as(people.comment))
        assert.strictEqual((yield* changeRequests.contributors(space, cr, {})).count, 0)
      })
    )

    rule("are visible to everyone who reads the space", () =>
      Effect.gen(function* () {
        const { people, space, cr } = yield* discussion()
        const changeRequests = yield* ChangeRequests
        assert.deepStrictEqual(yield* outcomes(people, changeRequests.contributors(space, cr, {})), {
          ok: "host admin review edit comment second read"
        })
        assert.strictEqual(yield* outcome(changeRequests.contributors(space, "missing", {})), "ChangeRequestNotFound")
      })
    )
  })
}
