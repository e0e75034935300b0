/**
 * Content of change requests: edits it, merges main into it, resolves conflicts, and merges it into main. New content
 * is computed outside of a transaction. A short transaction then writes it if nothing changed.
 */
import { Context, Effect, Schema, Layer } from "effect"
import { CurrentActor, userOf } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import type { ContentChange } from "../../content/edits/ContentChange.ts"
import type { ChangeError } from "../../content/edits/ContentChanges.ts"
import { Contents } from "../../content/Contents.ts"
import { type Content, hasEqualContent } from "../../content/Content.ts"
import { type Conflict, type ConflictRefused, type Keep, keepOptions } from "../../content/merge/Conflict.ts"
import { makeContentBatches } from "../../content/live/ContentBatches.ts"
import * as ContentMerge from "../../content/merge/ContentMerge.ts"
import { type ObjectDraft, Objects } from "../../content/store/Objects.ts"
import { mainFields, makeMainRevisions } from "../../content/edits/MainRevisions.ts"
import type { RevisionId } from "../../content/revisions/Revision.ts"
import { Revisions } from "../../content/revisions/Revisions.ts"
import { Events } from "../../event/Events.ts"
import { makeRunHook, type RefusedByHost } from "../../hook/BeforeHooks.ts"
import { Ids } from "../../identity/Ids.ts"
import { makeMergeReadiness } from "../../merge-rules/MergeReadiness.ts"
import { MergeBypass, type MergeRulesUnmet } from "../../merge-rules/MergeRules.ts"
import { accepting, type InvalidInput } from "../../schema/Input.ts"
import type { SpaceId, SpaceNotFound } from "../../space/Space.ts"
import { SpacePolicy } from "../../space/SpacePolicy.ts"
import type { StorageError } from "../../storage/Storage.ts"
import { baseRevision, type ChangeRequest, type ChangeRequestNotFound } from "../ChangeRequest.ts"
import { makeChangeRequestLookup } from "../store/ChangeRequestLookup.ts"
import type { ChangeRequestChanges, ContentUpdate, MergeResult, UpdateResult } from "../ChangeRequestResources.ts"
import { makeChangeRequestPresenter } from "../ChangeRequestPresenter.ts"
import { makeChangeRequestRevisions } from "../ChangeRequestRevisions.ts"
import {
  ChangeRequestStore,
  stale,
  type OpenedChangeRequest,
  type OpenFailure,
  type Precondition
} from "../store/ChangeRequestStore.ts"

const acceptBypass = accepting(MergeBypass, "body.bypass")

export interface MergeOptions extends Precondition {
  /** Merges without the rules of the space, if the actor may. Default: the rules must be met. */
  readonly bypass?: MergeBypass
}

export class ConflictNotFound extends Schema.TaggedError<ConflictNotFound>()(
  "ConflictNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export class ChangeRequestContents extends Context.Service<
  ChangeRequestContents,
  {
    /**
     * Applies a batch of changes as one new revision, or no change at all if one fails. Creates no revision if the
     * batch changes nothing.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @param changes Changes in order, 1 to 50.
     * @returns The change request after the write, and the outcome for each page.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {ContentPageNotFound}
     * @throws {Forbidden}
     * @throws {InvalidChange}
     * @throws {InvalidInput}
     * @throws {PageCycle}
     * @throws {RefusedByHost} If the hook `upload` of the host refuses a file.
     * @throws {SlugTaken}
     * @throws {SpaceNotFound}
     * @throws {TooCostly}
     * @example
     * ```ts
     * const { changes } = await lectern.changeRequests.content.write(space.id, changeRequest.id, [
     *   { operation: "insert_page", ref: "guide", title: "Guide", type: "group" },
     *   { operation: "insert_page", title: "Start", into: "guide", document: { markdown: "# Start\n\nHello." } }
     * ])
     * console.log(changes)
     * ```
     */
    readonly write: (
      space: SpaceId,
      idOrNumber: string,
      changes: ReadonlyArray<ContentChange>,
      precondition?: Precondition
    ) => Effect.Effect<ContentUpdate, OpenFailure | ChangeError | InvalidInput | RefusedByHost, CurrentActor>
    /**
     * Compares the content of a change request with its base revision. Returns the changed pages and files, and the
     * open conflicts.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @param limit Maximum number of changed pages and files. Default: 500.
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly changes: (
      space: SpaceId,
      idOrNumber: string,
      limit?: number
    ) => Effect.Effect<
      ChangeRequestChanges,
      SpaceNotFound | ChangeRequestNotFound | Forbidden | StorageError,
      CurrentActor
    >
    /**
     * Resolves a conflict.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @param conflict Id of the conflict, from `changes`.
     * @param keep Version to keep: `main`, `ours` (that of the change request), or `both` blocks.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {ConflictNotFound} If the conflict is already resolved.
     * @throws {ConflictRefused} If that version can't be kept.
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly resolve: (
      space: SpaceId,
      idOrNumber: string,
      conflict: string,
      keep: Keep,
      precondition?: Precondition
    ) => Effect.Effect<ChangeRequest, OpenFailure | ConflictNotFound | ConflictRefused, CurrentActor>
    /**
     * Merges the main content into the change request, so that it is no longer outdated.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @returns `result`: `conflicts` if conflicts have to be resolved before a merge.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly update: (
      space: SpaceId,
      idOrNumber: string,
      precondition?: Precondition
    ) => Effect.Effect<UpdateResult, OpenFailure, CurrentActor>
    /**
     * Merges the change request into the main content. If the main content has changed, it is first merged into the
     * change request. Conflicts prevent the merge.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @returns `result`: `conflicts` if the change request was not merged, because conflicts have to be resolved.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {Forbidden}
     * @throws {InvalidInput} For an invalid reason.
     * @throws {MergeRulesUnmet} If the rules of the space are not met, and not bypassed.
     * @throws {RefusedByHost} If the hook `merge` of the host refuses.
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const { result } = await lectern.changeRequests.content.merge(space.id, changeRequest.id)
     * if (result === "conflicts") {
     *   const { conflicts } = await lectern.changeRequests.content.changes(space.id, changeRequest.id)
     *   for (const { id } of conflicts) {
     *     await lectern.changeRequests.content.resolve(space.id, changeRequest.id, id, "ours")
     *   }
     * }
     * ```
     */
    readonly merge: (
      space: SpaceId,
      idOrNumber: string,
      options?: MergeOptions
    ) => Effect.Effect<MergeResult, OpenFailure | MergeRulesUnmet | InvalidInput | RefusedByHost, CurrentActor>
  }
>()("@lectern/core/change-request/contents/ChangeRequestContents") {
  static readonly layer = Layer.effect(
    ChangeRequestContents,
    Effect.gen(function* () {
      const ids = yield* Ids
      const objects = yield* Objects
      const policy = yield* SpacePolicy
      const lookup = yield* makeChangeRequestLookup
      const store = yield* ChangeRequestStore
      const { advance, conflictsOf } = yield* makeChangeRequestRevisions
      const changeRequests = yield* makeChangeRequestPresenter
      const contents = yield* Contents
      const batches = yield* makeContentBatches
      const revisions = yield* Revisions
      const mains = yield* makeMainRevisions
      const runHook = yield* makeRunHook
      const events = yield* Events
      const readiness = yield* makeMergeReadiness

      /**
       * Merges main into the change request's content. Returns the content and its open conflicts, including earlier
       * ones.
       */
      const pull = Effect.fnUntraced(function* ({ space, row }: OpenedChangeRequest, draft: ObjectDraft) {
        const ours = yield* revisions.get(row.revision)
        const openConflicts = yield* conflictsOf(ours)
        const base = baseRevision(row)
        if (base === space.revision) return { upToDate: true, content: ours.content, conflicts: openConflicts } as const
        const merged = yield* ContentMerge.merge(draft, {
          base: (yield* revisions.get(base)).content,
          main: (yield* revisions.get(space.revision)).content,
          ours: ours.content
        })
        const newIds = new Set(merged.conflicts.map(({ id }) => id))
        const earlierConflicts = openConflicts.filter(({ id }) => !newIds.has(id))
        const left = yield* ContentMerge.openConflicts(draft, merged.content, earlierConflicts)
        return { upToDate: false, content: merged.content, conflicts: [...left, ...merged.conflicts] } as const
      })

      const pulled = (
        opened: OpenedChangeRequest,
        draft: ObjectDraft,
        content: Content,
        conflicts: ReadonlyArray<Conflict>
      ) =>
        advance(
          opened,
          draft,
          { parents: [opened.row.revision, opened.space.revision], type: "update", content, conflicts },
          opened.space.revision
        )

      return ChangeRequestContents.of({
        write: Effect.fn("ChangeRequestContents.write")(function* (id, idOrNumber, rawInput, precondition) {
          const openForEdit = store.open(id, idOrNumber, { type: "edit" }, precondition)
          const batch = yield* batches.prepare(id, rawInput, openForEdit)
          return yield* store.retry(
            openForEdit,
            Effect.fnUntraced(function* (opened) {
              const before = yield* revisions.get(opened.row.revision)
              const draft = objects.draft()
              const appliedBatch = yield* batch.apply(draft, before.content, baseRevision(opened.row))
              const open = yield* conflictsOf(before)
              const resolvedIds = new Set(ContentMerge.resolvedBy(open, batch.changes).map(({ id }) => id))
              const conflicts = yield* ContentMerge.openConflicts(
                draft,
                appliedBatch.content,
                open.filter(({ id }) => !resolvedIds.has(id))
              )
              const outcome =
                resolvedIds.size === 0 && hasEqualContent(before.content, appliedBatch.content)
                  ? opened
                  : yield* advance(opened, draft, {
                      parents: [before.id],
                      type: "edits",
                      content: appliedBatch.content,
                      conflicts
                    })
              if (outcome === stale) return stale
              const changeRequest = yield* changeRequests.presentOne(outcome.row, outcome.space)
              const path = `/change-requests/${opened.row.id}`
              return {
                changeRequest,
                ...(yield* batches.present(id, outcome.row.revision, path, appliedBatch))
              } satisfies ContentUpdate
            })
          )
        }),

        changes: Effect.fn("ChangeRequestContents.changes")(function* (id, idOrNumber, limit) {
          yield* policy.require(id, "see the work on this space")
          const row = yield* lookup.find(id, idOrNumber)
          const revision = yield* revisions.get(row.revision)
          const changes = yield* contents.compare(id, yield* revisions.get(baseRevision(row)), revision, limit)
          const conflicts = yield* conflictsOf(revision)
          return { ...changes, conflicts: conflicts.map((conflict) => ({ ...conflict, keep: keepOptions(conflict) })) }
        }),

        resolve: Effect.fn("ChangeRequestContents.resolve")(function* (id, idOrNumber, conflictId, keep, precondition) {
          return yield* store.retry(
            store.open(id, idOrNumber, { type: "edit" }, precondition),
            Effect.fnUntraced(function* (opened) {
              const before = yield* revisions.get(opened.row.revision)
              const open = yield* conflictsOf(before)
              const conflict = open.find((candidate) => candidate.id === conflictId)
              if (conflict === undefined) {
                return yield* new ConflictNotFound({ message: `There is no conflict ${conflictId.slice(0, 100)}` })
              }
              const draft = objects.draft()
              const content = yield* ContentMerge.resolve(draft, before.content, conflict, keep, ids.key)
              const left = open.filter((candidate) => candidate !== conflict)
              const conflicts = yield* ContentMerge.openConflicts(draft, content, left)
              const done = yield* advance(opened, draft, { parents: [before.id], type: "edits", content, conflicts })
              return done === stale ? stale : yield* changeRequests.presentOne(done.row, done.space)
            })
          )
        }),

        update: Effect.fn("ChangeRequestContents.update")(function* (id, idOrNumber, precondition) {
          return yield* store.retry(
            store.open(id, idOrNumber, { type: "update" }, precondition),
            Effect.fnUntraced(function* (opened) {
              const draft = objects.draft()
              const { upToDate, content, conflicts } = yield* pull(opened, draft)
              const result = conflicts.length > 0 ? ("conflicts" as const) : ("update" as const)
              if (upToDate) return { revision: opened.row.revision, result }
              const done = yield* pulled(opened, draft, content, conflicts)
              return done === stale ? stale : { revision: done.row.revision, result }
            })
          )
        }),

        merge: Effect.fn("ChangeRequestContents.merge")(function* (id, idOrNumber, options = {}) {
          const { bypass: bypassInput, ...precondition } = options
          const bypass = bypassInput && (yield* acceptBypass(bypassInput))
          const user = userOf(yield* CurrentActor)
          const open = store.open(
            id,
            idOrNumber,
            { type: "merge" },
            { ...precondition, action: "merge this change request" }
          )
          let allowedRevision: RevisionId | undefined
          /** Opens the change request, and checks the rules and the hook of the host once for each revision. */
          const openAllowed = Effect.tap(
            open,
            Effect.fnUntraced(function* ({ row }) {
              const { organization, space, id: changeRequest, number, subject, createdBy, revision } = row
              if (revision === allowedRevision) return
              yield* readiness.require(row, bypass)
              const request = { organization, space, changeRequest, number, subject, createdBy, revision }
              yield* runHook("merge", Effect.succeed(request))
              allowedRevision = revision
            })
          )
          return yield* store.retry(
            openAllowed,
            Effect.fnUntraced(function* (opened) {
              const draft = objects.draft()
              const { upToDate, content, conflicts } = yield* pull(opened, draft)
              if (conflicts.length > 0) {
                if (upToDate) return { revision: opened.row.revision, result: "conflicts" as const }
                const done = yield* pulled({ ...opened, status: opened.row.status }, draft, content, conflicts)
                return done === stale ? stale : { revision: done.row.revision, result: "conflicts" as const }
              }
              const main = yield* revisions.get(opened.space.revision)
              const mergedLinks = { main: main.content, merged: content, reader: draft }
              // The rules evaluate the links of a change request that is up to date.
              const linksBypass = upToDate
                ? undefined
                : yield* readiness.requireMergedLinks(opened.space, mergedLinks, bypass)
              const done = yield* mains.advance({ main, draft, content }, (commit) =>
                store.commit(
                  opened,
                  Effect.fnUntraced(function* (now, row) {
                    const usedBypass = (yield* readiness.require(row, bypass)) ?? linksBypass
                    if (usedBypass !== undefined)
                      yield* events.emit(
                        {
                          type: "merge_rules_bypassed",
                          organization: row.organization,
                          space: id,
                          changeRequest: row.id
                        },
                        {
                          label: row.subject || `Change request #${row.number}`,
                          changes: { reason: { from: null, to: usedBypass.reason } }
                        }
                      )
                    const mergeRevision = {
                      parents: uniqueValues([main.id, opened.row.revision]),
                      type: "merge",
                      createdAt: now,
                      mergedFrom: opened.row.id
                    } as const
                    const merged = yield* commit(opened.space, mergeRevision, (revised) => ({
                      ...revised,
                      type: "change_request_merged",
                      changeRequest: opened.row.id
                    }))
                    return {
                      patch: { revisionMerged: merged.id, mergedBy: user, mergedAt: now },
                      space: mainFields(merged)
                    }
                  }),
                  { computedFromMain: true }
                )
              )
              if (done === stale) return stale
              return { revision: done.space.revision, result: "merge" as const }
            }),
            { locksSpace: true }
          )
        })
      })
    })
  )
}

const uniqueValues = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
