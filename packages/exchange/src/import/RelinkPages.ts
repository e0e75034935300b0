/**
 * Resolves the unresolved links of unchanged pages again, since the import may have added their targets. Threads search
 * large pages. If this takes too long, the links stay unresolved.
 */
import { Effect } from "effect"
import { Slice } from "@lectern/core/storage/Slice"
import * as Fallback from "@lectern/core/thread/Fallback"
import { FindReferences, MapReferences } from "@lectern/core/content/documents/DocumentReferences"
import type { ContentRef } from "@lectern/document/Document"
import * as StoredDocument from "@lectern/core/content/documents/StoredDocument"
import { type ImportRun, orDie } from "./ImportRun.ts"
import * as PageSource from "./PageSource.ts"
import type { PlannedDocument } from "./PlannedPage.ts"

export const relinkUnchanged = Effect.fnUntraced(function* (run: ImportRun) {
  const { added, cache, changed, editor, fileIds, existingFiles, existingPages, pageIds, pages, unchanged } = run
  // With a cache, the pages whose links have other targets were parsed again.
  if (cache !== undefined) return
  const isNewFile = (path: string) => !existingFiles.has(path)
  if (existingPages.size === 0 || (added.size === 0 && !Array.from(fileIds.keys()).some(isNewFile))) return
  for (const { key, page } of pages) {
    if (page.type !== "document" || !unchanged.has(key)) continue
    const entry = (yield* editor.page(pageIds.get(key)!))!
    const document = yield* editor.document(entry.document)
    yield* Effect.yieldNow
    const relinkedDocument = yield* Fallback.withFallback(
      "The links of a page could not be mended",
      relink(run, page, document),
      Effect.undefined
    )
    if (relinkedDocument === undefined) continue
    yield* orDie(editor.setDocument(entry.id, relinkedDocument))
    unchanged.delete(key)
    changed.add(key)
  }
})

/** Returns the document with newly resolved links. Undefined if no link was resolved. */
const relink = Effect.fnUntraced(function* (
  { read, resolver, textOf, threads }: ImportRun,
  { file }: PlannedDocument,
  document: StoredDocument.StoredDocument
) {
  const refs = new Map<string, ContentRef>()
  const urls = new Map<string, string>()
  const slice = yield* Slice.start
  for (const [name, ref] of yield* threads.run(
    FindReferences,
    { document, stored: StoredDocument.empty },
    patientOptions
  )) {
    const resolvedRef = ref.kind === "url" ? resolver.resolve(ref.url, file.path) : undefined
    if (ref.kind === "url" && resolvedRef !== undefined) {
      refs.set(name, resolvedRef)
      urls.set(name, ref.url)
    }
    if (slice.isOver()) yield* slice.pause
  }
  if (refs.size === 0) return undefined
  const unresolvedUrls = PageSource.urlsOf(textOf(yield* read(file), file.path))
  for (const [name, url] of urls) if (unresolvedUrls.has(url)) refs.delete(name)
  return refs.size === 0 ? undefined : yield* threads.run(MapReferences, { document, refs }, patientOptions)
})

const patientOptions = { patient: true }
