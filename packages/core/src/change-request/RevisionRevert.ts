/**
 * Computes the content of a change request that returns a space, or some of its pages, to an earlier revision. Returned
 * pages keep their ids, so links to them work. Files of deleted pages do not return with single pages.
 */
import { Effect } from "effect"
import { type Content, hasEqualContent } from "../content/Content.ts"
import * as ContentEditor from "../content/edits/ContentEditor.ts"
import * as ContentReader from "../content/ContentReader.ts"
import * as PageRevert from "../content/pages/PageRevert.ts"
import { Objects } from "../content/store/Objects.ts"
import { InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"

export const makeRevisionRevert = Effect.gen(function* () {
  const objects = yield* Objects

  /** Returns the content of main with pages of the earlier content. Default: all of the earlier content. */
  return Effect.fnUntraced(function* (main: Content, earlier: Content, pages: ReadonlyArray<string> | undefined) {
    const draft = objects.draft()
    const content =
      pages === undefined
        ? earlier
        : yield* withPages(
            ContentEditor.make(draft, main, yield* Timestamps.now),
            ContentReader.make(draft, earlier),
            pages
          )
    return hasEqualContent(main, content) ? undefined : { draft, content }
  })
})

const withPages = Effect.fnUntraced(function* (
  editor: ContentEditor.ContentEditor,
  earlier: ContentReader.ContentReader,
  pages: ReadonlyArray<string>
) {
  for (const [i, page] of pages.entries()) {
    const invalid = (message: string) => new InvalidInput({ issues: [{ path: `body.pages[${i}]`, message }] })
    const { object } = yield* PageRevert.page(editor, earlier, page).pipe(
      Effect.catchTags({
        ContentPageNotFound: () => Effect.fail(invalid("Expected a page of the space or of the revision")),
        ContentLimitReached: ({ max }) => Effect.fail(invalid(`A space has at most ${max} pages`))
      })
    )
    if (object === "kept_below")
      return yield* invalid("Pages of the revision are below this page now. Move them away first")
  }
  return yield* editor.finish
})
