/** A change request can do everything while nothing can align, merge or compare its documents. */
import { Threads } from "@lectern/core/thread/Threads"
import { assert } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { merge, openChangeRequest, pageOf, publish, spaceWith, write } from "./Steps.ts"

const secret = "marked"
const defect = Effect.sync(() => {
  throw new Error(`It can't take ${secret}`)
})
const lines: Array<string> = []

const failing = (...names: ReadonlyArray<string>) =>
  Layer.effect(
    Threads,
    Effect.map(Threads, ({ run, inPlace }) =>
      Threads.of({
        inPlace,
        run: (computation, input, options) =>
          names.includes(computation.name) ? defect : run(computation, input, options)
      })
    )
  ).pipe(Layer.provide(Threads.layer))

const references = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])

onMemory(
  "Documents that nothing can align, merge or compare",
  (it) => {
    for (const keep of ["main", "ours"] as const) {
      it.effect(`are written, compared and merged as a whole, keeping ${keep}`, () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          lines.length = 0
          const { space, idOf } = yield* spaceWith({ Page: `One ${secret}.\n\nTwo.` })
          const page = idOf("Page")
          const text = (markdown: string) => ({ operation: "update_page", page, document: { markdown } })
          const { id } = yield* openChangeRequest(space)
          yield* write(space, id, [text(`One ${secret} of ours.\n\nTwo.`)])
          yield* publish(space, [text(`One ${secret} of main.\n\nTwo.`)])
          const path = `/v1/spaces/${space}/change-requests/${id}`

          const changes = yield* call("read", "GET", `${path}/changes/page/${page}`).pipe(
            answers(200, Shapes.PageChanges)
          )
          const types = changes.changes.map(({ type }) => type)
          assert.deepStrictEqual(types, ["block_added", "block_added", "block_removed", "block_removed"])

          const updated = yield* call("admin", "POST", `${path}/update`).pipe(answers(200, Shapes.UpdateResult))
          assert.strictEqual(updated.result, "conflicts")
          const { conflicts } = yield* call("admin", "GET", `${path}/changes`).pipe(
            answers(200, Shapes.ChangeRequestChanges)
          )
          assert.deepStrictEqual(
            conflicts.map((conflict) => [conflict.page, conflict.field, conflict.block, conflict.keep]),
            [[page, "document", undefined, ["main", "ours"]]]
          )
          yield* call("admin", "POST", `${path}/conflicts/${conflicts[0]!.id}`, { keep }).pipe(has(200))
          assert.strictEqual((yield* merge(space, id)).result, "merge")
          const { markdown } = yield* pageOf(`/v1/spaces/${space}/content`, page)
          assert.strictEqual(markdown?.trim(), `One ${secret} of ${keep}.\n\nTwo.`)

          const errors = lines.filter((line) => line.includes('"ERROR"'))
          for (const said of ["could not be aligned", "could not be merged", "could not be compared"]) {
            assert.isTrue(
              errors.some((line) => line.includes(said) && /"input":"[\w-]{43}"/u.test(line)),
              said
            )
          }
          for (const line of lines) assert.notInclude(line, secret)
        })
      )
    }
  },
  { threads: failing("write-document", "merge-documents", "compare-documents") },
  references
)

onMemory(
  "A conflict that nothing can put into its document",
  (it) => {
    it.effect("is settled by keeping ours, and main's is refused", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, idOf } = yield* spaceWith({ Page: "One." })
        const text = (markdown: string) => ({ operation: "update_page", page: idOf("Page"), document: { markdown } })
        const { id } = yield* openChangeRequest(space)
        yield* write(space, id, [text("One of ours.")])
        yield* publish(space, [text("One of main.")])
        assert.strictEqual((yield* merge(space, id)).result, "conflicts")
        const path = `/v1/spaces/${space}/change-requests/${id}`
        const { conflicts } = yield* call("admin", "GET", `${path}/changes`).pipe(
          answers(200, Shapes.ChangeRequestChanges)
        )
        const settle = (keep: string) => call("admin", "POST", `${path}/conflicts/${conflicts[0]!.id}`, { keep })
        yield* settle("main").pipe(refused(409))
        yield* settle("both").pipe(refused(409))
        yield* settle("ours").pipe(has(200))
        assert.strictEqual((yield* merge(space, id)).result, "merge")
      })
    )
  },
  { threads: failing("resolve-conflict") }
)
