import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import type { ChangeRequestCreate } from "@lectern/core/change-request/ChangeRequest"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

const inSpace = Effect.gen(function* () {
  const { org, people } = yield* members
  const { id: space } = yield* (yield* Spaces).create(org, {})
  return { org, people, space, changeRequests: yield* ChangeRequests }
})

for (const [name, services] of onEach(adapters)) {
  describe(`ChangeRequests (${name})`, () => {
    const rule = ruleOn(services)

    rule("create a draft with the content of the space, and count it", () =>
      Effect.gen(function* () {
        const { space, people, changeRequests } = yield* inSpace
        const created = yield* changeRequests.create(space, { agentTaskId: "task" }).pipe(as(people.edit))
        assert.deepInclude(created, { number: 1, status: "draft", subject: "", agentTaskId: "task", outdated: false })
        assert.strictEqual(created.createdBy.id, people.edit)
        assert.strictEqual(created.revision, (yield* (yield* Spaces).get(space)).revision)
        assert.strictEqual((yield* changeRequests.create(space, { status: "open" })).number, 2)
        const {
          changeRequests: all,
          changeRequestsDraft: drafts,
          changeRequestsOpen: open
        } = yield* (yield* Spaces).get(space)
        assert.deepStrictEqual([all, drafts, open], [2, 1, 1])
      })
    )

    rule("are created from the level edit on", () =>
      Effect.gen(function* () {
        const { space, people, changeRequests } = yield* inSpace
        assert.deepStrictEqual(yield* outcomes(people, changeRequests.create(space, {})), {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )

    rule("are visible to everyone who reads the space", () =>
      Effect.gen(function* () {
        const { space, people, changeRequests } = yield* inSpace
        const { id } = yield* changeRequests.create(space, {})
        for (const read of [changeRequests.list(space, {}), changeRequests.get(space, id)]) {
          assert.deepStrictEqual(yield* outcomes(people, read), {
            ok: "host admin create review edit comment read",
            SpaceNotFound: "guest outsider"
          })
        }
      })
    )

    rule("are changed by their creator, and by others from the level review on", () =>
      Effect.gen(function* () {
        const { space, people, changeRequests } = yield* inSpace
        const { id } = yield* changeRequests.create(space, {}).pipe(as(people.edit))
        const { id: ofHost } = yield* changeRequests.create(space, {})
        const rename = (request: string) =>
          outcomes(people, (actor) => changeRequests.update(space, request, { subject: actor }))
        assert.deepStrictEqual(yield* rename(id), {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        })
        assert.deepStrictEqual(yield* rename(ofHost), {
          ok: "host admin create review",
          Forbidden: "edit comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )

    rule("are found by id and number, in their space only", () =>
      Effect.gen(function* () {
        const { org, space, changeRequests } = yield* inSpace
        const { id } = yield* changeRequests.create(space, {})
        const { id: other } = yield* (yield* Spaces).create(org, {})
        assert.strictEqual((yield* changeRequests.get(space, "1")).id, id)
        for (const missing of ["2", "0", "-1", "1.0", "missing", ""]) {
          assert.strictEqual(yield* outcome(changeRequests.get(space, missing)), "ChangeRequestNotFound", missing)
        }
        assert.strictEqual(yield* outcome(changeRequests.get(other, id)), "ChangeRequestNotFound")
      })
    )

    rule("reject invalid input without a change", () =>
      Effect.gen(function* () {
        const { space, changeRequests } = yield* inSpace
        const { id } = yield* changeRequests.create(space, {})
        const inputs: ReadonlyArray<readonly [object, string]> = [
          [{ subject: "x".repeat(101) }, "InvalidInput"],
          [{ subject: "two\nlines" }, "InvalidInput"],
          [{ status: "merged" }, "InvalidInput"],
          [{ description: { nodes: 1 } }, "InvalidChange"]
        ]
        for (const [input, error] of inputs) {
          assert.strictEqual(yield* outcome(changeRequests.create(space, input as ChangeRequestCreate)), error)
          assert.strictEqual(yield* outcome(changeRequests.update(space, id, input as ChangeRequestCreate)), error)
        }
        assert.strictEqual((yield* changeRequests.list(space, { status: ["all"] })).count, 1)
        assert.strictEqual((yield* changeRequests.create(space, { subject: "x".repeat(100) })).number, 2)
      })
    )

    rule("emit an event for each change, and none for a patch that changes nothing", () =>
      Effect.gen(function* () {
        const { space, changeRequests } = yield* inSpace
        assert.deepStrictEqual(yield* emitted(changeRequests.create(space, {})), ["change_request_created"])
        const rename = changeRequests.update(space, "1", { subject: "New" })
        assert.deepStrictEqual(yield* emitted(rename), ["change_request_updated"])
        assert.deepStrictEqual(yield* emitted(rename), [])
        assert.deepStrictEqual(yield* emitted(changeRequests.update(space, "1", {})), [])
        const submit = changeRequests.update(space, "1", { subject: "Newer", status: "open" })
        assert.deepStrictEqual(yield* emitted(submit), ["change_request_updated", "change_request_status_updated"])
        const archive = changeRequests.update(space, "1", { status: "archived" })
        assert.deepStrictEqual(yield* emitted(archive), ["change_request_status_updated"])
        assert.deepStrictEqual(yield* emitted(archive), [])
      })
    )

    rule("move between draft, open and archived; merged is final", () =>
      Effect.gen(function* () {
        const { space, changeRequests } = yield* inSpace
        const { id } = yield* changeRequests.create(space, {})
        const spaces = yield* Spaces
        for (const [status, drafts, open] of [
          ["open", 0, 1],
          ["archived", 0, 0],
          ["draft", 1, 0],
          ["open", 0, 1]
        ] as const) {
          assert.strictEqual((yield* changeRequests.update(space, id, { status })).status, status)
          const counted = yield* spaces.get(space)
          assert.deepStrictEqual([counted.changeRequestsDraft, counted.changeRequestsOpen], [drafts, open])
        }
        yield* (yield* ChangeRequestContents).merge(space, id)
        for (const patch of [{ status: "open" }, { subject: "Late" }] as const) {
          assert.strictEqual(yield* outcome(changeRequests.update(space, id, patch)), "ChangeRequestConflict")
        }
        assert.strictEqual((yield* spaces.get(space)).changeRequestsOpen, 0)
      })
    )

    rule("are listed newest first, by default only open ones", () =>
      Effect.gen(function* () {
        const { space, people, changeRequests } = yield* inSpace
        yield* changeRequests.create(space, {}).pipe(as(people.edit))
        yield* changeRequests.create(space, { status: "open" }).pipe(as(people.edit))
        yield* changeRequests.create(space, { status: "open" }).pipe(as(people.review))
        const numbers = (params: Parameters<typeof changeRequests.list>[1]) =>
          Effect.map(changeRequests.list(space, params), ({ items }) => items.map(({ number }) => number))
        assert.deepStrictEqual(yield* numbers({}), [3, 2])
        assert.deepStrictEqual(yield* numbers({ status: ["draft"] }), [1])
        assert.deepStrictEqual(yield* numbers({ status: ["all"] }), [3, 2, 1])
        assert.deepStrictEqual(yield* numbers({ status: ["draft", "open"], contributor: people.edit }), [2, 1])
        const first = yield* changeRequests.list(space, { status: ["all"], limit: 2 })
        const rest = yield* changeRequests.list(space, { status: ["all"], limit: 2, page: first.next!.page })
        assert.deepStrictEqual([first.count, rest.items.map(({ number }) => number)], [3, [1]])
        assert.strictEqual(yield* outcome(changeRequests.list(space, { page: first.next!.page })), "InvalidCursor")
      })
    )

    rule("are listed in an organization if the actor reads their space", () =>
      Effect.gen(function* () {
        const { org, people, space, changeRequests } = yield* inSpace
        const { id: secret } = yield* (yield* Spaces).create(org, {})
        yield* (yield* Spaces).update(secret, { defaultLevel: null })
        yield* changeRequests.create(space, { status: "open" })
        yield* changeRequests.create(secret, { status: "open" })
        const count = (actor: keyof typeof people | "host") =>
          Effect.map(changeRequests.listInOrganization(org, {}), ({ items }) => items.length).pipe(
            as(actor === "host" ? actor : people[actor])
          )
        assert.deepStrictEqual(yield* Effect.forEach(["host", "admin", "read", "guest"] as const, count), [2, 2, 1, 0])
        assert.strictEqual(
          yield* outcome(changeRequests.listInOrganization(org, {})).pipe(as(people.outsider)),
          "OrganizationNotFound"
        )
      })
    )

    rule("are numbered without gaps by concurrent calls", () =>
      Effect.gen(function* () {
        const { space, changeRequests } = yield* inSpace
        const created = yield* Effect.all(
          Array.from({ length: 10 }, () => changeRequests.create(space, {})),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          created.map(({ number }) => number).toSorted((a, b) => a - b),
          Array.from({ length: 10 }, (_, i) => i + 1)
        )
      })
    )

    rule("disappear with a space in the trash", () =>
      Effect.gen(function* () {
        const { org, space, changeRequests } = yield* inSpace
        yield* changeRequests.create(space, { status: "open" })
        yield* (yield* Spaces).remove(space)
        assert.strictEqual(yield* outcome(changeRequests.get(space, "1")), "SpaceNotFound")
        assert.strictEqual(yield* outcome(changeRequests.create(space, {})), "SpaceNotFound")
        assert.strictEqual((yield* changeRequests.listInOrganization(org, {})).count, 0)
      })
    )
  })
}
