/** Takes a page, or some blocks of it, back to what they were in an earlier content. */
import { Effect } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import type { Threads, TooCostly } from "../../thread/Threads.ts"
import type { ContentEditor } from "../edits/ContentEditor.ts"
import { ContentLimitReached, ContentPageNotFound } from "../edits/ContentErrors.ts"
import type { ContentReader } from "../ContentReader.ts"
import { RevertBlocks } from "../documents/EditDocument.ts"
import type { PageEntry, PageId } from "./Page.ts"
import * as PageTree from "./PageTree.ts"

export type Reverted =
  | { readonly object: "updated_page"; readonly page: PageId }
  | { readonly object: "deleted_page"; readonly pages: ReadonlyArray<PageId> }
  /** It was added since, but pages that were there before stand below it now. */
  | { readonly object: "kept_below" }

/**
 * A page that was added since goes, one that was deleted comes back, one that was changed is as it
 * was. Its place comes back too, unless what it stood under is gone or stands below it now.
 */
export const page = Effect.fnUntraced(function* (
  editor: ContentEditor,
  earlier: ContentReader,
  id: string
): Effect.fn.Return<Reverted, ContentPageNotFound | ContentLimitReached | StorageError> {
  const before = yield* earlier.page(id)
  const now = yield* editor.page(id)
  if (before === undefined) {
    if (now === undefined) return yield* new ContentPageNotFound({ page: id })
    const known = yield* earlier.pages(yield* PageTree.below(editor, id))
    if (known.some((entry) => entry !== undefined)) return { object: "kept_below" } as const
    return { object: "deleted_page", pages: yield* editor.removePage(id) } as const
  }
  if (now === undefined && (yield* editor.pageCount) >= PageTree.maxPages) {
    return yield* new ContentLimitReached({ limit: "pages", max: PageTree.maxPages })
  }
  const place = yield* placeOf(editor, earlier, before, now)
  yield* editor.replacePages(new Map([[id, { ...before, ...place }]]))
  return { object: "updated_page", page: before.id } as const
})

const placeOf = Effect.fnUntraced(function* (
  editor: ContentEditor,
  earlier: ContentReader,
  before: PageEntry,
  now: PageEntry | undefined
) {
  const { position } = before
  const height = now === undefined ? 0 : (yield* PageTree.levelsBelow(editor, before.id)).length
  // From the parent upwards: the nearest page that is still there takes it.
  const above = (yield* PageTree.ancestors(earlier, before)).toReversed()
  for (const { id } of above) {
    const parent = yield* editor.page(id)
    if (parent === undefined || parent.type === "link") continue
    if (yield* PageTree.isWithin(editor, id, before.id)) break
    if ((yield* PageTree.ancestors(editor, parent)).length + 1 + height > PageTree.maxDepth) break
    return { parent: parent.id, position }
  }
  return now !== undefined && before.parent !== null
    ? { parent: now.parent, position: now.position }
    : { parent: null, position }
})

/** Only these blocks of the page's document; everything else of the page stays. */
export const blocks = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  editor: ContentEditor,
  earlier: ContentReader,
  id: string,
  keys: ReadonlyArray<string>
): Effect.fn.Return<PageId, ContentPageNotFound | TooCostly | StorageError> {
  const now = yield* editor.page(id)
  if (now === undefined) return yield* new ContentPageNotFound({ page: id })
  const before = yield* earlier.document((yield* earlier.page(id))?.document)
  const reverting = { now: yield* editor.document(now.document), before, keys }
  yield* editor.replaceDocument(id, yield* threads.run(RevertBlocks, reverting))
  return now.id
})
