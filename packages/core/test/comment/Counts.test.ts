/**
 * Whatever several people do at the same time, what is counted and listed is what a model says that
 * is told nothing but which calls have succeeded.
 */
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import type { CommentId } from "@lectern/core/comment/Comment"
import { Comments } from "@lectern/core/comment/Comments"
import type { CommentScope } from "@lectern/core/comment/CommentScopes"
import { Spaces } from "@lectern/core/space/Spaces"
import type { UserId } from "@lectern/core/user/User"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import * as fc from "fast-check"
import { onEach } from "../Adapters.ts"
import { actor, adapters, type Services } from "../Instances.ts"
import { as, discussion } from "./Discussion.ts"
import { runs } from "../Runs.ts"

const emoji = ["👍", "❤️", "🎉"] as const

const step = fc.record({
  kind: fc.constantFrom(
    "post",
    "post",
    "reply",
    "reply",
    "resolve",
    "reopen",
    "react",
    "unreact",
    "delete",
    "deleteReply"
  ),
  inChangeRequest: fc.boolean(),
  at: fc.nat(5),
  other: fc.nat(3),
  emoji: fc.constantFrom(...emoji)
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Steps of four people, each one after another, all people at once. */
const round = fc.tuple(...Array.from({ length: 4 }, () => fc.array(step, { maxLength: 5 })))

interface Told {
  readonly id: CommentId
  readonly author: UserId
  readonly scope: CommentScope
  /** The comment that it replies to. */
  readonly to?: CommentId
  readonly reactions: Map<string, Set<UserId>>
}

interface Model {
  readonly comments: Map<CommentId, Told>
  readonly replies: Map<CommentId, Told>
}

const pick = <A>(items: Iterable<A>, at: number): A | undefined => {
  const all = [...items]
  return all[at % Math.max(all.length, 1)]
}

const take = Effect.fnUntraced(function* (
  model: Model,
  scopes: readonly [CommentScope, CommentScope],
  user: UserId,
  admin: UserId,
  { kind, inChangeRequest, at, other, emoji }: Step
) {
  const comments = yield* Comments
  const scope = scopes[inChangeRequest ? 1 : 0]
  const comment = pick(
    [...model.comments.values()].filter((one) => one.scope === scope),
    at
  )
  const reply = pick(
    [...model.replies.values()].filter(({ to }) => to === comment?.id),
    other
  )
  const body = { markdown: `Said ${at}` }
  // Where a reply is meant and there is one, its reactions; else those of the comment.
  const target = other % 2 === 0 ? reply : undefined
  const react = (changes: {
    readonly addedReactions?: ReadonlyArray<string>
    readonly removedReactions?: ReadonlyArray<string>
  }) =>
    target === undefined
      ? comments.update(scope, comment!.id, changes)
      : comments.updateReply(scope, comment!.id, target.id, changes)
  const reactions = (target ?? comment)?.reactions
  switch (kind) {
    case "post": {
      const { id } = yield* comments.post(scope, { body })
      model.comments.set(id, { id, author: user, scope, reactions: new Map() })
      return
    }
    case "reply": {
      if (comment === undefined) return
      const { id } = yield* comments.postReply(scope, comment.id, { body })
      model.replies.set(id, { id, author: user, scope, to: comment.id, reactions: new Map() })
      return
    }
    case "resolve":
    case "reopen":
      if (comment !== undefined) yield* comments.update(scope, comment.id, { resolved: kind === "resolve" })
      return
    case "react":
      if (comment === undefined) return
      yield* react({ addedReactions: [emoji, emoji] })
      reactions!.set(emoji, (reactions!.get(emoji) ?? new Set()).add(user))
      return
    case "unreact":
      if (comment === undefined) return
      yield* react({ removedReactions: [emoji] })
      reactions!.get(emoji)?.delete(user)
      return
    case "delete":
      if (comment === undefined) return
      yield* comments.remove(scope, comment.id).pipe(as(admin))
      model.comments.delete(comment.id)
      return
    case "deleteReply":
      if (comment === undefined || reply === undefined) return
      yield* comments.removeReply(scope, comment.id, reply.id).pipe(as(admin))
      model.replies.delete(reply.id)
  }
})

const reactionsOf = (
  reactions: ReadonlyArray<{ emoji: string; count: number; users: ReadonlyArray<{ user: { id: UserId } }> }>
) =>
  reactions
    .map(({ emoji, count, users }) => {
      assert.strictEqual(count, users.length)
      return [emoji, users.map(({ user }) => user.id).toSorted()] as const
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const expectedReactions = ({ reactions }: Told) =>
  [...reactions]
    .filter(([, users]) => users.size > 0)
    .map(([emoji, users]) => [emoji, [...users].toSorted()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const agree = Effect.fnUntraced(function* (model: Model, scope: CommentScope, everyone: ReadonlyArray<UserId>) {
  const comments = yield* Comments
  const expected = [...model.comments.values()].filter((one) => one.scope === scope)
  const { items, count } = yield* comments.list(scope, { limit: 1000 })
  assert.strictEqual(count, expected.length)
  assert.sameMembers(
    items.map(({ id }) => id),
    expected.map(({ id }) => id)
  )
  const space = yield* (yield* Spaces).get(scope.space)
  const open =
    scope.changeRequest === undefined
      ? space.comments
      : (yield* (yield* ChangeRequests).get(scope.space, scope.changeRequest)).comments
  assert.strictEqual(open, items.filter(({ status }) => status === "open").length)
  assert.strictEqual((yield* comments.list(scope, { status: "open" })).count, open)
  const authors = new Set<UserId>()
  for (const item of items) {
    const told = model.comments.get(item.id)!
    authors.add(told.author)
    assert.strictEqual(item.postedBy.id, told.author)
    assert.deepStrictEqual(reactionsOf(item.reactions), expectedReactions(told))
    assert.strictEqual(item.status === "resolved", item.resolvedAt !== undefined && item.resolvedBy !== undefined)
    const answers = [...model.replies.values()].filter(({ to }) => to === item.id)
    const listed = yield* comments.listReplies(scope, item.id, { limit: 1000 })
    assert.strictEqual(item.replies, answers.length)
    assert.strictEqual(listed.count, answers.length)
    assert.sameMembers(
      listed.items.map(({ id }) => id),
      answers.map(({ id }) => id)
    )
    for (const answer of listed.items) {
      const said = model.replies.get(answer.id)!
      authors.add(said.author)
      assert.deepStrictEqual(reactionsOf(answer.reactions), expectedReactions(said))
    }
  }
  const commenters = yield* (yield* Comments).commenters(scope, {})
  assert.sameMembers(
    commenters.items.map(({ id }) => id),
    [...authors]
  )
  if (scope.changeRequest === undefined) return
  for (const contributor of everyone) {
    const found = yield* (yield* ChangeRequests).list(scope.space, { status: ["all"], contributor })
    // Who has commented once is known to have taken part, also when the comment is gone.
    if (authors.has(contributor)) assert.strictEqual(found.count, 1)
  }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Counts of comments (${name})`, () => {
    it.effect("are exact, whatever several people do at once", () =>
      Effect.gen(function* () {
        const context = yield* Layer.build(services as Layer.Layer<Services>)
        const property = fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), (rounds) =>
          Effect.gen(function* () {
            const { people, space, cr } = yield* begun
            const scopes = [{ space }, { space, changeRequest: cr }] as const
            const model: Model = { comments: new Map(), replies: new Map() }
            const talking = [people.comment, people.second, people.edit, people.review]
            for (const all of rounds) {
              yield* Effect.forEach(
                all,
                Effect.fnUntraced(function* (steps, at) {
                  for (const step of steps) {
                    const done = yield* Effect.result(
                      take(model, scopes, talking[at]!, people.admin, step).pipe(as(talking[at]!))
                    )
                    if (Result.isFailure(done)) assert.strictEqual(done.failure._tag, "CommentNotFound")
                    yield* Effect.yieldNow
                  }
                }),
                { concurrency: "unbounded" }
              )
              // What was deleted has taken its replies along, those too that came while it was deleted.
              for (const { id, to } of model.replies.values()) {
                if (!model.comments.has(to!)) model.replies.delete(id)
              }
              for (const scope of scopes) yield* agree(model, scope, talking)
            }
          }).pipe(Effect.provide(context), Effect.runPromise)
        )
        yield* Effect.promise(() => fc.assert(property, runs(12, 50)))
      }).pipe(Effect.scoped, Effect.provide(actor))
    )
  })
}

let made = 0
/** Each run in an organization of its own, of people of its own. */
const begun = Effect.suspend(() => discussion(`run-${made++}`))
