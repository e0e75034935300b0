import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Members } from "@lectern/core/organization/Members"
import { Reviews } from "@lectern/core/review/Reviews"
import { Spaces } from "@lectern/core/space/Spaces"
import type { UserId } from "@lectern/core/user/User"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

/** A change request of the member `edit`. */
const requested = Effect.gen(function* () {
  const { org, people } = yield* members
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const changeRequests = yield* ChangeRequests
  const { id } = yield* changeRequests.create(space, {}).pipe(as(people.edit))
  return { org, people, space, id, changeRequests, reviews: yield* Reviews }
})

for (const [name, services] of onEach(adapters)) {
  describe(`RequestedReviewers (${name})`, () => {
    const rule = ruleOn(services)

    rule("are requested and removed by whoever may change the change request", () =>
      Effect.gen(function* () {
        const { people, space, id, reviews } = yield* requested
        const expected = {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        }
        assert.deepStrictEqual(
          yield* outcomes(people, reviews.request(space, id, { users: [people.review] })),
          expected
        )
        const removes = outcomes(people, () =>
          Effect.andThen(
            reviews.request(space, id, { users: [people.review] }).pipe(as("host")),
            reviews.removeRequested(space, id, people.review)
          )
        )
        assert.deepStrictEqual(yield* removes, {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )

    rule("are members who may comment on the space, or no request is stored", () =>
      Effect.gen(function* () {
        const { people, space, id, reviews, changeRequests } = yield* requested
        const { read, guest, outsider, comment } = people
        for (const user of [read, guest, outsider, "missing" as typeof read]) {
          const request = reviews.request(space, id, { users: [comment, user], subject: "New" })
          assert.strictEqual(yield* outcome(request), "InvalidReviewer")
        }
        assert.strictEqual((yield* reviews.listRequested(space, id, {})).count, 0)
        assert.strictEqual((yield* changeRequests.get(space, id)).subject, "")
      })
    )

    rule("name the user who requests them, and may change the subject", () =>
      Effect.gen(function* () {
        const { people, space, id, reviews, changeRequests } = yield* requested
        const { users } = yield* reviews
          .request(space, id, { users: [people.comment, people.comment], subject: "New" })
          .pipe(as(people.edit))
        assert.deepStrictEqual(
          users.map(({ user, requestedBy }) => [user.id, requestedBy.id]),
          [[people.comment, people.edit]]
        )
        assert.strictEqual((yield* changeRequests.get(space, id)).subject, "New")
      })
    )

    rule("are limited to 1 to 100 users of a request", () =>
      Effect.gen(function* () {
        const { people, space, id, reviews } = yield* requested
        for (const users of [[], Array.from({ length: 101 }, () => people.review)]) {
          assert.strictEqual(yield* outcome(reviews.request(space, id, { users })), "InvalidInput")
        }
      })
    )

    rule("get an event for each request, and one for its removal", () =>
      Effect.gen(function* () {
        const { people, space, id, reviews, changeRequests } = yield* requested
        yield* changeRequests.update(space, id, { status: "open" })
        const request = reviews.request(space, id, { users: [people.review, people.comment] })
        assert.deepStrictEqual(yield* emitted(request), [
          "change_request_review_requested",
          "change_request_review_requested"
        ])
        const remove = reviews.removeRequested(space, id, people.review)
        assert.deepStrictEqual(yield* emitted(remove), ["change_request_review_request_removed"])
        assert.deepStrictEqual(yield* emitted(remove), [])
        assert.strictEqual((yield* reviews.listRequested(space, id, {})).count, 1)
      })
    )

    rule("are found by the change requests that wait for their reviews", () =>
      Effect.gen(function* () {
        const { org, people, space, id, reviews, changeRequests } = yield* requested
        const waiting = (reviewer: UserId) =>
          Effect.gen(function* () {
            const filter = { status: ["all"], reviewer } as const
            const ofSpace = (yield* changeRequests.list(space, filter)).items.map(({ number }) => number)
            const ofOrganization = (yield* changeRequests.listInOrganization(org, filter)).items
            assert.deepStrictEqual(
              ofOrganization.map(({ number }) => number),
              ofSpace
            )
            return ofSpace
          })
        yield* changeRequests.create(space, {})
        assert.deepStrictEqual(yield* waiting(people.review), [])
        const request = reviews.request(space, id, { users: [people.review, people.comment, people.review] })
        yield* request
        assert.deepStrictEqual(yield* waiting(people.review), [1])
        assert.deepStrictEqual(yield* waiting(people.comment), [1])
        assert.deepStrictEqual(yield* waiting(people.edit), [])
        yield* reviews.submit(space, id, { status: "changes-requested" }).pipe(as(people.review))
        assert.deepStrictEqual(yield* waiting(people.review), [])
        assert.deepStrictEqual(yield* waiting(people.comment), [1])
        // A review of somebody else, and of the host, leaves the others waiting.
        yield* reviews.submit(space, id, { status: "approved" })
        assert.deepStrictEqual(yield* waiting(people.comment), [1])
        yield* request
        assert.deepStrictEqual(yield* waiting(people.review), [1])
        yield* reviews.removeRequested(space, id, people.review)
        assert.deepStrictEqual(yield* waiting(people.review), [])
        yield* (yield* Members).remove(org, people.comment)
        assert.deepStrictEqual(yield* waiting(people.comment), [])
      })
    )

    rule("are visible to everyone who reads the space", () =>
      Effect.gen(function* () {
        const { people, space, id, reviews } = yield* requested
        assert.deepStrictEqual(yield* outcomes(people, reviews.listRequested(space, id, {})), {
          ok: "host admin create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
        assert.strictEqual(yield* outcome(reviews.listRequested(space, "missing", {})), "ChangeRequestNotFound")
      })
    )
  })
}
