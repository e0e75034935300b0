/** Tests what an import takes from a reader of HTML and Word: pages up to the limit, and their problems. */
import { assert, describe, it } from "@effect/vitest"
import { ImportLimits } from "@lectern/exchange/import/ContentImport"
import * as SourceFolders from "@lectern/exchange/import/SourceFolders"
import {
  type ArchivedFile,
  type Reader,
  type SourcePage,
  SourceUnreadable
} from "@lectern/exchange/import/SourceReader"
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { Effect } from "effect"

const none = Effect.fail(new SourceUnreadable({ message: "Not read" }))

/** Returns a reader of HTML, and the number of pages that it has read. */
const readerOf = (page: Partial<SourcePage>) => {
  const count = { pages: 0 }
  const html = () =>
    Effect.sync((): SourcePage => {
      count.pages++
      return { markdown: "", links: [], images: [], files: [], ...page }
    })
  const reader: Reader = { html, markdown: () => none, docx: () => none, archive: () => none, sitemap: () => none }
  return { reader, count }
}

const pages = (count: number): ReadonlyArray<ArchivedFile> =>
  Array.from({ length: count }, (_, i) => ({ path: `${i}.html`, size: 1, bytes: Effect.succeed(new Uint8Array(1)) }))

const folderOf = (files: ReadonlyArray<ArchivedFile>, reader: Reader) =>
  Effect.gen(function* () {
    const limits = { ...(yield* ImportLimits), totalBytes: 1024 }
    return yield* SourceFolders.fromFiles(files, { fetcher: yield* GuardedFetch, reader, limits })
  }).pipe(Effect.provide(GuardedFetch.layer), Effect.scoped)

describe("Pages of HTML and Word", () => {
  it.effect("are not read any more once they have as many bytes as they may", () =>
    Effect.gen(function* () {
      const { reader, count } = readerOf({ markdown: "a".repeat(600) })
      const { plan } = yield* folderOf(pages(20), reader)
      assert.strictEqual(count.pages, 2)
      assert.lengthOf(plan.problems, 19)
      assert.deepStrictEqual(
        plan.pages.map(({ title }) => title),
        [undefined]
      )
    })
  )

  it.effect("have the structure that was lost in the report", () =>
    Effect.gen(function* () {
      const { reader } = readerOf({ markdown: "a", problems: ["Tables became paragraphs: 1"] })
      const { plan } = yield* folderOf(pages(1), reader)
      assert.deepStrictEqual(plan.problems, [{ path: "0.html", message: "Tables became paragraphs: 1" }])
    })
  )
})
