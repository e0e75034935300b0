/** Pushes and exports of folders, as a client of the API does them. */
import { createHash } from "node:crypto"
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { packTar, unpackTar } from "modern-tar"
import { answers, Harness, has, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace } from "../Steps.ts"

const Incomplete = Schema.Struct({
  object: Schema.Literal("incomplete-push"),
  missing: Schema.Array(Schema.String)
})

const Pushed = Schema.Struct({
  object: Schema.Literal("push"),
  status: Schema.Literal("pushed"),
  changeRequest: Shapes.ChangeRequest,
  changeCount: Shapes.Count,
  changes: Schema.Array(Schema.Unknown),
  conflictCount: Shapes.Count,
  conflicts: Schema.Array(Schema.Unknown),
  report: Schema.Unknown
})

const UploadedPart = Schema.Struct({
  object: Schema.Literal("push-files"),
  files: Shapes.Count,
  size: Shapes.Count
})

const idOf = (text: string) =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0`)
    .update(text)
    .digest("hex")

const archiveOf = (files: Readonly<Record<string, string>>) =>
  Effect.promise(() =>
    packTar(
      Object.entries(files).map(([name, body]) => ({
        header: { name, size: Buffer.byteLength(body), type: "file" as const },
        body
      }))
    )
  )

const folder = { "README.md": "# Welcome\n\nHello.\n", "guide/start.md": "# Start\n\nBegin.\n" }

export const pushOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("pushes a folder into a change request, and exports it again", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const files = Object.entries(folder)
        .map(([path, text]) => `${idOf(text)} ${Buffer.byteLength(text)} ${path}\n`)
        .join("")
      const push = call("edit", "POST", `/v1/spaces/${id}/push`, { name: "branch", files })
      const { missing } = yield* push.pipe(answers(200, Incomplete))
      assert.sameMembers([...missing], Object.values(folder).map(idOf))
      const archive = yield* archiveOf(folder)
      const upload = `/v1/spaces/${id}/push/files`
      yield* call("edit", "POST", upload, archive.subarray(0, 700)).pipe(refused(400))
      const { files: count } = yield* call("edit", "POST", upload, archive).pipe(answers(200, UploadedPart))
      assert.strictEqual(count, 2)
      const { changeRequest, changeCount } = yield* push.pipe(answers(200, Pushed))
      assert.deepStrictEqual([changeRequest.subject, changeRequest.status, changeCount], ["branch", "open", 3])
      yield* call("edit", "POST", `/v1/spaces/${id}/push`, { name: "branch", files: "x" }).pipe(refused(400))
      yield* call("edit", "POST", `/v1/spaces/${id}/push`, { name: "branch", files, base: "none" }).pipe(refused(404))

      const exported = `/v1/spaces/${id}/content/export`
      const answer = yield* call("read", "GET", `${exported}?revision=${changeRequest.revision}`).pipe(has(200))
      assert.strictEqual(answer.headers.get("content-type"), "application/x-tar")
      const entries = yield* Effect.promise(() => unpackTar(answer.bytes, { strict: true }))
      const texts = Object.fromEntries(entries.map(({ header, data }) => [header.name, Buffer.from(data!).toString()]))
      assert.deepInclude(texts, folder)
      yield* call("read", "GET", `${exported}?revision=none`).pipe(refused(404))
      yield* call("outsider", "GET", exported).pipe(refused(404))
    })
  )

  it.effect("refuses a part that is too large", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const body = new Uint8Array(21 * 1024 * 1024 + 1)
      yield* call("edit", "POST", `/v1/spaces/${id}/push/files`, body).pipe(refused(413))
    })
  )
}
