/** Reviews of a change request, and who is asked for them, over HTTP. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import * as DiscussionShapes from "../DiscussionShapes.ts"
import { answers, Harness, has, type Person, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace, getChangeRequest, insertPage, merge, openChangeRequest, write } from "../Steps.ts"

const List = Shapes.listOf(DiscussionShapes.Review)

export const reviewOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("asks for reviews, takes them, and tells which are outdated", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id, number } = yield* openChangeRequest(space, {}, "edit")
      const path = `/v1/spaces/${space}/change-requests/${number}`
      const ask = (by: Person, input: Record<string, unknown>) => call(by, "POST", `${path}/requested-reviewers`, input)
      const submit = (by: Person, input: Record<string, unknown>) => call(by, "POST", `${path}/reviews`, input)
      const review = (by: Person, input: Record<string, unknown>) =>
        submit(by, input).pipe(answers(201, DiscussionShapes.Review))
      const list = (query = "") => call("read", "GET", `${path}/reviews${query}`).pipe(answers(200, List))
      const outdated = Effect.map(list(), ({ items }) => items.map((item) => item.outdated))

      // Who may comment reviews what it is asked to.
      yield* submit("comment", { status: "approved" }).pipe(refused(403))
      const asked = yield* ask("edit", { users: [users.comment, users.review], subject: "Ready" }).pipe(
        answers(200, DiscussionShapes.RequestedReviewers)
      )
      assert.deepStrictEqual(
        asked.users.map(({ user, requestedBy }) => [user.id, requestedBy.id]),
        [users.comment, users.review].map((user) => [user, users.edit])
      )
      assert.strictEqual((yield* getChangeRequest(space, id)).subject, "Ready")
      const waitingFor = (person: "comment" | "review") =>
        Effect.forEach([`/v1/orgs/${organization}`, `/v1/spaces/${space}`], (list) =>
          call("read", "GET", `${list}/change-requests?status=all&reviewer=${users[person]}`).pipe(
            answers(200, Shapes.listOf(Shapes.ChangeRequest)),
            Effect.map(({ count }) => count)
          )
        )
      assert.deepStrictEqual(yield* waitingFor("comment"), [1, 1])
      const first = yield* review("comment", {
        status: "changes-requested",
        comment: { markdown: "Not _quite_" }
      })
      assert.strictEqual(first.requestedBy?.id, users.edit)
      assert.strictEqual(first.comment?.target.review, first.id)
      assert.deepStrictEqual(first.comment?.body, { markdown: "Not _quite_" })
      assert.strictEqual((yield* getChangeRequest(space, id)).comments, 1)
      const contributed = yield* call(
        "read",
        "GET",
        `/v1/spaces/${space}/change-requests?status=all&contributor=${users.comment}`
      ).pipe(answers(200, Shapes.listOf(Shapes.ChangeRequest)))
      assert.strictEqual(contributed.count, 1)
      assert.deepStrictEqual([yield* waitingFor("comment"), yield* waitingFor("review")].flat(), [0, 0, 1, 1])

      yield* review("review", { status: "approved" })
      assert.deepStrictEqual(yield* outdated, [false, false])
      const second = yield* review("comment", { status: "approved" })
      assert.deepStrictEqual(yield* outdated, [false, false, true])
      // Asked again, what it said before no longer counts.
      yield* ask("edit", { users: [users.review] }).pipe(has(200))
      assert.deepStrictEqual(yield* outdated, [false, true, true])
      assert.deepStrictEqual(
        (yield* list("?outdated=false")).items.map((item) => item.id),
        [second.id]
      )
      yield* write(space, id, [insertPage("New")], "edit")
      assert.deepStrictEqual(yield* outdated, [true, true, true])
      const one = yield* call("read", "GET", `${path}/reviews/${first.id}?format=document`).pipe(
        answers(200, DiscussionShapes.Review)
      )
      assert.isDefined(one.comment?.body.document)

      const requested = Effect.map(
        call("read", "GET", `${path}/requested-reviewers`).pipe(
          answers(200, Shapes.listOf(DiscussionShapes.RequestedReviewer))
        ),
        ({ items }) => items.map(({ user }) => user.id)
      )
      assert.sameMembers(yield* requested, [users.comment, users.review])
      yield* call("comment", "DELETE", `${path}/requested-reviewers/${users.comment}`).pipe(refused(403))
      yield* call("edit", "DELETE", `${path}/requested-reviewers/${users.comment}`).pipe(has(204))
      yield* call("edit", "DELETE", `${path}/requested-reviewers/${users.comment}`).pipe(has(204))
      assert.deepStrictEqual(yield* requested, [users.review])
      yield* submit("comment", { status: "approved" }).pipe(refused(403))

      yield* merge(space, id)
      yield* submit("review", { status: "approved" }).pipe(refused(409))
      yield* ask("review", { users: [users.comment] }).pipe(refused(409))
    })
  )

  it.effect("refuses reviews and reviewers that are none, and keeps nothing of them", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}/change-requests/${id}`
      for (const input of [
        {},
        { status: "rejected" },
        { status: "approved", comment: "fine" },
        { status: "approved", comment: { document: 1 } }
      ]) {
        yield* call("review", "POST", `${path}/reviews`, input).pipe(refused(400))
      }
      for (const input of [
        {},
        { users: [] },
        { users: [users.outsider] },
        // Who may only read can't review.
        { users: [users.comment, users.read] },
        { users: [users.comment], subject: "x".repeat(101) },
        { users: [users.comment], description: 1 }
      ]) {
        yield* call("review", "POST", `${path}/requested-reviewers`, input).pipe(refused(400))
      }
      const list = yield* call("read", "GET", `${path}/requested-reviewers`).pipe(
        answers(200, Shapes.listOf(DiscussionShapes.RequestedReviewer))
      )
      assert.strictEqual(list.count, 0)
      assert.strictEqual((yield* call("read", "GET", `${path}/reviews`).pipe(answers(200, List))).count, 0)
      yield* call("read", "GET", `${path}/reviews/none`).pipe(refused(404))
      yield* call("outsider", "GET", `${path}/reviews`).pipe(refused(404))
    })
  )
}
