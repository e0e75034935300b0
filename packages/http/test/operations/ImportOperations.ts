/**
 * Imports: what the operations answer where nothing is fetched. What they do with what they fetch is
 * tested beside the reader of `@lectern/services-node`.
 */
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, type Person, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace, openChangeRequest } from "../Steps.ts"
import { upload } from "./UploadOperations.ts"

const Imported = Schema.Struct({
  revision: Shapes.Id,
  importedResources: Shapes.Count,
  totalResources: Shapes.Count
})

export const importOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("imports in the background: begun, listed, shown and cancelled", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id: closed } = yield* createSpace({ visibility: "private" })
      yield* call("admin", "PATCH", `/v1/spaces/${closed}`, { defaultLevel: null }).pipe(has(200))
      const path = `/v1/org/${organization}/imports`
      const source = { type: "website", url: "https://docs.example.com/" } as const
      const start = (target: unknown, by: Person = "edit") => call(by, "POST", path, { source, target })
      const list = (query: string, by: Person = "read") =>
        Effect.map(
          call(by, "GET", `${path}?limit=1000&${query}`).pipe(answers(200, Shapes.listOf(Shapes.ImportRun))),
          ({ items }) => items.map(({ id }) => id)
        )
      const run = yield* start({ space }).pipe(answers(201, Shapes.ImportRun))
      assert.deepInclude(run, { status: "pending", createdBy: users.edit, source, target: { space } })
      assert.deepStrictEqual(yield* call("read", "GET", `${path}/${run.id}`).pipe(answers(200, Shapes.ImportRun)), run)
      const { id: hidden } = yield* start({ space: closed }, "admin").pipe(answers(201, Shapes.ImportRun))
      yield* call("read", "GET", `${path}/${hidden}`).pipe(refused(404))
      assert.notInclude(yield* list(""), hidden)
      assert.deepStrictEqual(yield* list(`space=${closed}`, "admin"), [hidden])
      assert.deepStrictEqual(yield* list(`space=${space}&status=active`), [run.id])
      yield* start({ space }, "comment").pipe(refused(403))
      yield* start({ space: closed }).pipe(refused(404))
      yield* start({ space }, "outsider").pipe(refused(404))
      yield* start({ space, page: "x" }).pipe(refused(400))
      yield* call("edit", "POST", path, { source: { type: "file", files: ["x"] }, target: { space } }).pipe(
        refused(400)
      )
      const none = { type: "file", files: [] }
      yield* call("edit", "POST", path, { source: none, target: { space } }).pipe(refused(400))
      const page = yield* upload("import_file", "page.md", new TextEncoder().encode("# Page\n"))
      const uploaded = { type: "file", files: [page.key] } as const
      const ofFiles = yield* call("edit", "POST", path, { source: uploaded, target: { space } }).pipe(
        answers(201, Shapes.ImportRun)
      )
      assert.deepStrictEqual(ofFiles.source, uploaded)
      yield* call("edit", "POST", `${path}/${ofFiles.id}/cancel`).pipe(has(201))
      yield* call("edit", "POST", path, { source: { type: "website", url: "file:///x" }, target: { space } }).pipe(
        refused(400)
      )
      yield* call("comment", "POST", `${path}/${run.id}/cancel`).pipe(refused(403))
      const cancelled = yield* call("edit", "POST", `${path}/${run.id}/cancel`).pipe(answers(201, Shapes.ImportRun))
      assert.strictEqual(cancelled.status, "cancelled")
      yield* call("edit", "POST", `${path}/${run.id}/cancel`).pipe(refused(409))
      assert.deepStrictEqual(yield* list(`space=${space}&status=active`), [])
      assert.deepStrictEqual(yield* list(`space=${space}&status=cancelled`), [ofFiles.id, run.id])
      yield* call("admin", "POST", `${path}/${hidden}/cancel`).pipe(has(201))
      yield* call("admin", "GET", `${path}/none`).pipe(refused(404))
    })
  )

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
