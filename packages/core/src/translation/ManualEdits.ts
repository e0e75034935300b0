/**
 * Keeps hand edits in the result of a translation until their text changes in the source. Two translations of a
 * sentence are not merged word by word, because neither is an edit of the other. If the engine translates a text again
 * because the source changed, the hand edit is replaced. If the engine translates a text for the first time, the hand
 * edit stays. Removed parts stay removed.
 */
import { Effect, Equal } from "effect"
import type { Content, ReusableContentEntry } from "../content/Content.ts"
import * as ContentEditor from "../content/edits/ContentEditor.ts"
import type { ObjectDraft } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import * as Trie from "../content/store/Trie.ts"
import * as TrieDifferences from "../content/store/TrieDifferences.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { ObjectHash } from "../storage/ObjectStore.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Fallback from "../thread/Fallback.ts"
import { AmendDocuments, type AmendedDocuments } from "./AmendDocuments.ts"

/** Content at the last run and at this run. */
export interface RunContents {
  readonly before: Content
  readonly after: Content
}

/**
 * Returns base and main content for the merge of a new translation into the result. Where the engine's text replaces a
 * hand edit, main contains the former translation. Where a hand edit stays, base contains the new translation. So the
 * merge chooses the right version of each text. Without a source everything is replaced.
 */
export const mergeSides = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  translation: RunContents,
  source: RunContents | undefined,
  now: Content
): Effect.fn.Return<{ readonly base: Content; readonly main: Content }, StorageError> {
  const untouched = { base: translation.before, main: now }
  if (Equal.equals(translation.before, now) || Equal.equals(translation.before, translation.after)) return untouched
  const pages = yield* amendedEntries<PageEntry>(draft, translation, source, now, "pages")
  const reusable = yield* amendedEntries<ReusableContentEntry>(draft, translation, source, now, "reusableContents")
  const writeSide = Effect.fnUntraced(function* (content: Content, side: "base" | "main") {
    if (pages[side].size + reusable[side].size === 0) return content
    const editor = ContentEditor.make(draft, content, yield* Timestamps.now)
    yield* editor.replacePages(pages[side])
    for (const entry of reusable[side].values()) yield* editor.putReusableContent(entry)
    return yield* editor.finish
  })
  return { base: yield* writeSide(translation.before, "base"), main: yield* writeSide(now, "main") }
})

interface Entry {
  readonly title: string
  readonly description?: string
  readonly document?: ObjectHash
}

interface AmendedEntries<E> {
  readonly base: Map<string, E>
  readonly main: Map<string, E>
}

/** An entry of the last run, of this run, and the current one with edits. */
interface Versions {
  readonly old: Entry
  readonly next: Entry
  readonly entry: Entry
}

/** An entry in the source at the last run and at this run. */
interface Sources {
  readonly before: Entry | undefined
  readonly after: Entry | undefined
}

/**
 * Returns the base and main entries for the merge. Only of entries that were edited or removed by hand, and that this
 * run translated again.
 */
const amendedEntries = Effect.fnUntraced(function* <E extends Entry>(
  draft: ObjectDraft,
  translation: RunContents,
  source: RunContents | undefined,
  now: Content,
  field: "pages" | "reusableContents"
): Effect.fn.Return<AmendedEntries<E>, StorageError> {
  const all: AmendedEntries<E> = { base: new Map(), main: new Map() }
  const edited = new Map(
    (yield* TrieDifferences.all<Entry>(draft, translation.before[field], now[field])).map(({ key, after: entry }) => [
      key,
      entry
    ])
  )
  if (edited.size === 0) return all
  const editedEntries: Array<Versions & { readonly key: string }> = []
  for (const { key, before: old, after: next } of yield* TrieDifferences.all<E>(
    draft,
    translation.before[field],
    translation.after[field]
  )) {
    if (old === undefined || next === undefined || !edited.has(key)) continue
    const entry = edited.get(key)
    if (entry === undefined) all.base.set(key, next)
    else editedEntries.push({ key, old, next, entry })
  }
  const keys = editedEntries.map(({ key }) => key)
  const before = yield* Trie.getMany<Entry>(draft, source?.before[field] ?? null, keys)
  const after = yield* Trie.getMany<Entry>(draft, source?.after[field] ?? null, keys)
  for (const [i, { key, ...versions }] of editedEntries.entries()) {
    const sources = { before: before[i], after: after[i] }
    const documents = yield* amendedDocuments(draft, versions, sources)
    const base = { ...versions.old, ...editedFields(versions, sources), ...documents.base }
    if (!Equal.equals(base, versions.old)) all.base.set(key, base as E)
    if (documents.main !== undefined) all.main.set(key, { ...versions.entry, ...documents.main } as E)
    yield* Effect.yieldNow
  }
  return all
})

/**
 * Returns the new title and description for the base entry. Only those that were edited by hand and did not change in
 * the source.
 */
const editedFields = ({ old, next, entry }: Versions, { before, after }: Sources): Partial<Entry> =>
  before === undefined || after === undefined
    ? {}
    : Object.fromEntries(
        (["title", "description"] as const)
          .filter((name) => entry[name] !== old[name] && next[name] !== undefined && before[name] === after[name])
          .map((name) => [name, next[name]])
      )

const amendedDocuments = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  { old, next, entry }: Versions,
  { before, after }: Sources
) {
  if (old.document === undefined || next.document === undefined || entry.document === undefined) return {}
  if (old.document === next.document || old.document === entry.document) return {}
  const [previous, nextDocument, current] = yield* draft.documents([old.document, next.document, entry.document])
  const hasSources = before?.document !== undefined && after?.document !== undefined
  const [sourceBefore, sourceAfter] = hasSources ? yield* draft.documents([before.document!, after.document!]) : []
  const { base, main } = yield* Fallback.withFallback(
    "What people wrote into a translation could not be compared with it",
    draft.threads.run(
      AmendDocuments,
      { previous: previous!, next: nextDocument!, current: current!, sourceBefore, sourceAfter },
      { patient: true }
    ),
    Effect.succeed<AmendedDocuments>({})
  )
  return {
    ...(base !== undefined && { base: { document: draft.writeJson(base) } }),
    ...(main !== undefined && { main: { document: draft.writeJson(main) } })
  }
})
