/**
 * Creates the translated content of a revision. Translates the entries that changed since the last run, and stores each
 * entry as soon as it is translated. In unchanged entries only texts without a valid translation are requested again.
 */
import { Effect } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import * as Content from "../content/Content.ts"
import * as ContentEditor from "../content/edits/ContentEditor.ts"
import type { VariableValue } from "../content/ContentReader.ts"
import type { FileEntry } from "../content/files/File.ts"
import { type ObjectDraft, Objects } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import * as Trie from "../content/store/Trie.ts"
import * as TrieDifferences from "../content/store/TrieDifferences.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceId } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import * as PageTranslation from "./PageTranslation.ts"
import { type TextPairs, withoutSourceSpace } from "./TranslateTexts.ts"
import { type TranslatedRow, TranslatedTable, type TranslatedTexts, type TranslationRow } from "./Translation.ts"
import { Translator, type TranslatorFailed } from "./Translator.ts"

/** Number of rows to read at once, and of pages to insert at once. */
const slice = 100

/** Work of one run: the source, and the state from which the run starts. */
export interface TranslationWork<E> {
  readonly translation: TranslationRow
  readonly source: SpaceId
  /** Hash of all parameters that translations depend on, other than the texts. */
  readonly key: string
  readonly instructions: string | undefined
  /** Terms with their translations. */
  readonly terms: ReadonlyArray<readonly [from: string, to: string]>
  /** Source content of the last run, and its translation. */
  readonly before: { readonly source: Content.Content; readonly translation: Content.Content }
  readonly after: Content.Content
  /** Stores an entry in a transaction, if the run is still current. */
  readonly done: (
    page: { readonly kind: TranslatedRow["kind"]; readonly words: number; readonly isNew: boolean },
    store: Effect.Effect<void, StorageError>
  ) => Effect.Effect<void, E, CurrentActor>
}

interface ChangedEntry<Entry> {
  readonly id: string
  /** Undefined if the entry was deleted. */
  readonly entry: Entry | undefined
}

export const sourceTranslation = Effect.gen(function* () {
  const objects = yield* Objects
  const translator = yield* Translator
  const translated = (yield* Storage).repository(TranslatedTable)

  const changedEntries = <Entry>(before: Content.Root, after: Content.Root) =>
    Effect.map(TrieDifferences.all<Entry>(objects, before, after), (all): ReadonlyArray<ChangedEntry<Entry>> =>
      all.map(({ key, after: entry }) => ({ id: key, entry }))
    )

  /** Returns the translated texts of one entry. Translates and stores it if necessary. */
  const textsOf = Effect.fnUntraced(function* <E>(
    work: TranslationWork<E>,
    kind: TranslatedRow["kind"],
    id: string,
    source: TranslatedTexts,
    existing: TranslatedRow | undefined
  ): Effect.fn.Return<TranslatedTexts, E | TranslatorFailed | StorageError, CurrentActor> {
    const { translation, key } = work
    const current = existing?.key === key ? existing : undefined
    const isUnchanged = current !== undefined && isSame(current.source, source)
    if (isUnchanged && current.untranslated === 0) return current.made
    const knownPairs = current === undefined ? [] : yield* objects.readUnparsed<TextPairs>(current.answers)
    const document = source.document && (yield* objects.document(source.document))
    const pageTranslation = yield* PageTranslation.translate(
      objects.threads,
      { texts: { ...source, document }, knownTranslations: knownPairs, source: work.source },
      translator,
      {
        from: translation.source?.language,
        to: translation.language,
        instructions: work.instructions,
        terms: work.terms
      }
    )
    // If the translation failed, the entry stays untranslated.
    const texts = pageTranslation ?? { ...source, document: undefined, pairs: "[]", untranslated: 1, words: 0 }
    // The remaining texts are too long for the engine.
    if (isUnchanged && texts.words === 0) return current.made
    const draft = objects.draft()
    const result = textsIn({
      ...texts,
      document: pageTranslation === undefined ? source.document : storeDocument(draft, pageTranslation.document)
    })
    // Yields, since hashing may take long.
    yield* Effect.yieldNow
    const row: TranslatedRow = {
      translation: translation.id,
      kind,
      id,
      space: work.source,
      key,
      source,
      made: result,
      answers: draft.writeJson(texts.pairs),
      untranslated: texts.untranslated
    }
    const store = Effect.gen(function* () {
      yield* draft.flush
      yield* translated.remove({ translation: translation.id, kind, id })
      yield* translated.insert(row).pipe(Effect.catchTag("UniqueConflict", Effect.die))
    })
    yield* draft.flushAhead
    yield* work.done({ kind, words: texts.words, isNew: existing === undefined }, store)
    return result
  })

  /** Returns unchanged entries that contain texts without a valid translation. */
  const incompleteEntries = Effect.fnUntraced(function* <Entry>(
    { translation }: TranslationWork<unknown>,
    kind: TranslatedRow["kind"],
    root: Content.Root,
    changed: ReadonlyArray<ChangedEntry<Entry>>
  ): Effect.fn.Return<ReadonlyArray<ChangedEntry<Entry>>, StorageError> {
    const checkedIds = new Set(changed.map(({ id }) => id))
    const rows = yield* translated.list({ where: { translation: translation.id, incomplete: true } })
    const ids = rows.filter((row) => row.kind === kind && !checkedIds.has(row.id)).map(({ id }) => id)
    const entries = yield* Trie.getMany<Entry>(objects, root, ids)
    return ids.map((id, i) => ({ id, entry: entries[i] }))
  })

  /** Translates the entries that changed or are incomplete. Returns them by id; undefined for deleted entries. */
  const translateAll = Effect.fnUntraced(function* <Entry extends TranslatedTexts, E>(
    work: TranslationWork<E>,
    kind: TranslatedRow["kind"],
    roots: { readonly before: Content.Root; readonly after: Content.Root },
    entryOf: (entry: Entry, texts: TranslatedTexts) => Entry
  ): Effect.fn.Return<Map<string, Entry | undefined>, E | TranslatorFailed | StorageError, CurrentActor> {
    const differences = yield* changedEntries<Entry>(roots.before, roots.after)
    const changed = [...differences, ...(yield* incompleteEntries(work, kind, roots.after, differences))]
    const entries = new Map<string, Entry | undefined>()
    for (let start = 0; start < changed.length; start += slice) {
      const part = changed.slice(start, start + slice)
      const keys = part.map(({ id }) => ({ translation: work.translation.id, kind, id }))
      const existing = yield* translated.getMany(keys)
      for (const [i, { id, entry }] of part.entries()) {
        entries.set(id, entry && entryOf(entry, yield* textsOf(work, kind, id, textsIn(entry), existing[i])))
        yield* Effect.yieldNow
      }
      const removedKeys = keys.filter((_, i) => part[i]!.entry === undefined && existing[i] !== undefined)
      if (removedKeys.length > 0) yield* translated.remove(removedKeys)
    }
    return entries
  })

  /** Returns the translated content, written to the draft. */
  return Effect.fnUntraced(function* <E>(
    work: TranslationWork<E>,
    draft: ObjectDraft
  ): Effect.fn.Return<Content.Content, E | TranslatorFailed | StorageError, CurrentActor> {
    const { before, after } = work
    const pages = yield* translateAll<PageEntry, E>(
      work,
      "page",
      { before: before.source.pages, after: after.pages },
      (page, texts) => pageOf(work.source, page, texts)
    )
    const reusableContents = yield* translateAll<Content.ReusableContentEntry, E>(
      work,
      "reusable-content",
      { before: before.source.reusableContents, after: after.reusableContents },
      reusableContentOf
    )
    const editor = ContentEditor.make(draft, before.translation, yield* Timestamps.now)
    // Pages are inserted in parts if the translation is still empty. Otherwise one step replaces all pages, since pages
    // may have swapped their slugs.
    const parts = before.translation.pages === null ? partsOf(pages) : [pages]
    for (const part of parts) {
      yield* editor.replacePages(part)
      yield* Effect.yieldNow
    }
    for (const [id, entry] of reusableContents) {
      yield* entry === undefined ? editor.removeReusableContent(id) : editor.putReusableContent(entry)
    }
    for (const { id, entry } of yield* changedEntries<FileEntry>(before.source.files, after.files)) {
      yield* entry === undefined ? editor.removeFile(id) : editor.putFile(entry)
    }
    for (const { id, entry } of yield* changedEntries<VariableValue>(before.source.variables, after.variables)) {
      yield* editor.setVariable(id, entry)
    }
    return yield* editor.finish
  })
})

const storeDocument = (draft: ObjectDraft, json: string | undefined) =>
  json === undefined ? undefined : draft.writeJson(json)

const partsOf = <Entry>(pages: ReadonlyMap<string, Entry>): ReadonlyArray<ReadonlyMap<string, Entry>> => {
  const all = Array.from(pages)
  return Array.from({ length: Math.ceil(all.length / slice) }, (_, i) => new Map(all.slice(i * slice, (i + 1) * slice)))
}

const textsIn = ({
  title,
  description,
  document
}: { [K in keyof TranslatedTexts]: TranslatedTexts[K] | undefined }) => ({
  title: title!,
  ...(description !== undefined && { description }),
  ...(document !== undefined && { document })
})

const isSame = (a: TranslatedTexts, b: TranslatedTexts) =>
  a.title === b.title && a.description === b.description && a.document === b.document

/** Returns the translated page, without the Git path of the source. */
const pageOf = (source: SpaceId, { git: _, ...page }: PageEntry, texts: TranslatedTexts): PageEntry => {
  const { cover, target } = page
  return {
    ...page,
    ...texts,
    ...(target !== undefined && { target: withoutSourceSpace(source, target) }),
    ...(cover !== undefined && {
      cover: {
        ...cover,
        ...(cover.ref !== undefined && { ref: withoutSourceSpace(source, cover.ref) }),
        ...(cover.refDark !== undefined && { refDark: withoutSourceSpace(source, cover.refDark) })
      }
    })
  }
}

const reusableContentOf = (
  { git: _, ...entry }: Content.ReusableContentEntry,
  { title, document }: TranslatedTexts
): Content.ReusableContentEntry => ({ ...entry, title, ...(document !== undefined && { document }) })
