/** Reverts a page, or some of its blocks, to an earlier content. */
import { Effect } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import type { Threads, TooCostly } from "../../thread/Threads.ts"
import type { ContentEditor } from "../edits/ContentEditor.ts"
import { ContentLimitReached, ContentPageNotFound } from "../edits/ContentErrors.ts"
import type { ContentReader } from "../ContentReader.ts"
import { RevertBlocks } from "../documents/EditDocument.ts"
import type { PageEntry, PageId } from "./Page.ts"
import * as PageTree from "./PageTree.ts"

export type RevertResult =
  | { readonly object: "updated_page"; readonly page: PageId }
  | { readonly object: "deleted_page"; readonly pages: ReadonlyArray<PageId> }
  /**
   * The page was not changed. It was added after the earlier content, but pages of the earlier content are now below
   * it.
   */
  | { readonly object: "kept_below" }

/**
 * Reverts a page: deletes a page that was added since, restores a deleted page, and resets a changed page. The position
 * is restored too, unless the former parent was deleted or is now below the page. Fails with `ContentLimitReached` if
 * restoring the page exceeds the maximum number of pages.
 */
export const page = Effect.fnUntraced(function* (
  editor: ContentEditor,
  earlier: ContentReader,
  id: string
): Effect.fn.Return<RevertResult, ContentPageNotFound | ContentLimitReached | StorageError> {
  const before = yield* earlier.page(id)
  const now = yield* editor.page(id)
  if (before === undefined) {
    if (now === undefined) return yield* new ContentPageNotFound({ page: id })
    const earlierPages = yield* earlier.pages(yield* PageTree.descendants(editor, id))
    if (earlierPages.some((entry) => entry !== undefined)) return { object: "kept_below" } as const
    return { object: "deleted_page", pages: yield* editor.removePage(id) } as const
  }
  if (now === undefined && (yield* editor.pageCount) >= PageTree.maxPages) {
    return yield* new ContentLimitReached({ limit: "pages", max: PageTree.maxPages })
  }
  const position = yield* restoredPosition(editor, earlier, before, now)
  yield* editor.replacePages(new Map([[id, { ...before, ...position }]]))
  return { object: "updated_page", page: before.id } as const
})

const restoredPosition = Effect.fnUntraced(function* (
  editor: ContentEditor,
  earlier: ContentReader,
  before: PageEntry,
  now: PageEntry | undefined
) {
  const { position } = before
  const height = now === undefined ? 0 : (yield* PageTree.descendantLevels(editor, before.id)).length
  // The new parent is the nearest former ancestor that still exists.
  const formerAncestors = (yield* PageTree.ancestors(earlier, before)).toReversed()
  for (const { id } of formerAncestors) {
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

/** Reverts only these blocks of the page's document. Everything else of the page stays. */
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
  const revertInput = { now: yield* editor.document(now.document), before, keys }
  yield* editor.replaceDocument(id, yield* threads.run(RevertBlocks, revertInput))
  return now.id
})
