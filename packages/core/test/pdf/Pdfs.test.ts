import { JobWorker } from "@lectern/core/job/JobWorker"
import { failureLifetime, maxPending, PdfTable, urlLifetime } from "@lectern/core/pdf/Pdf"
import { PdfRefused, PdfWriter } from "@lectern/core/pdf/PdfWriter"
import { Pdfs } from "@lectern/core/pdf/Pdfs"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { eventsOf, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, publish } from "../comment/Discussion.ts"
import { adaptersWith } from "../Instances.ts"

/** Writes the titles of the pages. Refuses a book with the title "Refused". */
const writer = Layer.succeed(
  PdfWriter,
  PdfWriter.of({
    write: ({ title, pages }) =>
      title === "Refused"
        ? Effect.fail(new PdfRefused({ message: "It is too large" }))
        : Effect.succeed(new TextEncoder().encode(pages.map((page) => page.title).join(", ")))
  })
)

const ready = Effect.gen(function* () {
  const { org, people } = yield* members
  const spaces = yield* Spaces
  const { id: space } = yield* spaces.create(org, { title: "Handbook" })
  const pages = yield* publish(space, [
    { operation: "insert_page", title: "Guide", ref: "guide" },
    { operation: "insert_page", title: "Part", into: "guide" },
    { operation: "insert_page", title: "Other" }
  ])
  const pdfs = yield* Pdfs
  const download = (url: string) => {
    const { pathname, searchParams } = new URL(url)
    const [, , , id, , revision, , pdf] = pathname.split("/")
    const signed = { expires: Number(searchParams.get("expires")), signature: searchParams.get("signature")! }
    return pdfs.download({ ...signed, space: id!, revision: revision!, pdf: pdf! })
  }
  const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)
  return { people, space, spaces, guide: pages.get("guide")!, pdfs, download, work }
})

for (const [name, services] of onEach(adaptersWith({ pdfWriter: writer }))) {
  describe(`Pdfs (${name})`, () => {
    const rule = ruleOn(services)

    rule("are written in the background, once for equal requests", () =>
      Effect.gen(function* () {
        const { space, pdfs, download, work } = yield* ready
        const { url } = yield* pdfs.url({ space })
        assert.deepStrictEqual(yield* download(url), { status: "pending" })
        yield* pdfs.url({ space })
        assert.strictEqual(yield* (yield* Storage).repository(PdfTable).count({}), 1)
        yield* work
        const done = yield* download(url)
        assert.deepInclude(done, { status: "done", name: "Handbook.pdf" })
        const bytes = done.status === "done" ? yield* done.bytes : new Uint8Array()
        assert.strictEqual(new TextDecoder().decode(bytes), "Guide, Part, Other")
      })
    )

    rule("contain a page with its descendants, or only the page", () =>
      Effect.gen(function* () {
        const { space, guide, pdfs, download, work } = yield* ready
        const text = Effect.fnUntraced(function* (options: Parameters<typeof pdfs.url>[1]) {
          const { url } = yield* pdfs.url({ space }, options)
          yield* work
          const done = yield* download(url)
          return done.status === "done" ? [done.name, new TextDecoder().decode(yield* done.bytes)] : []
        })
        assert.deepStrictEqual(yield* text({ page: guide }), ["Guide.pdf", "Guide, Part"])
        assert.deepStrictEqual(yield* text({ page: guide, only: true }), ["Guide.pdf", "Guide"])
        assert.strictEqual(yield* outcome(pdfs.url({ space }, { page: "missing" as never })), "ContentPageNotFound")
        assert.strictEqual(yield* outcome(pdfs.url({ space }, { only: true })), "InvalidInput")
      })
    )

    rule("are for everyone who reads the space; their URL is for everyone who has it", () =>
      Effect.gen(function* () {
        const { people, space, pdfs, download, work } = yield* ready
        assert.deepStrictEqual(yield* outcomes(people, pdfs.url({ space })), {
          ok: "host admin create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
        const { url } = yield* pdfs.url({ space })
        yield* work
        assert.deepStrictEqual(yield* outcomes({ outsider: people.outsider }, download(url)), { ok: "host outsider" })
      })
    )

    rule("have URLs that expire after 10 minutes, and can't be changed", () =>
      Effect.gen(function* () {
        const { space, pdfs, download, work } = yield* ready
        const { url } = yield* pdfs.url({ space })
        yield* work
        const forged = url.replace(/\/revisions\/[^/]+/, "/revisions/other")
        assert.strictEqual(yield* outcome(download(forged)), "PdfNotFound")
        assert.strictEqual(yield* outcome(download(url)), "ok")
        yield* TestClock.adjust(urlLifetime)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* outcome(download(url)), "PdfNotFound")
      })
    )

    rule("are new for new content, and stay the same for the content before", () =>
      Effect.gen(function* () {
        const { space, spaces, pdfs, work } = yield* ready
        const path = (url: string) => new URL(url).pathname
        const { revision } = yield* spaces.get(space)
        const before = path((yield* pdfs.url({ space })).url)
        yield* work
        yield* publish(space, [{ operation: "insert_page", title: "New" }])
        assert.notStrictEqual(path((yield* pdfs.url({ space })).url), before)
        assert.strictEqual(path((yield* pdfs.url({ space, revision })).url), before)
      })
    )

    rule("emit an event at the end if a member requested them", () =>
      Effect.gen(function* () {
        const { people, space, spaces, pdfs, work } = yield* ready
        yield* pdfs.url({ space }).pipe(as(people.read))
        yield* work
        yield* spaces.update(space, { title: "Refused" })
        yield* pdfs.url({ space }).pipe(as(people.edit))
        yield* work
        yield* spaces.update(space, { title: "Of the host" })
        yield* pdfs.url({ space })
        yield* work
        assert.deepStrictEqual(
          (yield* eventsOf("pdf_finished")).map(({ state, startedBy }) => [state, startedBy]),
          [
            ["success", people.read],
            ["failure", people.edit]
          ]
        )
      })
    )

    rule("that could not be written fail, and are tried again after 10 minutes", () =>
      Effect.gen(function* () {
        const { space, spaces, pdfs, download, work } = yield* ready
        yield* spaces.update(space, { title: "Refused" })
        const { url } = yield* pdfs.url({ space })
        yield* work
        assert.strictEqual(yield* outcome(download(url)), "PdfFailed")
        yield* pdfs.url({ space })
        assert.strictEqual(yield* outcome(download(url)), "PdfFailed")
        yield* TestClock.adjust(failureLifetime)
        const again = yield* pdfs.url({ space })
        assert.deepStrictEqual(yield* download(again.url), { status: "pending" })
      })
    )

    rule("in progress are at most 10 of a space", () =>
      Effect.gen(function* () {
        const { space, pdfs } = yield* ready
        for (let i = 0; i < maxPending; i++) {
          yield* publish(space, [{ operation: "insert_page", title: `Page ${i}` }])
          yield* pdfs.url({ space })
        }
        assert.strictEqual(yield* outcome(pdfs.url({ space })), "ok")
        yield* publish(space, [{ operation: "insert_page", title: "Last" }])
        assert.strictEqual(yield* outcome(pdfs.url({ space })), "TooManyPdfs")
      })
    )
  })
}
