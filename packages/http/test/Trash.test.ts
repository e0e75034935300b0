/** Spaces in the trash, locked spaces and copies: what is left to do with them, and for how long. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import {
  createSpace,
  getSpace,
  insertPage,
  merge,
  openChangeRequest,
  pageOf,
  publish,
  spaceWith,
  write
} from "./Steps.ts"

onEachAdapter("Trash, locks and copies", (it) => {
  it.effect("has nothing to do with a space in the trash but to show, restore and delete it", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { space, idOf, revision } = yield* spaceWith({ Page: "Text" })
      const { number } = yield* openChangeRequest(space, { subject: "Pending" })
      const path = `/v1/spaces/${space}`
      yield* call("admin", "DELETE", path).pipe(has(204))
      const gone = [
        ["PATCH", "", { title: "X" }],
        ["POST", "/duplicate", undefined],
        ["GET", "/change-requests", undefined],
        ["POST", "/change-requests", {}],
        ["GET", `/change-requests/${number}`, undefined],
        ["PATCH", `/change-requests/${number}`, { subject: "X" }],
        ["POST", `/change-requests/${number}/content`, { changes: [insertPage("X")] }],
        ["POST", `/change-requests/${number}/merge`, undefined],
        ["POST", `/change-requests/${number}/update`, undefined],
        ["GET", `/change-requests/${number}/changes`, undefined],
        ["GET", "/content", undefined],
        ["GET", `/content/page/${idOf("Page")}`, undefined],
        ["GET", `/revisions/${revision}`, undefined]
      ] as const
      for (const [method, at, body] of gone) yield* call("admin", method, path + at, body).pipe(refused(404))
      for (const person of ["create", "read", "guest", "outsider"] as const) {
        yield* call(person, "GET", path).pipe(refused(404))
        yield* call(person, "POST", `${path}/restore`).pipe(refused(404))
        yield* call(person, "DELETE", path).pipe(has(204))
      }
      const listed = yield* call("admin", "GET", `/v1/orgs/${organization}/spaces?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      assert.isFalse(listed.items.some(({ id }) => id === space))
      const changeRequests = yield* call(
        "admin",
        "GET",
        `/v1/orgs/${organization}/change-requests?status=all&limit=1000`
      ).pipe(answers(200, Shapes.listOf(Shapes.ChangeRequest)))
      assert.isFalse(changeRequests.items.some((changeRequest) => changeRequest.space === space))

      assert.isString((yield* getSpace(space)).deletedAt)
      const restored = yield* call("admin", "POST", `${path}/restore`).pipe(answers(200, Shapes.Space))
      assert.deepInclude(restored, { title: "Docs", changeRequests: 2, changeRequestsDraft: 1, revision })
      assert.strictEqual((yield* pageOf(`${path}/content`, idOf("Page"))).markdown?.trim(), "Text")
      assert.deepStrictEqual(yield* call("admin", "POST", `${path}/restore`).pipe(answers(200, Shapes.Space)), restored)
    })
  )

  it.effect("takes a space back for 7 days, not longer", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [soon, late] = [yield* createSpace(), yield* createSpace()]
      for (const { id } of [soon, late]) yield* call("admin", "DELETE", `/v1/spaces/${id}`).pipe(has(204))
      yield* TestClock.adjust("6 days")
      yield* TestClock.adjust("23 hours")
      yield* call("admin", "POST", `/v1/spaces/${soon.id}/restore`).pipe(has(200))
      yield* TestClock.adjust("1 hour")
      yield* call("admin", "POST", `/v1/spaces/${late.id}/restore`).pipe(refused(404))
      yield* call("admin", "GET", `/v1/spaces/${soon.id}`).pipe(has(200))
    })
  )

  it.effect("puts a restored space behind the others", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [first, second] = [yield* createSpace(), yield* createSpace()]
      yield* call("admin", "DELETE", `/v1/spaces/${first.id}`).pipe(has(204))
      const third = yield* createSpace()
      yield* call("admin", "POST", `/v1/spaces/${first.id}/restore`).pipe(has(200))
      const { items } = yield* call("admin", "GET", `/v1/orgs/${organization}/spaces?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      assert.deepStrictEqual(
        items.slice(-3).map(({ id }) => id),
        [second.id, third.id, first.id]
      )
    })
  )

  it.effect("lets change requests go on in a locked space", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace({ editMode: "locked" })
      const { permissions } = yield* getSpace(id)
      assert.isFalse(permissions.edit)
      const { number } = yield* openChangeRequest(id, {}, "edit")
      yield* write(id, number, [insertPage("Page")], "edit")
      assert.strictEqual((yield* merge(id, number)).result, "merge")
      const unlocked = yield* call("admin", "PATCH", `/v1/spaces/${id}`, { editMode: "live" }).pipe(
        answers(200, Shapes.Space)
      )
      assert.isTrue(unlocked.permissions.edit)
    })
  )

  it.effect("copies the content and nothing else, and lets the two go their own ways", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Page: "Text" })
      yield* openChangeRequest(space)
      const copy = yield* call("create", "POST", `/v1/spaces/${space}/duplicate`).pipe(answers(201, Shapes.Space))
      assert.deepInclude(copy, { title: "Docs (copy)", changeRequests: 0, changeRequestsDraft: 0, comments: 0 })
      const page = idOf("Page")
      assert.strictEqual((yield* pageOf(`/v1/spaces/${copy.id}/content`, page)).markdown?.trim(), "Text")
      const revision = yield* call("create", "GET", `/v1/spaces/${copy.id}/content`).pipe(answers(200, Shapes.Revision))
      assert.deepStrictEqual(revision.parents, [])
      yield* publish(copy.id, [{ operation: "update_page", page, title: "Of the copy" }])
      assert.strictEqual((yield* pageOf(`/v1/spaces/${space}/content`, page)).title, "Page")
      yield* call("admin", "GET", `/v1/spaces/${copy.id}/revisions/${(yield* getSpace(space)).revision}`).pipe(
        refused(404)
      )
    })
  )

  it.effect("refuses a hostname that another organization has, in any case", () =>
    Effect.gen(function* () {
      const { call, organization, elsewhere } = yield* Harness
      const patch = { hostname: "taken-already" }
      yield* call("admin", "PATCH", `/v1/orgs/${organization}`, patch).pipe(has(200))
      yield* call("admin", "PATCH", `/v1/orgs/${organization}`, patch).pipe(has(200))
      yield* call("outsider", "PATCH", `/v1/orgs/${elsewhere}`, { ...patch, title: "Other" }).pipe(refused(409))
      const other = yield* call("outsider", "GET", `/v1/orgs/${elsewhere}`).pipe(answers(200, Shapes.Organization))
      assert.strictEqual(other.title, "Elsewhere")
    })
  )
})
