/**
 * What people wrote into the result of a translation holds until the text it stands for changes in
 * the source. Two translations of one sentence are no edits of each other, so they are not merged
 * word by word: where the engine says a text anew, what was written in its place gives way.
 */
import { Effect, Equal } from "effect"
import type { Content, ReusableContentEntry, Root } from "../content/Content.ts"
import * as ContentEditor from "../content/ContentEditor.ts"
import type { Block, Document } from "../content/Document.ts"
import { entries, inlines, mapBlocks } from "../content/document/BlockTree.ts"
import type { ObjectDraft } from "../content/Objects.ts"
import type { PageEntry } from "../content/Page.ts"
import * as TrieDifferences from "../content/TrieDifferences.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { ObjectHash } from "../storage/ObjectStore.ts"
import type { StorageError } from "../storage/Storage.ts"

/** The result as it is now, with those texts as they were made that are made anew: ready to be merged. */
export const givingWay = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  made: { readonly before: Content; readonly after: Content },
  now: Content
) {
  if (Equal.equals(made.before, now) || Equal.equals(made.before, made.after)) return now
  const pages = yield* amended<PageEntry>(draft, made.before.pages, made.after.pages, now.pages)
  const reusable = yield* amended<ReusableContentEntry>(
    draft,
    made.before.reusableContents,
    made.after.reusableContents,
    now.reusableContents
  )
  if (pages.size + reusable.size === 0) return now
  const editor = ContentEditor.make(draft, now, yield* Timestamps.now)
  yield* editor.replacePages(pages)
  for (const entry of reusable.values()) yield* editor.putReusableContent(entry)
  return yield* editor.finish
}) as (
  draft: ObjectDraft,
  made: { readonly before: Content; readonly after: Content },
  now: Content
) => Effect.Effect<Content, StorageError>

/** Those of now whose documents were edited and are made anew, with what gives way. */
const amended = Effect.fnUntraced(function* (draft: ObjectDraft, before: Root, after: Root, now: Root) {
  const edited = new Map(
    (yield* TrieDifferences.all<Entry>(draft, before, now)).map(({ key, after: entry }) => [key, entry])
  )
  const all = new Map<string, Entry>()
  if (edited.size === 0) return all
  for (const { key, before: old, after: next } of yield* TrieDifferences.all<Entry>(draft, before, after)) {
    const entry = edited.get(key)
    if (entry?.document === undefined || old?.document === undefined || next?.document === undefined) continue
    if (old.document === next.document || old.document === entry.document) continue
    const [was, is, there] = yield* draft.readAll<Document>([old.document, next.document, entry.document])
    const document = yielding(was!, is!, there!)
    if (document !== there) all.set(key, { ...entry, document: draft.write(document) })
    yield* Effect.yieldNow
  }
  return all
}) as <E extends Entry>(
  draft: ObjectDraft,
  before: Root,
  after: Root,
  now: Root
) => Effect.Effect<Map<string, E>, StorageError>

interface Entry {
  readonly document?: ObjectHash
}

const yielding = (was: Document, is: Document, there: Document): Document => {
  const before = blocksOf(was)
  const after = blocksOf(is)
  return mapBlocks(there, (block) => {
    const [old, next] = [before.get(block.key), after.get(block.key)]
    if (old === undefined || next === undefined || block.type !== old.type) return block
    const said = inlines(old)
    if (said.length === 0 || Equal.equals(said, inlines(next)) || Equal.equals(said, inlines(block))) return block
    return { ...block, nodes: old.nodes! }
  })
}

const blocksOf = (document: Document): ReadonlyMap<string, Block> =>
  new Map(entries(document).map(({ block }) => [block.key, block]))
