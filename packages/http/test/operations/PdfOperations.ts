/** PDFs: made for real, and read back. */
import { JobTable } from "@lectern/core/job/Job"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { PdfPending, PdfTable, PdfUrl } from "@lectern/core/pdf/Pdf"
import { collect } from "@lectern/core/content/store/GarbageCollection"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { readPdf } from "../../../services-node/test/PdfReading.ts"
import { answers, Harness, has, type Person, refused, type Services } from "../Harness.ts"
import { addSection, createSite, publishSite, reading, resolve } from "../SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish, write } from "../Steps.ts"

const runDue = JobWorker.use(({ runDue }) => runDue)

const urlOf = Effect.fnUntraced(function* (path: string, by: Person = "read") {
  const { call } = yield* Harness
  return (yield* call(by, "GET", path).pipe(answers(200, PdfUrl))).url
})

const fetched = Effect.fnUntraced(function* (url: string) {
  const { call } = yield* Harness
  return yield* call("nobody", "GET", url)
})

/** The PDF that is asked for at a path, once it is made. */
const made = Effect.fnUntraced(function* (path: string) {
  const url = yield* urlOf(path)
  yield* runDue
  const { bytes } = yield* fetched(url).pipe(has(200))
  return yield* Effect.promise(() => readPdf(bytes))
})

const manual = Effect.gen(function* () {
  const { id } = yield* createSpace({ title: "Handbook" })
  const content = [
    insertPage("Guide", "Read this.", { ref: "guide" }),
    insertPage("Steps", "Step by step.", { ref: "steps", into: "guide" }),
    insertPage("Other", "Something else.", { ref: "other" }),
    { ...insertPage("Draft", "Not listed."), hidden: true }
  ]
  const { idOf, revision } = yield* publish(id, content)
  return { space: id, revision, idOf, path: `/v1/spaces/${id}/pdf` }
})

export const pdfOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("makes a PDF once, tells until then that it is on its way, and hands it out", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path, revision, space } = yield* manual
      yield* runDue
      const url = yield* urlOf(path)
      assert.include(url, `/v1/spaces/${space}/revisions/${revision}/pdf/`)
      const waiting = yield* fetched(url).pipe(has(202))
      assert.match(waiting.headers.get("retry-after") ?? "", /^\d+$/)
      yield* Effect.succeed(waiting).pipe(answers(202, PdfPending))
      assert.strictEqual(yield* urlOf(path, "admin"), url)
      assert.isAtLeast(yield* runDue, 1)

      const pdf = yield* fetched(url).pipe(has(200))
      assert.strictEqual(pdf.headers.get("content-type"), "application/pdf")
      assert.include(pdf.headers.get("content-disposition"), 'filename="Handbook.pdf"')
      assert.include(pdf.headers.get("cache-control"), "immutable")
      const { pages, outline, title } = yield* Effect.promise(() => readPdf(pdf.bytes))
      assert.strictEqual(title, "Handbook")
      assert.deepStrictEqual(outline, [
        { title: "Guide", items: [{ title: "Steps", items: [] }] },
        { title: "Other", items: [] }
      ])
      assert.match(pages.join("\n"), /Read this\.[^]*Step by step\.[^]*Something else\./)
      assert.notInclude(pages.join("\n"), "Not listed")

      const etag = pdf.headers.get("etag") ?? ""
      const range = (header: Record<string, string>) => call("nobody", "GET", url, undefined, header)
      yield* range({ "if-none-match": etag }).pipe(has(304))
      const part = yield* range({ range: "bytes=0-4" }).pipe(has(206))
      assert.strictEqual(part.text, "%PDF-")
      assert.strictEqual(part.headers.get("content-type"), "application/pdf")

      yield* urlOf(path, "comment")
      assert.strictEqual(yield* runDue, 0)
    })
  )

  it.effect("makes it of a change request, of a page with those below it, or of a page alone", () =>
    Effect.gen(function* () {
      const { space, idOf, path } = yield* manual
      const { number } = yield* openChangeRequest(space)
      yield* write(space, number, [insertPage("New", "Proposed.")])
      const proposed = yield* made(`/v1/spaces/${space}/change-requests/${number}/pdf`)
      assert.include(proposed.pages.join("\n"), "Proposed.")

      const below = yield* made(`${path}?page=${idOf("guide")}`)
      assert.strictEqual(below.title, "Guide")
      assert.match(below.pages.join("\n"), /Read this\.[^]*Step by step\./)
      assert.notInclude(below.pages.join("\n"), "Something else")

      const alone = yield* made(`${path}?page=${idOf("guide")}&only=true`)
      assert.strictEqual(alone.pages.length, 1)
      assert.include(alone.pages[0]!, "Read this.")
      const page = yield* made(`/v1/spaces/${space}/change-requests/${number}/pdf?page=${idOf("other")}&only=true`)
      assert.include(page.pages[0]!, "Something else.")
    })
  )

  it.effect("makes it in the language of the space, and anew where that has become another", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, path } = yield* manual
      assert.strictEqual((yield* made(path)).language, "en")
      yield* call("admin", "PATCH", `/v1/spaces/${space}`, { language: "pt-br" }).pipe(has(200))
      assert.strictEqual((yield* made(path)).language, "pt-br")
    })
  )

  it.effect("refuses a page that is not there, and 'only' without a page", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path } = yield* manual
      yield* call("read", "GET", `${path}?page=nothing`).pipe(refused(404))
      const { issues } = yield* call("read", "GET", `${path}?only=true`).pipe(refused(400))
      assert.strictEqual(issues?.[0]?.path, "query.page")
      yield* call("read", "GET", `${path}?only=perhaps`).pipe(refused(400))
      yield* call("outsider", "GET", path).pipe(refused(404))
    })
  )

  it.effect("hands out nothing by a URL that has expired, or was changed", () =>
    Effect.gen(function* () {
      const { path, revision } = yield* manual
      const other = yield* manual
      const url = yield* urlOf(path)
      yield* runDue
      for (const changed of [
        url.replace(revision, other.revision),
        url.replace(/(?<=spaces\/)\w+/, other.space),
        url.replace(/expires=\d+/, (expires) => `${expires}0`),
        url.replace(/signature=./, (start) => (start.endsWith("A") ? "signature=B" : "signature=A"))
      ]) {
        assert.notStrictEqual(changed, url)
        yield* fetched(changed).pipe(refused(404))
      }
      yield* TestClock.adjust("599 seconds")
      yield* fetched(url).pipe(has(200))
      yield* TestClock.adjust("1 second")
      yield* fetched(url).pipe(refused(404))
    })
  )

  it.effect("shows visitors what their site shows them, evaluated for them", () =>
    Effect.gen(function* () {
      const { id } = yield* createSpace({ title: "Handbook" })
      const { idOf } = yield* publish(id, [
        insertPage("Open", "For all."),
        { ...insertPage("Pro", "For some."), condition: "visitor.claims.unsigned.pro === true" }
      ])
      const site = yield* createSite([id], { visibility: "public" })
      yield* addSection(site.id, id, "Handbook")
      const { basename } = yield* publishSite(site.id)
      const base = `http://127.0.0.1:4000/sites/${basename}/`
      const asked = Effect.fnUntraced(function* (claims: Record<string, unknown>) {
        const { apiToken } = yield* resolve(base, { unsignedClaims: claims })
        const { url } = yield* reading(apiToken, `/spaces/${id}/pdf`).pipe(answers(200, PdfUrl))
        yield* runDue
        const { bytes } = yield* fetched(url).pipe(has(200))
        yield* reading(apiToken, `/spaces/${id}/pdf?page=${idOf("Pro")}`).pipe(has(claims["pro"] === true ? 200 : 404))
        return (yield* Effect.promise(() => readPdf(bytes))).pages.join("\n")
      })
      const shown = yield* asked({})
      assert.include(shown, "For all.")
      assert.notInclude(shown, "For some.")
      assert.include(yield* asked({ pro: true }), "For some.")
      yield* runDue
    })
  )

  it.effect("says so where no more are made at once, and forgets those that nobody asks for", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, path } = yield* manual
      const pages = Array.from({ length: 11 }, (_, i) => insertPage(`Page ${i}`, "Text", { ref: `n${i}` }))
      const { idOf } = yield* publish(space, pages)
      for (let i = 0; i < 10; i++) yield* urlOf(`${path}?page=${idOf(`n${i}`)}`)
      yield* call("read", "GET", `${path}?page=${idOf("n10")}`).pipe(refused(429))
      yield* urlOf(`${path}?page=${idOf("n0")}`)
      const storage = yield* Storage
      const jobs = storage.repository(JobTable)
      const waiting = yield* jobs.list({ where: { kind: "make-pdf", status: "waiting" } })
      assert.strictEqual(waiting.length, 10)
      const pdfs = storage.repository(PdfTable)
      yield* pdfs.update({ space }, { status: "failed", failure: "No" })
      yield* call("nobody", "GET", yield* urlOf(`${path}?page=${idOf("n0")}`)).pipe(refused(422))
      const url = yield* urlOf(`${path}?page=${idOf("n10")}`)
      yield* runDue
      yield* fetched(url).pipe(has(200))
      const made = (yield* pdfs.list({ where: { space } })).flatMap(({ blob }) => blob ?? [])
      assert.strictEqual(made.length, 1)

      yield* TestClock.adjust("8 days")
      yield* runDue
      assert.strictEqual(yield* pdfs.count({ space }), 0)
      yield* collect()
      const blobs = yield* BlobStore
      assert.isUndefined(yield* blobs.get(made[0]!))
    })
  )
}
