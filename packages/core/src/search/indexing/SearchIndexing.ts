/**
 * Keeps the search index up to date. Whoever makes a revision main asks `prepare` for what has
 * changed, outside the transaction, and runs what it gets inside; then it waits for `settle`, so
 * that all is found when its caller hears of it. A small change goes in with its own commit. A large
 * one, and a space that begins with content (a duplicate), is indexed page by page in short
 * transactions, by `settle` or by a job; what a crash leaves half done, the job finishes.
 *
 * The index holds words alone, by page: paths are made when something is found, so that a move
 * costs nothing. Words have the forms of the space's language, and are of a version (see `PageWords`):
 * a job reads a space anew whose language was changed, or whose words are of another version.
 *
 * Limits: a commit takes 50 pages along.
 */
import { Context, Effect, Fiber, Schema, Stream } from "effect"
import * as Content from "../../content/Content.ts"
import { IndexDocument } from "../../content/documents/IndexDocument.ts"
import * as StoredDocument from "../../content/documents/StoredDocument.ts"
import { type ObjectReader, Objects } from "../../content/store/Objects.ts"
import type { PageEntry } from "../../content/pages/Page.ts"
import type { RevisionId, RevisionRow } from "../../content/revisions/Revision.ts"
import { Revisions } from "../../content/revisions/Revisions.ts"
import * as TrieDifferences from "../../content/store/TrieDifferences.ts"
import * as Job from "../../job/Job.ts"
import { Jobs } from "../../job/Jobs.ts"
import type { Language } from "../../schema/Language.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../../space/Space.ts"
import { type SearchChange, SearchIndex } from "../../storage/SearchIndex.ts"
import { KeyedTurns } from "../../storage/KeyedTurns.ts"
import { Slice } from "../../storage/Slice.ts"
import { type Patch, Storage, type StorageError } from "../../storage/Storage.ts"
import { isFound, sameWords, version, wordsOf } from "../PageWords.ts"
import { type SearchState, SearchStateTable } from "../SearchState.ts"
import { removePages } from "./SearchRemoval.ts"
import { wired } from "../../wiring/Wired.ts"

/** How many pages a commit takes along. */
const pagesPerCommit = 50

/**
 * How much of a larger work is written at once: a commit costs more than most pages, and what is written holds up
 * everybody else.
 */
const pagesAtOnce = 32
const wordsAtOnce = 16_000

export const IndexSpace = Job.kind("index-space", Schema.Struct({ space: SpaceId }))

/** Work for the transaction that makes `revision` main. */
export interface PreparedIndexing {
  readonly commit: (change: {
    readonly space: SpaceId
    readonly before: RevisionId
    readonly revision: RevisionId
  }) => Effect.Effect<void, StorageError>
}

export class SearchIndexing extends Context.Service<
  SearchIndexing,
  {
    /** Prepares the changes of the index between two contents of a space; `objects` reads both. */
    readonly prepare: (
      objects: ObjectReader,
      space: SpaceId,
      before: Content.Content,
      after: Content.Content
    ) => Effect.Effect<PreparedIndexing, StorageError>
    /** In the transaction that makes a space: what it begins with is indexed by a job. */
    readonly begin: (
      space: SpaceId,
      revision: RevisionRow,
      language: Language | undefined
    ) => Effect.Effect<void, StorageError>
    /** In the transaction that changes the language of a space: a job reads it anew. */
    readonly relearn: (space: SpaceId) => Effect.Effect<void, StorageError>
    /** After the commit: waits until the index holds what is main now. The job does it where this can't. */
    readonly settle: (space: SpaceId) => Effect.Effect<void>
    /** Brings the index to what is main now, or empties it where the space is gone. */
    readonly catchUp: (space: SpaceId) => Effect.Effect<void, StorageError>
    /** Tells whether the index holds main, in its language. */
    readonly holds: (space: SpaceRow) => Effect.Effect<boolean, StorageError>
    /** Tells whether the index holds main of all of these. Where it doesn't, a job is asked to bring it there. */
    readonly areCurrent: (spaces: ReadonlyArray<SpaceRow>) => Effect.Effect<boolean, StorageError>
  }
>()("@lectern/core/search/indexing/SearchIndexing") {
  static readonly layer = wired(
    SearchIndexing,
    Effect.gen(function* () {
      const storage = yield* Storage
      const index = yield* SearchIndex
      const objects = yield* Objects
      const revisions = yield* Revisions
      const jobs = yield* Jobs
      const states = storage.repository(SearchStateTable)
      const spaces = storage.repository(SpaceTable)
      const turns = new KeyedTurns({ maxWaiting: Infinity })

      const insert = (state: SearchState) =>
        states.insert(state).pipe(Effect.catchTag("UniqueConflict", () => Effect.void))
      const patch = (space: SpaceId, fields: Patch<SearchState>) => states.update({ space }, fields).pipe(Effect.asVoid)
      const enqueue = (space: SpaceId) => Effect.asVoid(jobs.enqueue(IndexSpace, { space }, { key: space }))
      const isBehind = (
        state: SearchState | undefined,
        { revision, language }: Pick<SpaceRow, "revision" | "language">
      ) =>
        state === undefined ||
        state.revision !== revision ||
        state.language !== language ||
        state.target !== undefined ||
        state.words !== version

      const holds = (space: SpaceRow) => Effect.map(states.get({ space: space.id }), (state) => !isBehind(state, space))

      const changeOf = Effect.fnUntraced(function* (
        reader: ObjectReader,
        language: Language | undefined,
        id: string,
        page: PageEntry | undefined
      ): Effect.fn.Return<SearchChange, StorageError> {
        if (page === undefined || !isFound(page)) return { page: id, words: undefined }
        const document = page.document === undefined ? StoredDocument.empty : yield* reader.document(page.document)
        const { title, description } = page
        const named = { title, ...(description !== undefined && { description }) }
        const words = yield* reader.threads
          .run(IndexDocument, { page: named, document, language })
          // Then it is found by its names.
          .pipe(Effect.catchTag("TooCostly", () => Effect.succeed(wordsOf(named, [], language))))
        return { page: id, words }
      })

      /** The pages that differ for the index. More than `limit` of them: some, but more than that. */
      const differences = Effect.fnUntraced(function* (
        reader: ObjectReader,
        before: Content.Content,
        after: Content.Content,
        limit = Infinity
      ) {
        const found: Array<TrieDifferences.Difference<PageEntry>> = []
        const slice = yield* Slice.begin
        yield* TrieDifferences.inSlices<PageEntry>(reader, before.pages, after.pages).pipe(
          Stream.runForEachWhile((pages) => {
            for (const page of pages) if (!sameWords(page.before, page.after)) found.push(page)
            return Effect.as(slice.isOver() ? slice.rest : Effect.void, found.length <= limit)
          })
        )
        return found.sort((a, b) => (a.key < b.key ? -1 : 1))
      })

      /** One after another, so that two at once in a process don't do the same work. */
      const alone = <A, E>(space: SpaceId, effect: Effect.Effect<A, E>) => turns.take(space, () => effect)

      /** Writes a part of the target, and tells whether it is the target still. */
      const write = (
        space: SpaceId,
        { target, language }: Pick<SearchState, "target" | "language">,
        changes: ReadonlyArray<SearchChange>
      ) =>
        storage.transaction(
          Effect.gen(function* () {
            const state = yield* states.get({ space })
            if (state?.target !== target || state?.language !== language || state?.words !== version) return false
            yield* index.change(space, changes)
            return true
          })
        )

      const advance = Effect.fnUntraced(function* (
        space: SpaceId,
        from: RevisionId | null,
        to: Pick<SearchState, "language"> & { readonly target: RevisionId }
      ) {
        const { target, language } = to
        const before = from === null ? Content.empty : (yield* revisions.get(from)).content
        const changed = yield* differences(objects, before, (yield* revisions.get(target)).content)
        let group: Array<SearchChange> = []
        let words = 0
        // A part is written while the next one is computed: the disk takes as long for it as that takes.
        let written: Effect.Effect<boolean, StorageError> = Effect.succeed(true)
        const slice = yield* Slice.begin
        for (const { key, after } of changed) {
          const change = yield* changeOf(objects, language, key, after)
          group.push(change)
          words += countOf(change)
          if (slice.isOver()) yield* slice.rest
          if (group.length < pagesAtOnce && words < wordsAtOnce) continue
          if (!(yield* written)) return
          written = Fiber.join(yield* Effect.forkChild(write(space, to, group)))
          group = []
          words = 0
          yield* slice.rest
        }
        if (!(yield* written)) return
        yield* storage.transaction(
          Effect.gen(function* () {
            if (yield* write(space, to, group)) yield* patch(space, { revision: target, target: undefined })
          })
        )
      })

      const clear = Effect.fnUntraced(function* (space: SpaceId) {
        while ((yield* removePages(index, space)) > 0) yield* Effect.yieldNow
      })

      /** Does one step, and tells whether it was the last. */
      const step = Effect.fnUntraced(function* (id: SpaceId) {
        const space = yield* spaces.get({ id })
        const state = yield* states.get({ space: id })
        if (space === undefined) {
          yield* clear(id)
          yield* states.remove({ space: id })
          return true
        }
        if (state === undefined || state.words !== version) {
          yield* clear(id)
          yield* storage.transaction(Effect.andThen(states.remove({ space: id }), insert(stateOf(space, null))))
          return false
        }
        if (state.target !== undefined) {
          yield* advance(id, state.revision, { ...state, target: state.target })
          return false
        }
        if (!isBehind(state, space)) return true
        // In another language every page has other words: all of them are written anew, each in its place.
        const isTranslated = state.revision === space.revision
        yield* storage.transaction(
          Effect.gen(function* () {
            const now = yield* states.get({ space: id })
            if (now?.revision === state.revision && now.target === undefined) {
              yield* patch(id, {
                target: space.revision,
                ...(isTranslated && { revision: null, language: space.language })
              })
            }
          })
        )
        return false
      })

      const catchUp = (space: SpaceId) =>
        alone(
          space,
          Effect.gen(function* () {
            while (!(yield* step(space))) yield* Effect.yieldNow
          })
        )

      return SearchIndexing.of({
        catchUp,

        prepare: Effect.fnUntraced(function* (reader, space, before, after) {
          const language = (yield* states.get({ space }))?.language
          const changed = yield* differences(reader, before, after, pagesPerCommit)
          const small = changed.length <= pagesPerCommit
          const changes = small
            ? yield* Effect.forEach(changed, ({ key, after }) => changeOf(reader, language, key, after))
            : undefined
          return {
            commit: Effect.fnUntraced(function* ({ space, before, revision }) {
              const held = { revision: before, ...(language !== undefined && { language }) }
              if (changes === undefined || isBehind(yield* states.get({ space }), held)) return yield* enqueue(space)
              if (changes.length > 0) yield* index.change(space, changes)
              yield* patch(space, { revision })
            })
          }
        }),

        begin: Effect.fnUntraced(function* (id, { id: revision, content }, language) {
          const isEmpty = content.pages === null
          const space = { id, ...(language !== undefined && { language }) }
          yield* insert(stateOf(space, isEmpty ? revision : null))
          if (!isEmpty) yield* enqueue(id)
        }),

        relearn: enqueue,

        settle: (space) =>
          Effect.gen(function* () {
            const row = yield* spaces.get({ id: space })
            if (row !== undefined && isBehind(yield* states.get({ space }), row)) yield* catchUp(space)
          }).pipe(
            Effect.catchCause((cause) => Effect.logWarning("A space is not indexed yet; its job will do it", cause))
          ),

        holds,

        areCurrent: Effect.fnUntraced(function* (spaces) {
          const known = yield* states.getMany(spaces.map(({ id }) => ({ space: id })))
          const behind = spaces.filter((space, i) => isBehind(known[i], space))
          if (behind.length === 0) return true
          yield* Effect.forEach(behind, ({ id }) => enqueue(id), { discard: true })
          return false
        })
      })
    }),
    [Jobs.layer, Objects.layer, Revisions.layer]
  )
}

const countOf = ({ words = [] }: SearchChange): number => words.reduce((sum, level) => sum + level.length, 0)

const stateOf = ({ id, language }: Pick<SpaceRow, "id" | "language">, revision: RevisionId | null): SearchState => ({
  space: id,
  revision,
  words: version,
  ...(language !== undefined && { language })
})

/** Brings the index of a space up to date: of a duplicate, and of whatever was left half done. */
export const indexSpace = Effect.map(SearchIndexing, (indexing) =>
  Job.handler(IndexSpace, ({ payload }) => indexing.catchUp(payload.space))
)
