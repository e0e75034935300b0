/**
 * Makes a content the main content of a space: inserts a revision, its event, and the former positions of its pages.
 * Edits of the live content and merges of change requests use it.
 *
 * The changes are computed before the transaction, which stays short. Their texts are added to the search index after
 * the transaction.
 */
import { Effect } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { NewEvent } from "../../event/Event.ts"
import { Events } from "../../event/Events.ts"
import { SearchIndexing } from "../../search/indexing/SearchIndexing.ts"
import type { SpaceId, SpaceRow } from "../../space/Space.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { Content } from "../Content.ts"
import { makePageAliases } from "../pages/PageAliases.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import type { RevisionId, RevisionRow } from "../revisions/Revision.ts"
import { Revisions } from "../revisions/Revisions.ts"

/** The next main content: `main` is the revision that it replaces, and `draft` holds the objects that are not stored yet. */
export interface NextMain {
  readonly main: RevisionRow
  readonly draft: ObjectDraft
  readonly content: Content
}

export type MainRevision = Omit<RevisionRow, "id" | "space" | "author" | "content" | "replaces">

/** Fields of every event of a new revision. */
export interface RevisionEventFields {
  readonly organization: SpaceRow["organization"]
  readonly space: SpaceId
  readonly revision: RevisionId
}

/**
 * Inserts the revision. Call it inside a transaction that has checked that `main` is still the main revision of the
 * space. The caller updates the row of the space with the fields of `mainFields`. `firstEvent`: an event that precedes
 * the event of the content.
 */
export type CommitMain = (
  space: Pick<SpaceRow, "organization">,
  revision: MainRevision,
  firstEvent?: (eventFields: RevisionEventFields) => NewEvent
) => Effect.Effect<RevisionRow, StorageError, CurrentActor>

/** Returns the fields of a space's row that a new main revision sets. */
export const mainFields = ({ id, createdAt }: RevisionRow): Pick<SpaceRow, "revision" | "updatedAt"> => ({
  revision: id,
  updatedAt: createdAt
})

export const makeMainRevisions = Effect.gen(function* () {
  const revisions = yield* Revisions
  const events = yield* Events
  const indexing = yield* SearchIndexing
  const aliases = yield* makePageAliases

  return {
    /**
     * Prepares the change and runs `transact`, which opens a transaction. `transact` calls `commit` in it, unless
     * `main` is no longer the main revision.
     */
    advance: Effect.fnUntraced(function* <A, E, R>(
      { main, draft, content }: NextMain,
      transact: (commit: CommitMain) => Effect.Effect<A, E, R>
    ) {
      const space = main.space as SpaceId
      const indexed = yield* indexing.prepare(draft, space, main.content, content)
      const preparedAliases = yield* aliases.prepare(draft, space, main.content, content)
      yield* draft.flushAhead
      const result = yield* transact(
        Effect.fnUntraced(function* ({ organization }, fields, firstEvent) {
          yield* draft.flush
          const row = yield* revisions.insert({ ...fields, space, content, replaces: main.id })
          const eventFields = { organization, space, revision: row.id }
          if (firstEvent !== undefined) yield* events.emit(firstEvent(eventFields))
          yield* events.emit({ ...eventFields, type: "space_content_updated" })
          const succession = { space, before: main.id, revision: row.id }
          yield* indexed.commit(succession)
          yield* preparedAliases.commit(succession)
          return row
        })
      )
      yield* indexed.indexLargeChange
      return result
    })
  }
})
