import { CommentTable, maxReplies, type CommentId } from "@lectern/core/comment/Comment"
import { Comments } from "@lectern/core/comment/Comments"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { as, discussion } from "./Discussion.ts"

const text = (markdown: string) => ({ body: { markdown } })

/** A comment of the member `comment` on a change request. */
const commented = Effect.gen(function* () {
  const { people, space, cr } = yield* discussion()
  const scope = { space, changeRequest: cr }
  const comments = yield* Comments
  const { id } = yield* comments.post(scope, text("Why?")).pipe(as(people.comment))
  return { people, space, scope, id, comments }
})

for (const [name, services] of onEach(adapters)) {
  describe(`CommentReplies (${name})`, () => {
    const rule = ruleOn(services)

    rule("are posted from the level comment on, and listed oldest first", () =>
      Effect.gen(function* () {
        const { people, scope, id, comments } = yield* commented
        const posts = yield* outcomes(people, (actor) => comments.postReply(scope, id, text(actor)))
        assert.deepStrictEqual(posts, { ok: "host admin review edit comment second", Forbidden: "read" })
        const { items } = yield* comments.listReplies(scope, id, {}).pipe(as(people.read))
        assert.deepStrictEqual(
          items.map(({ body }) => body),
          ["host", "admin", "review", "edit", "comment", "second"].map((markdown) => ({ markdown }))
        )
      })
    )

    rule("count with their authors on the comment", () =>
      Effect.gen(function* () {
        const { people, scope, id, comments } = yield* commented
        const { id: first } = yield* comments.postReply(scope, id, text("1")).pipe(as(people.second))
        yield* comments.postReply(scope, id, text("2")).pipe(as(people.second))
        const counted = Effect.map(comments.get(scope, id), (one) => [
          one.replies,
          one.repliers.map(({ user, count }) => [user.id, count])
        ])
        assert.deepStrictEqual(yield* counted, [2, [[people.second, 2]]])
        yield* comments.removeReply(scope, id, first)
        assert.deepStrictEqual(yield* counted, [1, [[people.second, 1]]])
      })
    )

    rule("are changed by their author only, and deleted by administrators too", () =>
      Effect.gen(function* () {
        const { people, scope, id, comments } = yield* commented
        const { id: reply } = yield* comments.postReply(scope, id, text("Because")).pipe(as(people.second))
        assert.deepStrictEqual(yield* outcomes(people, comments.updateReply(scope, id, reply, text("Edited"))), {
          ok: "host second",
          Forbidden: "admin review edit comment read"
        })
        const removes = yield* outcomes(people, () =>
          Effect.flatMap(comments.postReply(scope, id, text("Again")).pipe(as(people.second)), (made) =>
            comments.removeReply(scope, id, made.id)
          )
        )
        assert.deepStrictEqual(removes, { ok: "host admin second", Forbidden: "review edit comment read" })
      })
    )

    rule("resolve and reopen their comment", () =>
      Effect.gen(function* () {
        const { people, scope, id, comments } = yield* commented
        const { id: reply } = yield* comments.postReply(scope, id, text("Done")).pipe(as(people.second))
        for (const resolved of [true, false]) {
          yield* comments.updateReply(scope, id, reply, { resolved }).pipe(as(people.comment))
          assert.strictEqual((yield* comments.get(scope, id)).status, resolved ? "resolved" : "open")
        }
      })
    )

    rule("are present under their comment only", () =>
      Effect.gen(function* () {
        const { scope, id, comments } = yield* commented
        const { id: other } = yield* comments.post(scope, text("Other"))
        const { id: reply } = yield* comments.postReply(scope, id, text("Reply"))
        const missing = "missing" as CommentId
        for (const absent of [
          comments.getReply(scope, other, reply),
          comments.getReply(scope, id, missing),
          comments.getReply({ space: scope.space }, id, reply),
          comments.updateReply(scope, other, reply, text("X")),
          comments.listReplies(scope, missing, {}),
          comments.postReply(scope, missing, text("X")),
          comments.removeReply(scope, missing, reply)
        ]) {
          assert.strictEqual(yield* outcome(absent), "CommentNotFound")
        }
        yield* comments.removeReply(scope, other, reply)
        assert.strictEqual((yield* comments.getReply(scope, id, reply)).id, reply)
      })
    )

    rule("are removed once, and removed again without an error or an event", () =>
      Effect.gen(function* () {
        const { scope, id, comments } = yield* commented
        const { id: reply } = yield* comments.postReply(scope, id, text("Reply"))
        assert.deepStrictEqual(yield* emitted(comments.removeReply(scope, id, reply)), ["comment_reply_deleted"])
        assert.deepStrictEqual(yield* emitted(comments.removeReply(scope, id, reply)), [])
        assert.strictEqual((yield* comments.listReplies(scope, id, {})).count, 0)
      })
    )

    rule("emit an event for each change, and none for a patch that changes nothing", () =>
      Effect.gen(function* () {
        const { scope, id, comments } = yield* commented
        assert.deepStrictEqual(yield* emitted(comments.postReply(scope, id, text("Reply"))), ["comment_reply_posted"])
        const reply = (yield* comments.listReplies(scope, id, {})).items[0]!.id
        assert.deepStrictEqual(yield* emitted(comments.updateReply(scope, id, reply, text("Edited"))), [
          "comment_reply_updated"
        ])
        const resolve = comments.updateReply(scope, id, reply, { resolved: true })
        assert.deepStrictEqual(yield* emitted(resolve), ["comment_resolved"])
        assert.deepStrictEqual(yield* emitted(resolve), [])
      })
    )

    rule("reject invalid bodies, and more than 1,000", () =>
      Effect.gen(function* () {
        const { scope, id, comments } = yield* commented
        for (const [input, error] of [
          [text("x".repeat(20_001)), "InvalidInput"],
          [{}, "InvalidInput"],
          [{ body: { markdown: "x", document: {} } }, "InvalidComment"]
        ] as const) {
          assert.strictEqual(yield* outcome(comments.postReply(scope, id, input as ReturnType<typeof text>)), error)
        }
        yield* (yield* Storage).repository(CommentTable).update({ id }, { replies: maxReplies - 1 })
        yield* comments.postReply(scope, id, text("last"))
        assert.strictEqual(yield* outcome(comments.postReply(scope, id, text("late"))), "TooManyReplies")
      })
    )
  })
}
