import { Comments } from "@lectern/core/comment/Comments"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { as, discussion } from "./Discussion.ts"

const text = (markdown: string) => ({ body: { markdown } })

for (const [name, services] of onEach(adapters)) {
  describe(`Commenters (${name})`, () => {
    const rule = ruleOn(services)

    rule("list each author of comments and replies once, for each scope", () =>
      Effect.gen(function* () {
        const { people, space, cr } = yield* discussion()
        const comments = yield* Comments
        const { id } = yield* comments.post({ space }, text("1")).pipe(as(people.comment))
        yield* comments.post({ space }, text("2")).pipe(as(people.comment))
        yield* (yield* Comments).postReply({ space }, id, text("3")).pipe(as(people.second))
        yield* comments.post({ space, changeRequest: cr }, text("4")).pipe(as(people.edit))
        const ids = (scope: Parameters<typeof comments.commenters>[0]) =>
          Effect.map(comments.commenters(scope, {}), ({ items }) => items.map(({ user }) => user.id))
        assert.sameMembers(yield* ids({ space }), [people.comment, people.second])
        assert.deepStrictEqual(yield* ids({ space, changeRequest: cr }), [people.edit])
      })
    )

    rule("are listed page by page", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const comments = yield* Comments
        const authors = [people.comment, people.second, people.edit]
        for (const author of authors) yield* comments.post({ space }, text("x")).pipe(as(author))
        const first = yield* comments.commenters({ space }, { limit: 2 })
        const rest = yield* comments.commenters({ space }, { limit: 2, page: first.next!.page })
        assert.strictEqual(first.count, 3)
        assert.sameMembers(
          [...first.items, ...rest.items].map(({ user }) => user.id),
          authors
        )
        assert.strictEqual(yield* outcome(comments.commenters({ space }, { page: "invalid" })), "InvalidCursor")
      })
    )

    rule("are visible to everyone who reads the space", () =>
      Effect.gen(function* () {
        const { people, space, cr } = yield* discussion()
        const comments = yield* Comments
        for (const scope of [{ space }, { space, changeRequest: cr }]) {
          assert.deepStrictEqual(yield* outcomes(people, comments.commenters(scope, {})), {
            ok: "host admin review edit comment second read"
          })
        }
        const missing = { space, changeRequest: "missing" }
        assert.strictEqual(yield* outcome(comments.commenters(missing, {})), "ChangeRequestNotFound")
      })
    )
  })
}
