/**
 * Completes the common content of folder and space with parts that both have, but the last push under this name had
 * not: the branch of the folder may contain pages that another branch pushed, or that were pulled from the space. Without
 * this, an import would add them a second time.
 *
 * A page, file or reusable content is taken over from the space if the folder has its path, and either the common
 * content lacks it, or the file is exactly the one that the space imported last.
 */
import { Effect } from "effect"
import type { Content } from "@lectern/core/content/Content"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import type { PageEntry } from "@lectern/core/content/pages/Page"
import type { ObjectDraft } from "@lectern/core/content/store/Objects"
import type { Timestamp } from "@lectern/core/schema/Text"
import type { Hasher } from "@lectern/core/storage/Hasher"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { FolderPlan } from "../import/FolderPlan.ts"
import { oidOf } from "../import/ImportedPages.ts"
import { keyedPages } from "../import/KeyedPages.ts"

interface Entry {
  readonly id: string
  readonly git?: PageEntry["git"]
}

export const adopt = Effect.fnUntraced(function* (options: {
  readonly draft: ObjectDraft
  readonly hasher: Pick<Hasher["Service"], "sha1">
  readonly common: Content
  readonly current: Content
  readonly plan: FolderPlan
  readonly now: Timestamp
}): Effect.fn.Return<Content, StorageError> {
  const { draft, hasher, common, current, plan, now } = options
  const editor = ContentEditor.make(draft, common, now)
  const reader = ContentReader.make(draft, current)
  const pageOids = new Map(
    keyedPages(plan.pages, plan.root).map(({ key, page }) => [
      key,
      page.type === "document" ? page.file.oid : oidOf(hasher, page)
    ])
  )
  const fileOids = new Map(Array.from(plan.index.files, ({ path, oid }) => [path, oid]))

  /** Returns the entries of the space to take over. */
  const adopted = <A extends Entry>(
    commonEntries: ReadonlyArray<A>,
    entries: ReadonlyArray<A>,
    folderOids: ReadonlyMap<string, string | undefined>
  ): ReadonlyArray<A> => {
    const byId = new Map(commonEntries.map((entry) => [entry.id, entry]))
    const byPath = new Map(commonEntries.flatMap((entry) => (entry.git ? [[entry.git.path, entry]] : [])))
    return entries.filter(({ id, git }) => {
      if (git === undefined || !folderOids.has(git.path)) return false
      const known = byId.get(id)
      if (known === undefined) return !byPath.has(git.path)
      return known.git?.path === git.path && known.git.oid !== git.oid && folderOids.get(git.path) === git.oid
    })
  }

  const commonPages = yield* editor.allPages
  const pages = yield* reader.allPages
  const adoptedPages = adopted(commonPages, pages, pageOids)
  const remaining = new Set([...commonPages, ...adoptedPages].map(({ id }) => id))
  const parents = new Map(pages.map(({ id, parent }) => [id, parent]))
  const parentOf = ({ parent }: PageEntry) => {
    let ancestor = parent
    while (ancestor !== null && !remaining.has(ancestor)) ancestor = parents.get(ancestor) ?? null
    return ancestor
  }
  if (adoptedPages.length > 0) {
    yield* editor.replacePages(new Map(adoptedPages.map((page) => [page.id, { ...page, parent: parentOf(page) }])))
  }
  for (const file of adopted(yield* editor.files, yield* reader.files, fileOids)) yield* editor.putFile(file)
  for (const entry of adopted(yield* editor.reusableContents, yield* reader.reusableContents, fileOids)) {
    yield* editor.putReusableContent(entry)
  }
  return yield* editor.finish
})
