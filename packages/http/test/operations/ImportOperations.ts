/**
 * Imports: what the operations answer where nothing is fetched. What they do with what they fetch is
 * tested beside the reader of `@lectern/services-node`.
 */
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace, openChangeRequest } from "../Steps.ts"

const Imported = Schema.Struct({
  revision: Shapes.Id,
  importedResources: Shapes.Count,
  totalResources: Shapes.Count
})

export const importOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("imports a page into a space, and into a change request", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const { number } = yield* openChangeRequest(id)
      const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
      const text = `# Hello\n\n![dot](data:image/png;base64,${image})\n`
      const body = { source: "markdown", url: `data:text/markdown;base64,${btoa(text)}` }
      for (const scope of [`/v1/spaces/${id}`, `/v1/spaces/${id}/change-requests/${number}`]) {
        const { revision, ...counts } = yield* call("admin", "POST", `${scope}/content/import`, body).pipe(
          answers(201, Imported)
        )
        assert.deepStrictEqual(counts, { importedResources: 2, totalResources: 2 })
        const shown = yield* call("admin", "GET", `${scope}/content`).pipe(answers(200, Shapes.Revision))
        assert.strictEqual(shown.id, revision)
        assert.deepStrictEqual(
          shown.pages.map(({ title, path }) => [title, path]),
          [["Hello", "imported"]]
        )
        assert.strictEqual(shown.files[0]?.contentType, "image/png")
        for (const source of ["website", "html", "docx", "zip"]) {
          yield* call("admin", "POST", `${scope}/content/import`, { ...body, source }).pipe(refused(400))
        }
      }
    })
  )
}
