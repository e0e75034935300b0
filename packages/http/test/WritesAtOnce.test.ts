/** Many writes to one thing at once: all of them succeed, one after another. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { getChangeRequest, insertPage, merge, openChangeRequest, spaceWith, write } from "./Steps.ts"

const twenty = Array.from({ length: 20 }, (_, i) => i)
const atOnce = { concurrency: "unbounded" } as const

onEachAdapter("Writes at once", (it) => {
  it.effect("to one change request all succeed, by its number or its id", () =>
    Effect.gen(function* () {
      const { space } = yield* spaceWith({ Page: "1" })
      const { id, number } = yield* openChangeRequest(space)
      const made = yield* Effect.forEach(
        twenty,
        (i) => write(space, i % 2 === 0 ? id : number, [insertPage(`Page ${i}`, `${i}`)]),
        atOnce
      )
      const pages = new Set(made.map(({ idOf }, i) => idOf(`Page ${i}`)))
      assert.strictEqual(pages.size, 20)
      const { call } = yield* Harness
      const { changes } = yield* call("admin", "GET", `/v1/spaces/${space}/change-requests/${id}/changes`).pipe(
        answers(200, Shapes.ChangeRequestChanges)
      )
      assert.strictEqual(changes.length, 20)
    })
  )

  it.effect("only one of many that depend on the same revision succeeds", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space } = yield* spaceWith({ Page: "1" })
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}/change-requests/${id}`
      const etag = (yield* call("admin", "GET", `${path}/content`).pipe(has(200))).headers.get("etag") ?? ""
      assert.notStrictEqual(etag, "")
      const statuses = yield* Effect.forEach(
        twenty,
        (i) =>
          Effect.map(
            call(
              "admin",
              "POST",
              `${path}/content?compat=false`,
              { changes: [insertPage(`Page ${i}`, "")] },
              { "if-match": etag }
            ),
            ({ status }) => status
          ),
        atOnce
      )
      assert.deepStrictEqual(statuses.toSorted(), [200, ...twenty.slice(1).map(() => 412)])
    })
  )

  it.effect("merges of many change requests into one space all succeed", () =>
    Effect.gen(function* () {
      const { space } = yield* spaceWith({ Page: "1" })
      const opened = yield* Effect.forEach(twenty, () => openChangeRequest(space))
      yield* Effect.forEach(opened, ({ id }, i) => write(space, id, [insertPage(`Page ${i}`, `${i}`)]))
      const merged = yield* Effect.forEach(opened, ({ id }) => merge(space, id), atOnce)
      assert.isTrue(merged.every(({ result }) => result === "merge"))
      assert.strictEqual(new Set(merged.map(({ revision }) => revision)).size, 20)
      for (const { id } of opened) assert.strictEqual((yield* getChangeRequest(space, id)).status, "merged")
    })
  )
})
