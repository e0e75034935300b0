/**
 * Keeps the earlier paths of pages working. Before a transaction that makes a revision main, the caller runs `prepare`,
 * which determines the pages that left their positions. The transaction then runs the returned work. Differences
 * between the maps of children show the moves: an edit of texts costs nothing, any other edit costs as much as it
 * moves.
 *
 * A path resolves to the page that is at the path now. Otherwise it resolves to the existing page that had the path
 * last, and otherwise to the target of a redirect of the content. Ancestors of the page may have moved, swapped
 * positions or been deleted since.
 *
 * Limits: a commit inserts up to 1,000 positions; a job inserts larger numbers in slices of 200.
 */
import { Effect, Schema, Stream } from "effect"
import * as Job from "../../job/Job.ts"
import { Jobs } from "../../job/Jobs.ts"
import { SpaceId, SpaceTable } from "../../space/Space.ts"
import { isStorable } from "../../storage/Row.ts"
import { Slice } from "../../storage/Slice.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import type { Content } from "../Content.ts"
import type { ChildEntry, ContentReader } from "../ContentReader.ts"
import * as FormerPath from "./FormerPath.ts"
import { type ObjectReader, Objects } from "../store/Objects.ts"
import type { PageEntry, PageId } from "./Page.ts"
import { type PageAlias, PageAliasTable } from "./PageAlias.ts"
import { maxDepth } from "./PageTree.ts"
import { RevisionId } from "../revisions/Revision.ts"
import { Revisions } from "../revisions/Revisions.ts"
import * as TrieDifferences from "../store/TrieDifferences.ts"

const positionsPerCommit = 1_000
const positionsPerSlice = 200
/**
 * Maximum number of rows that are read for a slice of deleted pages. If the limit is reached, all pages of the slice
 * count as former parents.
 */
const maxRows = 5_000

export const StorePagePositions = Job.kind(
  "note-page-places",
  Schema.Struct({ space: SpaceId, before: RevisionId, revision: RevisionId })
)

/** A revision of a space that replaces another revision. */
interface Succession {
  readonly space: SpaceId
  readonly before: RevisionId
  readonly revision: RevisionId
}

/** Work for the transaction that makes a revision main. */
export interface PreparedAliases {
  readonly commit: (change: Succession) => Effect.Effect<void, StorageError>
}

/** The page that a path resolves to. */
export interface ResolvedPage {
  readonly page: PageEntry
  /** True if the page now has a different path. */
  readonly moved: boolean
}

type FormerPosition = Pick<PageAlias, "page" | "parent" | "slug">

export const makePageAliases = Effect.gen(function* () {
  const storage = yield* Storage
  const objects = yield* Objects
  const revisions = yield* Revisions
  const jobs = yield* Jobs
  const aliases = storage.repository(PageAliasTable)
  const spaces = storage.repository(SpaceTable)

  /**
   * Returns the deleted pages that are the parent of a stored former position. May also return others if there are
   * many rows.
   */
  const formerParents = Effect.fnUntraced(function* (space: SpaceId, deletedIds: ReadonlyArray<string>) {
    const formerParentIds = new Set<string>()
    for (let i = 0; i < deletedIds.length; i += positionsPerSlice) {
      const parents = deletedIds.slice(i, i + positionsPerSlice)
      const rows = yield* aliases.list({ where: { space, parent: { in: parents } }, limit: maxRows })
      for (const id of rows.length < maxRows ? rows.map(({ parent }) => parent) : parents) formerParentIds.add(id)
    }
    return formerParentIds
  })

  const leftPositions = Effect.fnUntraced(function* (
    reader: ObjectReader,
    space: SpaceId,
    before: Content,
    after: Content
  ) {
    // Pages of a new space have no former positions.
    if (before.children === null || before.children === after.children) return []
    const departedPositions: Array<FormerPosition> = []
    const arrivedIds = new Set<string>()
    const slice = yield* Slice.start
    yield* TrieDifferences.inSlices<ChildEntry>(reader, before.children, after.children).pipe(
      Stream.runForEach((children) => {
        for (const { key, before, after } of children) {
          if (before?.id === after?.id) continue
          if (after !== undefined) arrivedIds.add(after.id)
          if (before !== undefined) departedPositions.push(positionOf(key, before.id))
        }
        return slice.isOver() ? slice.pause : Effect.void
      })
    )
    const deletedPositions = new Map(
      departedPositions
        .filter(({ page }) => !arrivedIds.has(page))
        .map((position) => [position.page as string, position])
    )
    const positions = departedPositions.filter(({ page }) => !deletedPositions.has(page))
    const parents = yield* formerParents(space, [...deletedPositions.keys()])
    for (const { parent } of positions) parents.add(parent)
    for (const id of parents) {
      const deletedPosition = deletedPositions.get(id)
      if (deletedPosition === undefined) continue
      positions.push(deletedPosition)
      parents.add(deletedPosition.parent)
    }
    return positions.filter(isStorablePosition).sort((a, b) => (a.page < b.page ? -1 : 1))
  })

  const insert = (positions: ReadonlyArray<FormerPosition>, { space, revision: until }: Succession) =>
    Effect.forEach(
      positions,
      (position) =>
        aliases.insert({ ...position, space, until }).pipe(Effect.catchTag("UniqueConflict", () => Effect.void)),
      { discard: true }
    )

  return {
    /** Determines the pages that leave their positions between two contents. `reader` reads both contents. */
    prepare: Effect.fnUntraced(function* (reader: ObjectReader, space: SpaceId, before: Content, after: Content) {
      const positions = yield* leftPositions(reader, space, before, after)
      return {
        commit: (change) =>
          positions.length <= positionsPerCommit
            ? insert(positions, change)
            : Effect.asVoid(jobs.enqueue(StorePagePositions, { ...change }))
      } satisfies PreparedAliases
    }),

    /** Inserts the positions that a commit left to a job. Can be repeated. */
    storePositions: Effect.fnUntraced(function* (change: Succession) {
      const find = (id: string) =>
        revisions.find(change.space, id).pipe(Effect.catchTag("RevisionNotFound", () => Effect.succeed(undefined)))
      const before = yield* find(change.before)
      const after = yield* find(change.revision)
      if (before === undefined || after === undefined) return
      const positions = yield* leftPositions(objects, change.space, before.content, after.content)
      for (let i = 0; i < positions.length; i += positionsPerSlice) {
        const spaceExists = yield* storage.transaction(
          Effect.gen(function* () {
            const space = yield* spaces.get({ id: change.space })
            if (space === undefined || space.removing === true) return false
            yield* insert(positions.slice(i, i + positionsPerSlice), change)
            return true
          })
        )
        if (!spaceExists) return
        yield* Effect.yieldNow
      }
    }),

    /**
     * Returns the page that a path in the main content of a space resolves to. Expects one decoded segment for each
     * level. If a page is at the path now, only the content is read.
     */
    resolve: Effect.fnUntraced(function* (space: SpaceId, content: ContentReader, segments: ReadonlyArray<string>) {
      if (segments.length === 0 || segments.length > maxDepth + 1) return undefined
      let id: PageId | null | undefined = null
      for (const segment of segments) {
        id = yield* content.child(id, segment)
        if (id === undefined) break
      }
      const currentPage = id ? yield* content.page(id) : undefined
      if (currentPage !== undefined && FormerPath.hasPath(currentPage)) return { page: currentPage, moved: false }
      const formerPage = yield* FormerPath.find(aliases, space, content, segments)
      if (formerPage !== undefined) return { page: formerPage, moved: true }
      const redirectTarget = yield* content.redirect(segments.join("/"))
      const page = redirectTarget && (yield* content.page(redirectTarget))
      return page && FormerPath.hasPath(page) ? { page, moved: true } : undefined
    })
  }
})

/** Inserts the former positions of pages after a change that moved more than 1,000 pages. */
export const storePagePositions = Effect.map(makePageAliases, ({ storePositions: note }) =>
  Job.handler(StorePagePositions, ({ payload }) => note(payload))
)

const positionOf = (key: string, page: PageId): FormerPosition => {
  const slash = key.indexOf("/")
  return { page, parent: key.slice(0, slash), slug: key.slice(slash + 1) }
}

/**
 * Returns false for links, which have no path (their name starts with `#`). Also false for slugs that a row cannot
 * store, since no request can contain them.
 */
const isStorablePosition = ({ slug }: FormerPosition): boolean => !slug.startsWith("#") && isStorable(slug)
