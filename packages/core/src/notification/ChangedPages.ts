/**
 * Pages that a revision of the main content changed: created, edited, moved and deleted ones, and how the change came
 * about.
 *
 * Limit: the first 1,000 changed pages, by id. Who watches only another page is not notified.
 */
import { Effect } from "effect"
import type { PageEntry, PageId } from "../content/pages/Page.ts"
import type { RevisionId } from "../content/revisions/Revision.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { Objects } from "../content/store/Objects.ts"
import * as TrieDifferences from "../content/store/TrieDifferences.ts"

const maxChangedPages = 1_000

export interface ChangedPage {
  readonly id: PageId
  readonly title: string
}

export const makeChangedPages = Effect.gen(function* () {
  const revisions = yield* Revisions
  const objects = yield* Objects

  return Effect.fnUntraced(function* (id: RevisionId) {
    const { content, replaces, mergedFrom } = yield* revisions.get(id)
    const before = replaces === undefined ? undefined : (yield* revisions.get(replaces)).content
    const differences = before && (yield* TrieDifferences.all<PageEntry>(objects, before.pages, content.pages))
    const changed = (differences ?? []).slice(0, maxChangedPages).map((page): ChangedPage => {
      const { id, title } = (page.after ?? page.before)!
      return { id, title }
    })
    return { isMerge: mergedFrom !== undefined, changed }
  })
})
