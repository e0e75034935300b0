/**
 * Pushes folders into change requests (see `Push`). The change request has the name of the push. The first push creates
 * it, and later pushes update it until it is merged or archived.
 *
 * A push is merged three-way with the content of the change request (see `FolderMerge`). The common base is the revision
 * that the folder was pulled at, or else the last push under the name, or else the last merged push into the space. In a
 * conflict, the content keeps the version of the folder (`ours`) until the conflict is resolved.
 */
import { Context, Data, Effect, Equal, Layer, Result } from "effect"
import type { CurrentActor } from "@lectern/core/access/Actor"
import type { Forbidden } from "@lectern/core/access/Forbidden"
import { baseRevision, type ChangeRequestRow, ChangeRequestTable } from "@lectern/core/change-request/ChangeRequest"
import { makeChangeRequestCreation } from "@lectern/core/change-request/ChangeRequestCreation"
import { makeChangeRequestPresenter } from "@lectern/core/change-request/ChangeRequestPresenter"
import { makeChangeRequestRevisions } from "@lectern/core/change-request/ChangeRequestRevisions"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequestStore, type OpenFailure, stale } from "@lectern/core/change-request/store/ChangeRequestStore"
import type { Content } from "@lectern/core/content/Content"
import * as ContentReader from "@lectern/core/content/ContentReader"
import { Contents } from "@lectern/core/content/Contents"
import type { Conflict } from "@lectern/core/content/merge/Conflict"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import type { RevisionRow } from "@lectern/core/content/revisions/Revision"
import { type RevisionNotFound, Revisions } from "@lectern/core/content/revisions/Revisions"
import { type ObjectDraft, type ObjectReader, Objects } from "@lectern/core/content/store/Objects"
import { ImportTable } from "@lectern/core/exchange/ImportRecord"
import { type PushRow, PushTable } from "@lectern/core/exchange/PushRow"
import { accepting, InvalidInput } from "@lectern/core/schema/Input"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId, SpaceNotFound } from "@lectern/core/space/Space"
import { SpacePolicy } from "@lectern/core/space/SpacePolicy"
import { Hasher } from "@lectern/core/storage/Hasher"
import { cannotConflict, Storage, type StorageError } from "@lectern/core/storage/Storage"
import * as ExportedContent from "../export/ExportedContent.ts"
import { conflictEntry } from "../import/ConflictEntry.ts"
import * as ContentStaging from "../import/ContentStaging.ts"
import type { FolderTooLarge, FolderUnreadable } from "../import/Folder.ts"
import * as FolderMerge from "../import/FolderMerge.ts"
import * as FolderPlan from "../import/FolderPlan.ts"
import * as GitbookYaml from "../import/GitbookYaml.ts"
import * as ImportReports from "../import/ImportReports.ts"
import { keyedPages } from "../import/KeyedPages.ts"
import * as AdoptedPages from "./AdoptedPages.ts"
import * as FileList from "./FileList.ts"
import * as FolderBytes from "./FolderBytes.ts"
import {
  maxListed,
  type PushConflict,
  type PushRefused,
  PushRequest,
  type PushResult,
  type UploadedPart
} from "./Push.ts"
import * as PushedFiles from "./PushedFiles.ts"

const accept = accepting(PushRequest)

type PushFailure = OpenFailure | InvalidInput | RevisionNotFound | FolderTooLarge | FolderUnreadable

/** Raised inside of a push if the import needs files without bytes. */
class BytesMissing extends Data.TaggedError("BytesMissing")<{ readonly oids: ReadonlySet<string> }> {}

/** Result of an import, before it is stored. */
interface ComputedPush extends Pick<FolderMerge.MergedFolder, "content" | "theirs" | "outline" | "findings"> {
  readonly draft: ObjectDraft
  readonly conflicts: ReadonlyArray<Conflict>
}

export class Pushes extends Context.Service<
  Pushes,
  {
    /**
     * Pushes a folder, or returns the files that must be uploaded first. A push of an unchanged folder writes nothing.
     *
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {FolderTooLarge} Beyond the limits of `Folder`.
     * @throws {FolderUnreadable}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {RevisionNotFound} If the space has no revision `base`.
     * @throws {SpaceNotFound}
     */
    readonly push: (space: SpaceId, input: PushRequest) => Effect.Effect<PushResult, PushFailure, CurrentActor>
    /**
     * Stores files for the next pushes into a space.
     *
     * @param archive Files as a tar archive. Their paths are ignored.
     * @throws {Forbidden}
     * @throws {InvalidInput} If the archive is incomplete or has too many files.
     * @throws {PushRefused} If the space has too many uploaded files.
     * @throws {SpaceNotFound}
     */
    readonly upload: (
      space: SpaceId,
      archive: Uint8Array
    ) => Effect.Effect<
      UploadedPart,
      SpaceNotFound | Forbidden | InvalidInput | PushRefused | StorageError,
      CurrentActor
    >
  }
>()("@lectern/exchange/push/Pushes") {
  static readonly layer = Layer.effect(
    Pushes,
    Effect.gen(function* () {
      const storage = yield* Storage
      const objects = yield* Objects
      const hasher = yield* Hasher
      const policy = yield* SpacePolicy
      const revisions = yield* Revisions
      const contents = yield* Contents
      const store = yield* ChangeRequestStore
      const changeRequestContents = yield* ChangeRequestContents
      const { advance, conflictsOf } = yield* makeChangeRequestRevisions
      const { presentOne } = yield* makeChangeRequestPresenter
      const create = yield* makeChangeRequestCreation
      const mergeFolder = yield* FolderMerge.make
      const exports = yield* ExportedContent.make
      const folderOf = yield* FolderBytes.make
      const uploads = yield* PushedFiles.make
      const staging = yield* ContentStaging.make
      const pushes = storage.repository(PushTable)
      const imports = storage.repository(ImportTable)
      const changeRequests = storage.repository(ChangeRequestTable)

      /** Returns the change request of a name that can be updated, and the last push under the name. */
      const targetOf = Effect.fnUntraced(function* (space: SpaceId, name: string) {
        const row = yield* pushes.get({ space, name })
        const pushed = row && (yield* changeRequests.get({ id: row.changeRequest }))
        if (pushed !== undefined && isUpdatable(pushed)) return { row, changeRequest: pushed }
        const updatable = yield* changeRequests.list({
          where: { space, status: { in: ["open", "draft"] } },
          order: ["number"],
          descending: true
        })
        return { row: undefined, changeRequest: updatable.find(({ subject }) => subject === name) }
      })

      /** Returns the pushes into a space with their change requests, the last merged one first. */
      const mergedPushes = Effect.fnUntraced(function* (space: SpaceId) {
        const rows = yield* pushes.list({ where: { space } })
        const found = yield* changeRequests.getMany(rows.map(({ changeRequest }) => ({ id: changeRequest })))
        const all = rows.map((row, i) => ({ row, changeRequest: found[i] }))
        const merged = all
          .filter(({ changeRequest }) => changeRequest?.status === "merged")
          .toSorted((a, b) => (a.changeRequest!.mergedAt! < b.changeRequest!.mergedAt! ? 1 : -1))
        return { all, merged }
      })

      /** Removes pushes that no later push needs: all but those to update, and the last merged one. */
      const prune = Effect.fnUntraced(function* (space: SpaceId) {
        const { all, merged } = yield* mergedPushes(space)
        const unused = all.filter(
          ({ row, changeRequest }) =>
            row !== merged[0]?.row && (changeRequest === undefined || !isUpdatable(changeRequest))
        )
        if (unused.length === 0) return
        yield* storage.transaction(pushes.remove({ space, name: { in: unused.map(({ row }) => row.name) } }))
      })

      /** Computes the content after the import of the folder into `current`. */
      const compute = Effect.fnUntraced(function* (
        space: SpaceId,
        current: Content,
        folder: FolderBytes.PushedFolder,
        common: FolderMerge.CommonContent | undefined
      ) {
        const draft = objects.draft()
        const plan = yield* FolderPlan.make(folder.folder)
        const paths = new Set([
          ...keyedPages(plan.pages, plan.root).map(({ key }) => key),
          ...Array.from(plan.index.files, ({ path }) => path)
        ])
        const now = yield* Timestamps.now
        const withPaths = yield* exports.withMissingPaths(draft, space, current, (path) => paths.has(path))
        const completed = common && {
          outline: common.outline,
          content: yield* AdoptedPages.adopt({
            draft,
            hasher,
            common: common.content,
            current: withPaths,
            plan,
            now
          })
        }
        const outline = common === undefined ? (yield* imports.get({ space }))?.outline : undefined
        const merged = yield* mergeFolder(space, { draft, current: withPaths, plan, common: completed, outline })
        if (folder.missing.size > 0) return yield* new BytesMissing({ oids: folder.missing })
        return { ...merged, draft } satisfies ComputedPush
      })

      const savePush = (row: PushRow) =>
        Effect.gen(function* () {
          const { space, name, ...fields } = row
          if ((yield* pushes.update({ space, name }, fields)) === 0) yield* pushes.insert(row)
        }).pipe(cannotConflict)

      const rowOf = Effect.fnUntraced(function* (
        { id, space }: Pick<ChangeRequestRow, "id" | "space">,
        name: string,
        { theirs, outline }: ComputedPush
      ) {
        const pushedAt = yield* Timestamps.now
        return { space, name, changeRequest: id, content: theirs, outline, pushedAt } satisfies PushRow
      })

      /** Returns the fields of a result. `base`: revision that the changes are counted from. */
      const outcomeOf = Effect.fnUntraced(function* (
        space: SpaceId,
        base: RevisionRow,
        { content, findings }: ComputedPush,
        conflicts: ReadonlyArray<Conflict>
      ) {
        const { changes, more = 0 } = yield* contents.compare(space, base, { ...base, content }, maxListed)
        return {
          object: "push" as const,
          changeCount: changes.length + more,
          changes,
          conflictCount: conflicts.length,
          conflicts: yield* Effect.forEach(conflicts.slice(0, maxListed), (conflict) =>
            describe(objects, content, conflict)
          ),
          report: ImportReports.make(findings)
        }
      })

      /** Returns true if the folder has all files of the content's export, with the same bytes. */
      const isExportOf = Effect.fnUntraced(function* (
        space: SpaceId,
        content: Content,
        { folder }: FolderBytes.PushedFolder
      ) {
        const listed = new Map(folder.files.map(({ path, oid }) => [path, oid]))
        const oids = yield* exports.oids(objects.draft(), space, content)
        // An export always has a table of contents, which the folder may lack.
        return Array.from(oids).every(([path, oid]) => listed.get(path) === oid || isNewSummary(path, listed))
      })

      /** Creates the change request of a name. */
      const pushNew = Effect.fnUntraced(function* (
        space: SpaceId,
        { name, dryRun = false }: PushRequest,
        folder: FolderBytes.PushedFolder,
        commonOf: Effect.Effect<FolderMerge.CommonContent | undefined, PushFailure>
      ) {
        const common = yield* commonOf
        const computePush = Effect.fnUntraced(function* (main: RevisionRow) {
          const computed = yield* compute(space, main.content, folder, common)
          yield* staging.putObjects(computed.draft)
          return { computed, outcome: yield* outcomeOf(space, main, computed, computed.conflicts) }
        })
        const { space: row } = yield* policy.require(space, "open a change request")
        const main = yield* revisions.get(row.revision)
        let result = yield* computePush(main)
        const { changeCount, conflictCount } = result.outcome
        if (changeCount === 0 && conflictCount === 0 && (yield* isExportOf(space, main.content, folder))) {
          return { ...result.outcome, status: "unchanged" as const }
        }
        if (dryRun) return { ...result.outcome, status: "planned" as const }
        let computedFrom = row.revision
        const changeRequest = yield* create(space, {
          fields: { status: "open", subject: name },
          initialContent: (main) =>
            Effect.gen(function* () {
              if (main.id !== computedFrom) result = yield* computePush(main)
              computedFrom = main.id
              return result.computed
            }),
          also: (created) => Effect.flatMap(rowOf(created, name, result.computed), savePush)
        })
        yield* prune(space)
        return { ...result.outcome, status: "pushed" as const, changeRequest }
      })

      /** Updates a change request. */
      const pushAgain = Effect.fnUntraced(function* (
        space: SpaceId,
        { name, dryRun = false }: PushRequest,
        folder: FolderBytes.PushedFolder,
        commonOf: Effect.Effect<FolderMerge.CommonContent | undefined, PushFailure>,
        id: string
      ) {
        const common = yield* commonOf
        const open = store.open(space, id, { type: "edit" })
        if (!dryRun) yield* changeRequestContents.update(space, id)
        return yield* store.retry(
          open,
          Effect.fnUntraced(function* (opened) {
            const before = yield* revisions.get(opened.row.revision)
            const computed = yield* compute(space, before.content, folder, common)
            const { draft, content } = computed
            const newIds = new Set(computed.conflicts.map((conflict) => conflict.id))
            const earlier = (yield* conflictsOf(before)).filter((conflict) => !newIds.has(conflict.id))
            const conflicts = [...(yield* ContentMerge.openConflicts(draft, content, earlier)), ...computed.conflicts]
            yield* staging.putObjects(draft)
            const base = yield* revisions.get(baseRevision(opened.row))
            const outcome = yield* outcomeOf(space, base, computed, conflicts)
            if (dryRun) {
              const changeRequest = yield* presentOne(opened.row, opened.space)
              return { ...outcome, status: "planned" as const, changeRequest }
            }
            const row = yield* rowOf({ ...opened.row, space }, name, computed)
            if (Equal.equals(content, before.content) && newIds.size === 0) {
              yield* storage.transaction(savePush(row))
              const changeRequest = yield* presentOne(opened.row, opened.space)
              return { ...outcome, status: "pushed" as const, changeRequest }
            }
            const revision = { parents: [before.id], type: "edits", content, conflicts, also: savePush(row) } as const
            const done = yield* advance(opened, draft, revision)
            if (done === stale) return stale
            const changeRequest = yield* presentOne(done.row, done.space)
            return { ...outcome, status: "pushed" as const, changeRequest }
          })
        )
      })

      return Pushes.of({
        push: Effect.fn("Pushes.push")(
          function* (space, rawInput) {
            yield* policy.require(space, "open a change request")
            const input = yield* accept(rawInput)
            const files = FileList.parse(input.files)
            if (Result.isFailure(files)) {
              return yield* new InvalidInput({ issues: [{ path: "body.files", message: files.failure }] })
            }
            const target = yield* targetOf(space, input.name)
            const { space: spaceRow } = yield* policy.require(space, "open a change request")
            const lastPush = target.row ?? (yield* mergedPushes(space)).merged[0]?.row
            const pulled = input.base === undefined ? undefined : yield* revisions.find(space, input.base)
            const main = yield* revisions.get(spaceRow.revision)
            const current =
              target.changeRequest === undefined ? undefined : yield* revisions.get(target.changeRequest.revision)
            const uploaded = yield* uploads.list(space)
            const folder = yield* folderOf(
              files.success,
              uploaded,
              [main, current, pulled, lastPush].flatMap((one) => (one === undefined ? [] : [one.content]))
            )
            if (folder.missing.size > 0) return incomplete(folder.missing)
            const commonOf =
              pulled === undefined
                ? Effect.succeed(lastPush)
                : Effect.gen(function* () {
                    const draft = objects.draft()
                    const common = yield* exports.asExported(draft, space, pulled.content)
                    yield* staging.putObjects(draft)
                    return common
                  })
            const result = yield* target.changeRequest === undefined
              ? pushNew(space, input, folder, commonOf)
              : pushAgain(space, input, folder, commonOf, target.changeRequest.id)
            if (result.status !== "planned") {
              const oids = new Set(files.success.map(({ oid }) => oid))
              const usedParts = Array.from(uploaded).flatMap(([oid, { part }]) => (oids.has(oid) ? [part] : []))
              yield* uploads.remove([...new Set(usedParts)])
            }
            return result
          },
          Effect.catchTag("BytesMissing", ({ oids }) => Effect.succeed(incomplete(oids)))
        ),

        upload: Effect.fn("Pushes.upload")(function* (space, archive) {
          yield* policy.require(space, "open a change request")
          return yield* uploads.put(space, archive)
        })
      })
    })
  )
}

const isUpdatable = ({ status }: ChangeRequestRow): boolean => status === "open" || status === "draft"

const isNewSummary = (path: string, listed: ReadonlyMap<string, unknown>): boolean =>
  path === GitbookYaml.defaults.summary && !listed.has(path)

const incomplete = (oids: ReadonlySet<string>): PushResult => ({
  object: "incomplete-push",
  missing: Array.from(oids)
})

const describe = Effect.fnUntraced(function* (objects: ObjectReader, content: Content, conflict: Conflict) {
  const entry = yield* conflictEntry(ContentReader.make(objects, content), conflict)
  const { id, field, variable } = conflict
  const title = entry === undefined ? undefined : "title" in entry ? entry.title : entry.name
  return {
    id,
    path: entry?.git?.path ?? title ?? variable ?? "",
    ...(field !== undefined && { field })
  } satisfies PushConflict
})
