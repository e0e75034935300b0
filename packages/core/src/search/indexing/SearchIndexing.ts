/**
 * Keeps the search index up to date. Whoever makes a revision main asks `prepare` for what has
 * changed, outside the transaction, and tells inside that it was made main. A small change is written a moment later,
 * in one transaction with those that come beside it (see `WriteBatches`): by itself it is a third of all that a merge
 * writes. Whoever searches in its space has it written first (`bring`), so all is found when its caller hears of it.
 * A large change, and a space that begins with content (a duplicate), is indexed page by page in short
 * transactions, by `settle` or by a job.
 *
 * Which revision the index of a space holds is written with the words (see `SearchState`). So what a crash leaves
 * behind, or another process, whoever searches there sees, and brings up to date before it is answered.
 *
 * The index holds words alone, by page: paths are made when something is found, so that a move
 * costs nothing. Words have the forms of the space's language, and are of a version (see `PageWords`):
 * a job reads a space anew whose language was changed, or whose words are of another version.
 *
 * Limits: a change of more than 50 pages is large. A search waits half a second for an index that is behind, in up to
 * 16 spaces; then it answers by what is there, and a job goes on.
 */
import { Context, Effect, Fiber, Schema } from "effect"
import * as Content from "../../content/Content.ts"
import { type ObjectReader, Objects } from "../../content/store/Objects.ts"
import type { RevisionId, RevisionRow } from "../../content/revisions/Revision.ts"
import { Revisions } from "../../content/revisions/Revisions.ts"
import * as Job from "../../job/Job.ts"
import { Jobs } from "../../job/Jobs.ts"
import type { Language } from "../../schema/Language.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../../space/Space.ts"
import { type SearchChange, SearchIndex } from "../../storage/SearchIndex.ts"
import * as WriteBatches from "../../storage/WriteBatches.ts"
import { KeyedSemaphore } from "../../storage/KeyedSemaphore.ts"
import { Slice } from "../../storage/Slice.ts"
import { type Patch, Storage, type StorageError } from "../../storage/Storage.ts"
import { version } from "../PageWords.ts"
import { type SearchState, SearchStateTable } from "../SearchState.ts"
import { changeOf, differences, PartSize } from "./IndexChanges.ts"
import { removePages } from "./SearchRemoval.ts"
import { wired } from "../../wiring/Wired.ts"

/** How many pages a small change has at most. */
const fewPages = 50

/** How many pages of the index are compared before others have their turn. */
const comparedPages = 1_000

/** For how long a search waits for an index that is behind, and in how many spaces. */
const patience = "500 millis"
const fewSpaces = 16

export const IndexSpace = Job.kind("index-space", Schema.Struct({ space: SpaceId }))

/** A revision that is made main, and the one that was main before it. */
interface Succession {
  readonly space: SpaceId
  readonly before: RevisionId
  readonly revision: RevisionId
}

/** A small change of main that is to be written, with the language that its words have. */
interface SmallChange extends Succession {
  readonly language: Language | undefined
  readonly changes: ReadonlyArray<SearchChange>
}

/** Work of the index for a revision. */
export interface PreparedIndexing {
  /** In the transaction that makes it main. */
  readonly commit: (succession: Succession) => Effect.Effect<void, StorageError>
  /** After the commit: waits for a large change. The job does it where this can't. */
  readonly settle: Effect.Effect<void>
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
    /** Brings the index to what is main now, or empties it where the space is gone. */
    readonly catchUp: (space: SpaceId) => Effect.Effect<void, StorageError>
    /** Tells whether the index holds main, in its language. */
    readonly holds: (space: SpaceRow) => Effect.Effect<boolean, StorageError>
    /** How many pages of main an index lacks that holds it, and how many it has besides. */
    readonly compare: (
      space: SpaceRow
    ) => Effect.Effect<{ readonly lacking: number; readonly besides: number }, StorageError>
    /** Brings the index to main of all of these, for a search, and tells whether it holds that now; else a job is asked. */
    readonly bring: (spaces: ReadonlyArray<SpaceRow>) => Effect.Effect<boolean, StorageError>
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
      const turns = new KeyedSemaphore({ maxWaiting: Infinity })
      const layerScope = yield* Effect.scope
      /** Spaces that are brought up to date for a search. */
      const underWay = new Set<SpaceId>()

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

      /** In a transaction. */
      const writeSmall = Effect.fnUntraced(function* ({ space, before, revision, language, changes }: SmallChange) {
        const state = yield* states.get({ space })
        const held = { revision: before, ...(language !== undefined && { language }) }
        if (isBehind(state, held)) return state?.revision === revision ? undefined : yield* enqueue(space)
        if (changes.length > 0) yield* index.change(space, changes)
        yield* patch(space, { revision })
      })

      const small = yield* WriteBatches.makeOf<SmallChange>("The search index could not be written", (items) =>
        Effect.gen(function* () {
          let part: Array<SmallChange> = []
          let size = new PartSize()
          for (const [i, item] of items.entries()) {
            part.push(item)
            if (!size.isEnoughWith(item.changes) && i < items.length - 1) continue
            yield* storage.transaction(Effect.forEach(part, writeSmall, { discard: true }))
            part = []
            size = new PartSize()
          }
        })
      )

      const behind = (spaces: ReadonlyArray<SpaceRow>) =>
        Effect.map(states.getMany(spaces.map(({ id }) => ({ space: id }))), (known) =>
          spaces.filter((space, i) => isBehind(known[i], space))
        )

      /** One after another, so that two at once in a process don't do the same work. */
      const alone = <A, E>(space: SpaceId, effect: Effect.Effect<A, E>) => turns.withPermit(space, () => effect)

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
        let size = new PartSize()
        // A part is written while the next one is computed: the disk takes as long for it as that takes.
        let written: Effect.Effect<boolean, StorageError> = Effect.succeed(true)
        const slice = yield* Slice.start
        for (const { key, after } of changed) {
          const change = yield* changeOf(objects, language, key, after)
          group.push(change)
          if (slice.isOver()) yield* slice.pause
          if (!size.isEnoughWith([change])) continue
          if (!(yield* written)) return
          written = Fiber.join(yield* Effect.forkChild(write(space, to, group)))
          group = []
          size = new PartSize()
          yield* slice.pause
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

      const catchUpLogged = (space: SpaceId) =>
        Effect.catchCause(catchUp(space), (cause) =>
          Effect.logWarning("A space is not indexed yet; its job will do it", cause)
        )

      /** Goes on when whoever waits for it has gone. */
      const caughtUp = (space: SpaceId) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            if (underWay.has(space)) return restore(alone(space, Effect.void))
            underWay.add(space)
            return catchUpLogged(space).pipe(
              Effect.ensuring(Effect.sync(() => underWay.delete(space))),
              Effect.forkIn(layerScope),
              Effect.flatMap((fiber) => restore(Fiber.join(fiber)))
            )
          })
        )

      return SearchIndexing.of({
        catchUp,

        prepare: Effect.fnUntraced(function* (reader, space, before, after) {
          const language = (yield* states.get({ space }))?.language
          const changed = yield* differences(reader, before, after, fewPages)
          if (changed.length > fewPages) return { commit: () => enqueue(space), settle: catchUpLogged(space) }
          const changes = yield* Effect.forEach(changed, ({ key, after }) => changeOf(reader, language, key, after))
          return {
            commit: (succession) =>
              storage.afterCommit(small.add({ ...succession, language, changes }, changes.length + 1)),
            settle: Effect.void
          }
        }),

        begin: Effect.fnUntraced(function* (id, { id: revision, content }, language) {
          const isEmpty = content.pages === null
          const space = { id, ...(language !== undefined && { language }) }
          yield* insert(stateOf(space, isEmpty ? revision : null))
          if (!isEmpty) yield* enqueue(id)
        }),

        relearn: enqueue,

        holds: (space) =>
          Effect.andThen(
            small.flush,
            Effect.map(behind([space]), ({ length }) => length === 0)
          ),

        compare: Effect.fnUntraced(function* ({ id, revision }) {
          const main = (yield* revisions.get(revision)).content
          const lacking = new Set((yield* differences(objects, Content.empty, main)).map(({ key }) => key))
          let besides = 0
          for (let after: string | undefined; ;) {
            const pages = yield* index.pages(id, { limit: comparedPages, ...(after !== undefined && { after }) })
            for (const page of pages) if (!lacking.delete(page)) besides++
            if (pages.length < comparedPages) return { lacking: lacking.size, besides }
            after = pages.at(-1)!
            yield* Effect.yieldNow
          }
        }),

        bring: Effect.fnUntraced(function* (asked) {
          if (small.isPending(({ space }) => asked.some(({ id }) => id === space))) yield* small.flush
          const late = yield* behind(asked)
          if (late.length === 0) return true
          if (late.length <= fewSpaces) {
            yield* Effect.forEach(late, ({ id }) => caughtUp(id), { concurrency: "unbounded", discard: true }).pipe(
              Effect.timeoutOption(patience)
            )
          }
          // Somebody may have made another revision main, and the index holds that.
          const now = yield* spaces.getMany(late)
          const still = yield* behind(now.filter((space) => space !== undefined))
          yield* Effect.forEach(still, ({ id }) => enqueue(id), { discard: true })
          return still.length === 0 && now.every((space, i) => space?.revision === late[i]!.revision)
        })
      })
    }),
    [Jobs.layer, Objects.layer, Revisions.layer]
  )
}

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
