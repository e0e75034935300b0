/** Templates: the operation with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace } from "../Steps.ts"

export const templateOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("applies a template to a space", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const path = `/v1/spaces/${id}/content`
      const answer = yield* call("edit", "POST", `${path}/template`, { id: "changelog", params: {} }).pipe(has(201))
      assert.strictEqual(answer.text, "")
      const { pages } = yield* call("read", "GET", `${path}/pages`).pipe(answers(200, Shapes.Pages))
      assert.strictEqual(pages[0]!.title, "What is new")
      yield* call("edit", "POST", `${path}/template`, { id: "none" }).pipe(refused(404))
    })
  )
}
