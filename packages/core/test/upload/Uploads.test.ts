import type { CurrentActor } from "@lectern/core/access/Actor"
import { Fonts } from "@lectern/core/font/Fonts"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { maxBytes, maxUploads, type UploadStart, UploadTable } from "@lectern/core/upload/Upload"
import { Uploads } from "@lectern/core/upload/Uploads"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPaths, invalidPathsOf } from "../Issues.ts"
import { linkOf, upload, woff2 } from "./UploadedFile.ts"

const font = { file: { name: "a.woff2", type: "font/woff2", size: 5 }, kind: "customization_font" } as const
const svg = new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg"/>`)

for (const [name, services] of onEach(adapters)) {
  describe(`Uploads (${name})`, () => {
    const rule = ruleOn(services)

    rule("are started by members who may create content", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        assert.deepStrictEqual(yield* outcomes(people, (yield* Uploads).begin(org, font)), {
          ok: "host admin create",
          Forbidden: "review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
      })
    )

    rule("take the announced bytes once at a signed URL, without a user", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const uploads = yield* Uploads
        const link = linkOf(org, yield* uploads.begin(org, font))
        assert.strictEqual(yield* invalidPaths(uploads.put(link, woff2("too long"))), "body")
        const stored = yield* uploads.put(link, woff2("1"))
        assert.deepInclude(stored, { kind: "customization_font", name: "a.woff2", contentType: "font/woff2", size: 5 })
        assert.deepStrictEqual(yield* uploads.put(link, woff2("1")), stored)
        assert.strictEqual(yield* outcome(uploads.put(link, woff2("2"))), "UploadRefused")
      })
    )

    rule("are refused at URLs that are changed or older than an hour", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const uploads = yield* Uploads
        const link = linkOf(org, yield* uploads.begin(org, font))
        const { upload: other } = linkOf(org, yield* uploads.begin(org, font))
        for (const changed of [
          { ...link, organization: elsewhere },
          { ...link, upload: other },
          { ...link, expires: link.expires + 1 },
          { ...link, signature: "" }
        ]) {
          assert.strictEqual(yield* outcome(uploads.put(changed, woff2("1"))), "UploadNotFound")
        }
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* outcome(uploads.put(link, woff2("1"))), "UploadNotFound")
      })
    )

    rule("have the type of their bytes, which fits their kind", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const markdown = new TextEncoder().encode("# Title")
        const type = (...[kind, file, bytes]: [UploadStart["kind"], string, Uint8Array]) =>
          upload(org, kind, file, bytes).pipe(
            Effect.match({ onSuccess: ({ contentType }) => contentType, onFailure: ({ _tag }) => _tag })
          )
        assert.strictEqual(yield* type("organization_file", "a.bin", svg), "image/svg+xml")
        assert.strictEqual(yield* type("organization_file", "a.svg", markdown), "InvalidInput")
        assert.strictEqual(yield* type("customization_font", "a.woff2", svg), "InvalidInput")
        assert.strictEqual(yield* type("import_file", "a.md", markdown), "text/markdown")
        assert.strictEqual(yield* type("import_file", "a.exe", markdown), "InvalidInput")
      })
    )

    rule("are public by the hash of their bytes, apart from files to import", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const uploads = yield* Uploads
        const picture = yield* upload(org, "organization_file", "a.svg", svg)
        const hash = picture.urls.public!.split("/").at(-1)!
        const { file, bytes } = yield* uploads.file(org, hash)
        assert.deepInclude(file, { name: "a.svg", contentType: "image/svg+xml" })
        assert.deepStrictEqual([...(yield* bytes)], [...svg])
        assert.strictEqual(yield* outcome(uploads.file(elsewhere, hash)), "UploadNotFound")
        assert.strictEqual(yield* outcome(uploads.file(org, "unknown")), "UploadNotFound")
        const imported = yield* upload(org, "import_file", "a.md", new TextEncoder().encode("# Secret"))
        assert.deepStrictEqual(imported.urls, {})
        const rows = yield* (yield* Storage).repository(UploadTable).list({ where: {} })
        const secret = rows.find(({ kind }) => kind === "import_file")!.blob!
        assert.strictEqual(yield* outcome(uploads.file(org, secret)), "UploadNotFound")
      })
    )

    rule("reject sizes, names and kinds that are not allowed", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const uploads = yield* Uploads
        const start = (kind: UploadStart["kind"], file: Partial<UploadStart["file"]>): UploadStart => ({
          kind,
          file: { ...font.file, ...file }
        })
        assert.deepStrictEqual(
          yield* invalidPathsOf<UploadStart, CurrentActor>(
            [
              start("customization_font", { size: 0 }),
              start("customization_font", { size: maxBytes.customization_font + 1 }),
              start("import_file", { name: "a.md", size: maxBytes.import_file + 1 }),
              start("import_file", { name: "a.pdf" }),
              start("customization_font", { name: "" }),
              start("avatar" as "import_file", {}),
              start("import_file", { name: "a.md", size: maxBytes.import_file })
            ],
            (input) => uploads.begin(org, input)
          ),
          ["file.size", "body.file.size", "body.file.size", "body.file.name", "file.name", "kind", "ok"]
        )
      })
    )

    rule("are limited to 1,000 files per organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const uploads = yield* Uploads
        yield* uploads.begin(org, font)
        const rows = (yield* Storage).repository(UploadTable)
        const [row] = yield* rows.list({ where: {} })
        yield* (yield* Storage).transaction(
          Effect.forEach(Array.from({ length: maxUploads - 1 }), (_, i) => rows.insert({ ...row!, id: `file-${i}` }))
        )
        assert.strictEqual(yield* outcome(uploads.begin(org, font)), "UploadRefused")
        assert.strictEqual(yield* outcome(uploads.begin(elsewhere, font)), "ok")
      })
    )

    rule("are removed after a day without use", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const worker = yield* JobWorker
        yield* worker.runDue
        const unused = yield* upload(org, "customization_font", "unused.woff2", woff2("1"))
        const face = yield* upload(org, "customization_font", "face.woff2", woff2("2"))
        const logo = yield* upload(org, "organization_file", "logo.svg", svg)
        yield* (yield* Fonts).create(org, { fontFamily: "F", fontFaces: [{ weight: 400, storageKey: face.key }] })
        yield* (yield* Organizations).update(org, { logo: logo.urls.public! })
        const keys = Effect.map((yield* Storage).repository(UploadTable).list({ where: {} }), (rows) =>
          rows.map(({ id }) => id).sort()
        )
        yield* TestClock.adjust("1 day")
        yield* worker.runDue
        assert.deepStrictEqual(yield* keys, [unused.key, face.key, logo.key].sort())
        yield* TestClock.adjust("1 day")
        yield* worker.runDue
        assert.deepStrictEqual(yield* keys, [face.key, logo.key].sort())
      })
    )

    rule("take one of two concurrent uploads of different bytes", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const uploads = yield* Uploads
        const link = linkOf(org, yield* uploads.begin(org, font).pipe(as(people.create)))
        const put = (text: string) => outcome(uploads.put(link, woff2(text)))
        const results = yield* Effect.all([put("1"), put("2")], { concurrency: "unbounded" })
        assert.sameMembers(results, ["ok", "UploadRefused"])
      })
    )
  })
}
