import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Comments } from "@lectern/core/comment/Comments"
import { EventId } from "@lectern/core/event/EventKind"
import { Events } from "@lectern/core/event/Events"
import { Members } from "@lectern/core/organization/Members"
import { maxReviews, type ReviewId, ReviewTable } from "@lectern/core/review/Review"
import { Reviews } from "@lectern/core/review/Reviews"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { onEach } from "../Adapters.ts"
import { adapters, type Services } from "../Instances.ts"
import { as, discussion } from "../comment/Discussion.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Reviews (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("are outdated by new content, by a newer review and by a newer request, each of its own reviewer", () =>
      Effect.gen(function* () {
        const reviews = yield* Reviews
        const { people, space, cr } = yield* discussion()
        const outdated = Effect.map(reviews.list(space, cr, {}), ({ items }) => items.map((one) => one.outdated))
        const approve = (by: "review" | "admin") =>
          reviews.submit(space, cr, { status: "approved" }).pipe(as(people[by]))
        yield* approve("review")
        yield* approve("admin")
        yield* approve("review")
        assert.deepStrictEqual(yield* outdated, [false, false, true])
        yield* (yield* Reviews).request(space, cr, { users: [people.admin, people.admin] })
        assert.deepStrictEqual(yield* outdated, [false, true, true])
        // Reviews by the host application are one reviewer's.
        yield* reviews.submit(space, cr, { status: "changes-requested" })
        yield* reviews.submit(space, cr, { status: "approved" })
        assert.deepStrictEqual(yield* outdated, [false, true, false, true, true])
        const write = (title: string) =>
          Effect.flatMap(ChangeRequestContents, (contents) =>
            contents.write(space, cr, [{ operation: "insert_page", title }])
          )
        yield* write("One")
        assert.deepStrictEqual(yield* outdated, [true, true, true, true, true])
        const { id } = yield* approve("review")
        assert.isFalse((yield* reviews.get(space, cr, id)).outdated)
        assert.strictEqual((yield* reviews.list(space, cr, { outdated: true })).count, 5)
        const page = yield* reviews.list(space, cr, { outdated: true, limit: 3 })
        const rest = yield* reviews.list(space, cr, { outdated: true, limit: 3, page: page.next!.page })
        assert.strictEqual(new Set([...page.items, ...rest.items].map((one) => one.id)).size, 5)
      }))

    test("come with a comment, which is the change request's", () =>
      Effect.gen(function* () {
        const reviews = yield* Reviews
        const comments = yield* Comments
        const { people, space, cr } = yield* discussion()
        const { id, comment } = yield* reviews
          .submit(space, cr, { status: "changes-requested", comment: { markdown: "Why?" } })
          .pipe(as(people.review))
        const scope = { space, changeRequest: cr }
        assert.deepStrictEqual((yield* comments.get(scope, comment!.id)).target.review, id)
        assert.strictEqual((yield* (yield* ChangeRequests).get(space, cr)).comments, 1)
        yield* comments.remove(scope, comment!.id).pipe(as(people.review))
        const after = yield* reviews.get(space, cr, id)
        assert.isUndefined(after.comment)
        assert.strictEqual(after.status, "changes-requested")
        const refused = yield* Effect.flip(
          reviews.submit(space, cr, { status: "approved", comment: { document: 1 } }).pipe(as(people.review))
        )
        assert.strictEqual(refused._tag, "InvalidComment")
        assert.strictEqual((yield* reviews.list(space, cr, {})).count, 1)
      }))

    test("are asked of who can give them, by who may change the change request", () =>
      Effect.gen(function* () {
        const reviews = yield* Reviews
        const { org, people, space } = yield* discussion()
        const changeRequests = yield* ChangeRequests
        const { id: cr } = yield* changeRequests.create(space, {}).pipe(as(people.edit))
        const submit = (by: keyof typeof people) =>
          reviews.submit(space, cr, { status: "approved" }).pipe(as(people[by]))
        for (const by of ["read", "comment", "edit"] as const) {
          assert.strictEqual((yield* Effect.flip(submit(by)))._tag, "Forbidden")
        }
        for (const by of ["read", "comment"] as const) {
          const refused = yield* Effect.flip(
            reviews.request(space, cr, { users: [people.comment] }).pipe(as(people[by]))
          )
          assert.strictEqual(refused._tag, "Forbidden")
        }
        const nobody = yield* Effect.flip(
          reviews.request(space, cr, { users: [people.comment, people.read], subject: "New" }).pipe(as(people.edit))
        )
        assert.strictEqual(nobody._tag, "InvalidReviewer")
        assert.strictEqual((yield* changeRequests.get(space, cr)).subject, "")
        yield* reviews.request(space, cr, { users: [people.comment], subject: "New" }).pipe(as(people.edit))
        assert.strictEqual((yield* changeRequests.get(space, cr)).subject, "New")
        assert.strictEqual((yield* submit("comment")).requestedBy?.id, people.edit)
        // A right to be asked is none to read: who loses the role has lost this too.
        yield* (yield* Members).changeRole(org, people.comment, "read")
        assert.strictEqual((yield* Effect.flip(submit("comment")))._tag, "Forbidden")
        yield* (yield* Members).changeRole(org, people.comment, null)
        assert.strictEqual((yield* Effect.flip(submit("comment")))._tag, "SpaceNotFound")
        yield* reviews.removeRequested(space, cr, people.comment).pipe(as(people.edit))
        yield* reviews.removeRequested(space, cr, people.comment).pipe(as(people.read))
        assert.strictEqual((yield* reviews.listRequested(space, cr, {})).count, 0)
      }))

    test("end with the change request, and are told of", () =>
      Effect.gen(function* () {
        const reviews = yield* Reviews
        const { people, space, cr } = yield* discussion()
        const changeRequests = yield* ChangeRequests
        yield* reviews.request(space, cr, { users: [people.comment] })
        yield* reviews.submit(space, cr, { status: "approved" })
        yield* reviews.removeRequested(space, cr, people.comment)
        const { events } = yield* (yield* Events).read({ after: EventId.make("") })
        assert.deepStrictEqual(
          events.map(({ type }) => type).filter((type) => type.includes("review")),
          ["change_request_review_requested", "change_request_reviewed", "change_request_review_request_removed"]
        )
        for (const end of [
          changeRequests.update(space, cr, { status: "archived" }),
          changeRequests
            .update(space, cr, { status: "open" })
            .pipe(Effect.andThen(Effect.flatMap(ChangeRequestContents, (contents) => contents.merge(space, cr))))
        ]) {
          yield* end as Effect.Effect<unknown, never, Services>
          for (const late of [
            reviews.submit(space, cr, { status: "approved" }),
            reviews.request(space, cr, { users: [people.comment] })
          ] as ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, Services>>) {
            assert.strictEqual((yield* Effect.flip(late))._tag, "ChangeRequestConflict")
          }
        }
        assert.strictEqual((yield* reviews.list(space, cr, {})).count, 1)
      }))

    test("are at most a thousand, and of one change request", () =>
      Effect.gen(function* () {
        const reviews = yield* Reviews
        const { space, cr } = yield* discussion()
        const { id } = yield* reviews.submit(space, cr, { status: "approved" })
        const other = yield* (yield* ChangeRequests).create(space, {})
        assert.strictEqual((yield* Effect.flip(reviews.get(space, other.id, id)))._tag, "ReviewNotFound")
        const table = (yield* Storage).repository(ReviewTable)
        const [row] = yield* table.list({ where: { id } })
        for (let i = 1; i < maxReviews; i++) yield* table.insert({ ...row!, id: `x${i}` as ReviewId })
        assert.strictEqual(
          (yield* Effect.flip(reviews.submit(space, cr, { status: "approved" })))._tag,
          "TooManyReviews"
        )
      }))
  })
}
