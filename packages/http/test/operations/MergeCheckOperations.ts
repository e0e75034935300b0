/** Checks of a change request over HTTP, as a job of CI sets them. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import * as DiscussionShapes from "../DiscussionShapes.ts"
import { answers, Harness, has, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace, getChangeRequest, insertPage, openChangeRequest, write } from "../Steps.ts"

export const mergeCheckOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("sets, lists and removes checks, and tells which are outdated", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id, number } = yield* openChangeRequest(space, {}, "edit")
      const path = `/v1/spaces/${space}/change-requests/${number}/checks`
      const list = Effect.map(
        call("read", "GET", path).pipe(answers(200, Shapes.listOf(DiscussionShapes.Check))),
        ({ items }) => items.map(({ name, state, outdated }) => [name, state, outdated])
      )
      const name = "ci / build (node 24) ✓"
      const build = `${path}/${encodeURIComponent(name)}`
      yield* call("edit", "PUT", build, { state: "passed" }).pipe(refused(403))
      const pending = yield* call("review", "PUT", build, { state: "pending" }).pipe(
        answers(200, DiscussionShapes.Check)
      )
      const { revision } = yield* getChangeRequest(space, id)
      assert.deepInclude(pending, { name, state: "pending", outdated: false, revision })
      assert.strictEqual(pending.updatedBy.id, users.review)
      const result = { state: "passed", url: "https://ci.example.com/jobs/17", text: "All pages were built." } as const
      const passed = yield* call("review", "PUT", build, { ...result, revision }).pipe(
        answers(200, DiscussionShapes.Check)
      )
      assert.deepInclude(passed, result)
      assert.deepStrictEqual(yield* list, [[name, "passed", false]])
      yield* write(space, id, [insertPage("New")], "edit")
      assert.deepStrictEqual(yield* list, [[name, "passed", true]])
      yield* call("edit", "DELETE", build).pipe(refused(403))
      yield* call("review", "DELETE", build).pipe(has(204))
      yield* call("review", "DELETE", build).pipe(has(204))
      assert.deepStrictEqual(yield* list, [])
    })
  )

  it.effect("refuses checks that are none", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}/change-requests/${id}/checks`
      for (const input of [
        {},
        { state: "green" },
        { state: "passed", url: "javascript:alert(1)" },
        { state: "passed", text: "x".repeat(1001) },
        { state: "passed", revision: 1 }
      ]) {
        yield* call("review", "PUT", `${path}/build`, input).pipe(refused(400))
      }
      for (const name of ["x".repeat(101), "%20x", "a%0Ab"]) {
        yield* call("review", "PUT", `${path}/${name}`, { state: "passed" }).pipe(refused(400))
      }
      yield* call("review", "PUT", `${path}/build`, { state: "passed", revision: "none" }).pipe(refused(404))
      yield* call("outsider", "GET", path).pipe(refused(404))
      yield* call("outsider", "PUT", `${path}/build`, { state: "passed" }).pipe(refused(404))
      const list = yield* call("read", "GET", path).pipe(answers(200, Shapes.listOf(DiscussionShapes.Check)))
      assert.strictEqual(list.count, 0)
    })
  )
}
