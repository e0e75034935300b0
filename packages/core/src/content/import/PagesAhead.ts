/**
 * Reads the pages of an import in their order, small ones in parts of which a thread reads some (see `InOrder`).
 *
 * Limits: a part has 64 KiB of text and 32 pages. A thread takes longer to begin than to read 1 MiB of pages, or in
 * one that is there less than 8 KiB are not worth the way.
 */
import { Effect, type Scope } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import { cutInParts } from "../../thread/CutInParts.ts"
import { inOrder } from "../../thread/InOrder.ts"
import * as Otherwise from "../../thread/Otherwise.ts"
import type { FolderFile, FolderTooLarge, FolderUnreadable } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"
import { isReadable } from "./FolderPlan.ts"
import type { ImportRun } from "./ImportRun.ts"
import type { KeyedPage } from "./KeyedPages.ts"
import type { PlannedDocument } from "./PlannedPage.ts"
import { maxSmall, type PageRead } from "./ReadPage.ts"
import { ReadPages, received } from "./ReadPages.ts"

const most = { size: 64 * 1024, count: 32 }
const leastForThread = 1024 * 1024
const leastAtOnce = 8 * 1024

/** A page of which the file is read. */
export interface FetchedPage {
  readonly bytes: Uint8Array
  readonly oid: string
  /** Undefined where the file is as it was at the import before. */
  readonly page: PageRead | undefined
}

type Failure = FolderTooLarge | FolderUnreadable | StorageError

interface ReadablePage extends KeyedPage {
  readonly page: PlannedDocument
}

const isReadablePage = (page: KeyedPage): page is ReadablePage =>
  page.page.type === "document" && isReadable(page.page.file)

/** Tells whether so much is to be read that a thread is worth its beginning. */
export const isLong = (files: ReadonlyArray<FolderFile>): boolean => {
  let size = 0
  for (const file of files) if (FolderPath.isMarkdown(file.path) && isReadable(file)) size += file.size
  return size >= leastForThread
}

/** How a page is named, and shown, by the table of contents. */
export const fileOf = ({ key, page }: { readonly key: string; readonly page: PlannedDocument }) => ({
  path: key,
  title: page.title,
  hidden: page.hidden ?? false
})

/** Gives the next of those pages that can be read. */
export const read = Effect.fnUntraced(function* (
  run: ImportRun
): Effect.fn.Return<Effect.Effect<FetchedPage, Failure>, never, Scope.Scope> {
  const { knownPages, resolver, threads } = run
  const readable = run.pages.filter(isReadablePage)
  const places = threads.count > 0 && isLong(readable.map(({ page }) => page.file)) ? resolver.places : undefined

  const fetched = Effect.fnUntraced(function* (one: ReadablePage) {
    const { bytes, oid } = yield* run.read(one.page.file)
    return { ...one, bytes, oid, isOther: knownPages.get(one.key)?.git?.oid !== oid }
  })
  type Fetched = Effect.Success<ReturnType<typeof fetched>>

  const inPlace = Effect.fnUntraced(function* (part: ReadonlyArray<Fetched>) {
    const pages: Array<FetchedPage> = []
    for (const one of part) {
      pages.push({ ...one, page: one.isOther ? yield* run.readPage(one.bytes, fileOf(one)) : undefined })
      // Reading a page is the longest that anything here holds the event loop.
      if (one.isOther) yield* Effect.yieldNow
    }
    return pages
  })

  const here = (part: ReadonlyArray<ReadablePage>) => Effect.flatMap(Effect.forEach(part, fetched), inPlace)

  const there = Effect.fnUntraced(function* (part: ReadonlyArray<ReadablePage>) {
    const all = yield* Effect.forEach(part, fetched)
    const asked = all.flatMap((one) =>
      one.isOther ? [{ text: run.textOf(one.bytes), file: fileOf(one), key: run.nextKey() }] : []
    )
    const length = asked.reduce((sum, { text }) => sum + text.length, 0)
    if (length < leastAtOnce || asked.some(({ text }) => text.length > maxSmall)) return yield* inPlace(all)
    const read = threads.run(ReadPages, { pages: asked, fenced: run.fenced }, { patient: true, shared: places! }).pipe(
      Effect.map((answer) => {
        for (const path of answer.referred) resolver.refer(path)
        const pages = received(answer).values()
        return all.map((one): FetchedPage => ({ ...one, page: one.isOther ? pages.next().value : undefined }))
      })
    )
    // One of them may be to blame: in place each is read by itself.
    return yield* Otherwise.orElse("Pages could not be read in a thread", read, inPlace(all))
  })

  const parts = cutInParts(readable, ({ page }) => page.file.size, most)
  const nextPart = yield* inOrder({ parts, here, there: places && there })
  let part: Iterator<FetchedPage> = [].values()
  return Effect.gen(function* () {
    let next = part.next()
    if (next.done === true) {
      part = (yield* nextPart)!.values()
      next = part.next()
    }
    return next.value as FetchedPage
  })
})
