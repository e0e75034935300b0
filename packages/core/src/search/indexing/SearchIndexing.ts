/**
 * Keeps the search index up to date. A caller that changes the main revision of a space calls `prepare` outside the
 * transaction, and `commit` of the result inside.
 *
 * A small change is written shortly after the commit, in one transaction with other small changes (see `WriteBatches`).
 * Written separately, it would be a third of all writes of a merge. `ensureCurrent` writes pending changes of the
 * searched spaces first. A search therefore finds every change whose commit was acknowledged.
 *
 * A large change, and the content of a new space such as a duplicate, is indexed page by page in short transactions.
 * `indexLargeChange` or a job does this.
 *
 * The indexed revision of a space is written with the words (see `SearchState`). A search detects an index that a crash
 * or another process left out of date, and updates the index first.
 *
 * The index holds only words by page. Paths are computed for results, so moving a page does not change the index. Words
 * have the forms of the space's language, and a version (see `PageWords`). A job indexes a space again if its language
 * or the version changed.
 *
 * Limits: a change of more than 50 pages is large. A search waits 500 ms for outdated indexes of up to 16 spaces. Then
 * it returns results of the present index, and a job continues.
 */
import { Context, Effect, Fiber, Schema, Layer } from "effect"
import * as Content from "../../content/Content.ts"
import { type ObjectReader, Objects } from "../../content/store/Objects.ts"
import type { RevisionId, RevisionRow } from "../../content/revisions/Revision.ts"
import { Revisions } from "../../content/revisions/Revisions.ts"
import * as Job from "../../job/Job.ts"
import { Jobs } from "../../job/Jobs.ts"
import type { Language } from "../../schema/Language.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../../space/Space.ts"
import { type SearchChange, SearchIndex } from "../../storage/SearchIndex.ts"
import { unfenced } from "../../storage/Fence.ts"
import * as WriteBatches from "../../storage/WriteBatches.ts"
import { KeyedSemaphore } from "../../storage/KeyedSemaphore.ts"
import { Slice } from "../../storage/Slice.ts"
import { type Patch, Storage, type StorageError } from "../../storage/Storage.ts"
import { version } from "../PageWords.ts"
import { type SearchState, SearchStateTable } from "../SearchState.ts"
import { indexChangeOf, changedPages, PartSize } from "./IndexChanges.ts"
import { removePages } from "./SearchRemoval.ts"

/** Maximum number of pages of a small change. */
const maxSmallChangePages = 50

/** Number of index pages that `compare` reads before it yields. */
const comparePageSize = 1_000

/** Maximum time that a search waits for outdated indexes, and maximum number of such spaces. */
const searchTimeout = "500 millis"
const maxAwaitedSpaces = 16

/** False if changes are not indexed until a search. For hosts that never search. Default: true. */
export const IndexesChanges = Context.Reference<boolean>("@lectern/core/search/indexing/IndexesChanges", {
  defaultValue: () => true
})

export const IndexSpace = Job.kind("index-space", Schema.Struct({ space: SpaceId }))

/** A revision that becomes the main revision, and its predecessor. */
interface RevisionChange {
  readonly space: SpaceId
  readonly before: RevisionId
  readonly revision: RevisionId
}

/** A small change that is not written yet, and the language of its words. */
interface SmallChange extends RevisionChange {
  readonly language: Language | undefined
  readonly changes: ReadonlyArray<SearchChange>
}

/** Prepared index update for a new main revision. */
export interface PreparedIndexing {
  /** Runs in the transaction that changes the main revision. */
  readonly commit: (change: RevisionChange) => Effect.Effect<void, StorageError>
  /** Runs after the commit, and waits for a large change. If indexing fails, the job repeats it. */
  readonly indexLargeChange: Effect.Effect<void>
}

export class SearchIndexing extends Context.Service<
  SearchIndexing,
  {
    /** Prepares the index changes between two contents of a space. `objects` reads both contents. */
    readonly prepare: (
      objects: ObjectReader,
      space: SpaceId,
      before: Content.Content,
      after: Content.Content
    ) => Effect.Effect<PreparedIndexing, StorageError>
    /**
     * Starts the index of a new space, in the transaction that creates the space. A job indexes the initial content.
     */
    readonly createIndex: (
      space: SpaceId,
      revision: RevisionRow,
      language: Language | undefined
    ) => Effect.Effect<void, StorageError>
    /** Enqueues a job that indexes the space again, in the transaction that changes the space's language. */
    readonly reindex: (space: SpaceId) => Effect.Effect<void, StorageError>
    /** Updates the index to the main revision. Empties the index if the space does not exist. */
    readonly catchUp: (space: SpaceId) => Effect.Effect<void, StorageError>
    /** Returns true if the index is up to date with the main revision, the language, and the version of words. */
    readonly isCurrent: (space: SpaceRow) => Effect.Effect<boolean, StorageError>
    /**
     * Compares an up-to-date index with the main revision. `lacking`: number of pages that are not indexed; `surplus`:
     * number of indexed pages that the revision does not have.
     */
    readonly compare: (
      space: SpaceRow
    ) => Effect.Effect<{ readonly lacking: number; readonly surplus: number }, StorageError>
    /**
     * Updates the indexes of these spaces for a search. Returns true if all are up to date. Otherwise enqueues jobs for
     * the rest.
     */
    readonly ensureCurrent: (spaces: ReadonlyArray<SpaceRow>) => Effect.Effect<boolean, StorageError>
  }
>()("@lectern/core/search/indexing/SearchIndexing") {
  static readonly layer = Layer.effect(
    SearchIndexing,
    Effect.gen(function* () {
      const storage = yield* Storage
      const index = yield* SearchIndex
      const objects = yield* Objects
      const revisions = yield* Revisions
      const jobs = yield* Jobs
      const indexesChanges = yield* IndexesChanges
      const states = storage.repository(SearchStateTable)
      const spaces = storage.repository(SpaceTable)
      const locks = new KeyedSemaphore({ maxWaiting: Infinity })
      const layerScope = yield* Effect.scope
      /** Spaces that are being updated for a search. */
      const inProgress = new Set<SpaceId>()

      const insert = (state: SearchState) =>
        states.insert(state).pipe(Effect.catchTag("UniqueConflict", () => Effect.void))
      const patch = (space: SpaceId, fields: Patch<SearchState>) => states.update({ space }, fields).pipe(Effect.asVoid)
      const enqueue = (space: SpaceId) => Effect.asVoid(jobs.enqueue(IndexSpace, { space }, { key: space }))
      const isOutdated = (
        state: SearchState | undefined,
        { revision, language }: Pick<SpaceRow, "revision" | "language">
      ) =>
        state === undefined ||
        state.revision !== revision ||
        state.language !== language ||
        state.target !== undefined ||
        state.words !== version

      /**
       * Writes a small change inside a transaction. Enqueues a job if the index does not hold the preceding revision.
       */
      const writeSmall = Effect.fnUntraced(function* ({ space, before, revision, language, changes }: SmallChange) {
        const state = yield* states.get({ space })
        const predecessor = { revision: before, ...(language !== undefined && { language }) }
        if (isOutdated(state, predecessor)) return state?.revision === revision ? undefined : yield* enqueue(space)
        if (changes.length > 0) yield* index.change(space, changes)
        yield* patch(space, { revision })
      })

      const smallChanges = yield* WriteBatches.makeOf<SmallChange>("The search index could not be written", (items) =>
        Effect.gen(function* () {
          let part: Array<SmallChange> = []
          let size = new PartSize()
          for (const [i, item] of items.entries()) {
            part.push(item)
            if (!size.addAndCheck(item.changes) && i < items.length - 1) continue
            yield* storage.transaction(Effect.forEach(part, writeSmall, { discard: true }))
            part = []
            size = new PartSize()
          }
        })
      )

      const outdatedSpaces = (spaces: ReadonlyArray<SpaceRow>) =>
        Effect.map(states.getMany(spaces.map(({ id }) => ({ space: id }))), (rows) =>
          spaces.filter((space, i) => isOutdated(rows[i], space))
        )

      /** Runs updates of a space one at a time, so that concurrent calls in one process do not repeat work. */
      const withSpaceLock = <A, E>(space: SpaceId, effect: Effect.Effect<A, E>) => locks.withPermit(space, () => effect)

      /**
       * Writes a part of the target revision. Returns false, and writes nothing, if the target, language or version
       * changed.
       */
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

      const indexTarget = Effect.fnUntraced(function* (
        space: SpaceId,
        from: RevisionId | null,
        update: Pick<SearchState, "language"> & { readonly target: RevisionId }
      ) {
        const { target, language } = update
        const before = from === null ? Content.empty : (yield* revisions.get(from)).content
        const changed = yield* changedPages(objects, before, (yield* revisions.get(target)).content)
        let part: Array<SearchChange> = []
        let size = new PartSize()
        // A part is written while the next one is computed, since both take about equally long.
        let pendingWrite: Effect.Effect<boolean, StorageError> = Effect.succeed(true)
        const slice = yield* Slice.start
        for (const { key, after } of changed) {
          const change = yield* indexChangeOf(objects, language, key, after)
          part.push(change)
          if (slice.isOver()) yield* slice.pause
          if (!size.addAndCheck([change])) continue
          if (!(yield* pendingWrite)) return
          pendingWrite = Fiber.join(yield* Effect.forkChild(write(space, update, part)))
          part = []
          size = new PartSize()
          yield* slice.pause
        }
        if (!(yield* pendingWrite)) return
        yield* storage.transaction(
          Effect.gen(function* () {
            if (yield* write(space, update, part)) yield* patch(space, { revision: target, target: undefined })
          })
        )
      })

      const clearIndex = Effect.fnUntraced(function* (space: SpaceId) {
        while ((yield* removePages(index, space)) > 0) yield* Effect.yieldNow
      })

      /** Runs one step of the update. Returns true if the index is up to date or removed. */
      const runStep = Effect.fnUntraced(function* (id: SpaceId) {
        const space = yield* spaces.get({ id })
        const state = yield* states.get({ space: id })
        if (space === undefined) {
          yield* clearIndex(id)
          yield* states.remove({ space: id })
          return true
        }
        if (state === undefined || state.words !== version) {
          yield* clearIndex(id)
          yield* storage.transaction(Effect.andThen(states.remove({ space: id }), insert(initialState(space, null))))
          return false
        }
        if (state.target !== undefined) {
          yield* indexTarget(id, state.revision, { ...state, target: state.target })
          return false
        }
        if (!isOutdated(state, space)) return true
        // If the revision is already indexed, its language or the version of its words has changed. Then all pages are
        // indexed again.
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
        withSpaceLock(
          space,
          Effect.gen(function* () {
            while (!(yield* runStep(space))) yield* Effect.yieldNow
          })
        )

      const catchUpLogged = (space: SpaceId) =>
        Effect.catchCause(catchUp(space), (cause) =>
          Effect.logWarning("A space is not indexed yet; its job will do it", cause)
        )

      /** Updates the index of a space. The update continues if the caller is interrupted. */
      const catchUpDetached = (space: SpaceId) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            if (inProgress.has(space)) return restore(withSpaceLock(space, Effect.void))
            inProgress.add(space)
            return catchUpLogged(space).pipe(
              Effect.ensuring(Effect.sync(() => inProgress.delete(space))),
              unfenced,
              Effect.forkIn(layerScope),
              Effect.flatMap((fiber) => restore(Fiber.join(fiber)))
            )
          })
        )

      return SearchIndexing.of({
        catchUp,

        prepare: Effect.fnUntraced(function* (reader, space, before, after) {
          if (!indexesChanges) return { commit: () => Effect.void, indexLargeChange: Effect.void }
          const language = (yield* states.get({ space }))?.language
          const changed = yield* changedPages(reader, before, after, maxSmallChangePages)
          if (changed.length > maxSmallChangePages)
            return { commit: () => enqueue(space), indexLargeChange: catchUpLogged(space) }
          const changes = yield* Effect.forEach(changed, ({ key, after }) =>
            indexChangeOf(reader, language, key, after)
          )
          return {
            commit: (change) =>
              storage.afterCommit(smallChanges.add({ ...change, language, changes }, changes.length + 1)),
            indexLargeChange: Effect.void
          }
        }),

        createIndex: Effect.fnUntraced(function* (id, { id: revision, content }, language) {
          const isEmpty = content.pages === null
          const space = { id, ...(language !== undefined && { language }) }
          yield* insert(initialState(space, isEmpty ? revision : null))
          if (!isEmpty) yield* enqueue(id)
        }),

        reindex: enqueue,

        isCurrent: (space) =>
          Effect.andThen(
            smallChanges.flush,
            Effect.map(outdatedSpaces([space]), ({ length }) => length === 0)
          ),

        compare: Effect.fnUntraced(function* ({ id, revision }) {
          const main = (yield* revisions.get(revision)).content
          const lacking = new Set((yield* changedPages(objects, Content.empty, main)).map(({ key }) => key))
          let surplus = 0
          for (let after: string | undefined; ;) {
            const pages = yield* index.pages(id, { limit: comparePageSize, ...(after !== undefined && { after }) })
            for (const page of pages) if (!lacking.delete(page)) surplus++
            if (pages.length < comparePageSize) return { lacking: lacking.size, surplus }
            after = pages.at(-1)!
            yield* Effect.yieldNow
          }
        }),

        ensureCurrent: Effect.fnUntraced(function* (searchedSpaces) {
          if (smallChanges.isPending(({ space }) => searchedSpaces.some(({ id }) => id === space)))
            yield* smallChanges.flush
          const outdated = yield* outdatedSpaces(searchedSpaces)
          if (outdated.length === 0) return true
          if (outdated.length <= maxAwaitedSpaces) {
            yield* Effect.forEach(outdated, ({ id }) => catchUpDetached(id), {
              concurrency: "unbounded",
              discard: true
            }).pipe(Effect.timeoutOption(searchTimeout))
          }
          // The spaces are read again, since the main revision may have changed and the index may hold the new one.
          const now = yield* spaces.getMany(outdated)
          const stillOutdated = yield* outdatedSpaces(now.filter((space) => space !== undefined))
          yield* Effect.forEach(stillOutdated, ({ id }) => enqueue(id), { discard: true })
          return stillOutdated.length === 0 && now.every((space, i) => space?.revision === outdated[i]!.revision)
        })
      })
    })
  )
}

const initialState = (
  { id, language }: Pick<SpaceRow, "id" | "language">,
  revision: RevisionId | null
): SearchState => ({
  space: id,
  revision,
  words: version,
  ...(language !== undefined && { language })
})

/** Job that updates the index of a space, such as a duplicate or one with an unfinished update. */
export const indexSpace = Effect.map(SearchIndexing, (indexing) =>
  Job.handler(IndexSpace, ({ payload }) => indexing.catchUp(payload.space))
)
