/** Starts, lists, reads and cancels import runs. `ImportRunJob` executes them. */
import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { CurrentActor, userOf } from "@lectern/core/access/Actor"
import type { Forbidden } from "@lectern/core/access/Forbidden"
import type { NewEvent } from "@lectern/core/event/Event"
import { Events } from "@lectern/core/event/Events"
import { Ids } from "@lectern/core/identity/Ids"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import * as Job from "@lectern/core/job/Job"
import { Jobs } from "@lectern/core/job/Jobs"
import type { OrganizationId, OrganizationNotFound } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { type InvalidCursor, type ListPage, Paging } from "@lectern/core/paging/Paging"
import { accepting, InvalidInput } from "@lectern/core/schema/Input"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { type SpaceNotFound, SpaceTable } from "@lectern/core/space/Space"
import { spaceNotFound, SpacePolicy } from "@lectern/core/space/SpacePolicy"
import type { PageParams } from "@lectern/core/storage/PageParams"
import { applyPatch } from "@lectern/core/storage/Row"
import { cannotConflict, Storage, type StorageError } from "@lectern/core/storage/Storage"
import { uploadClaims } from "@lectern/core/upload/UploadClaims"
import {
  type ImportRun,
  type ImportRunFilter,
  ImportRunNotFound,
  ImportRunRefused,
  ImportRunStart,
  retentionDays,
  maxFinished,
  maxUnfinished
} from "./ImportRun.ts"
import { type ImportRunRow, ImportRunTable, unfinishedStatuses } from "@lectern/core/exchange/ImportRunRow"

export const RunImport = Job.kind("run-import", Schema.Struct({ run: Schema.String }), { attempts: 3 })

const accept = accepting(ImportRunStart)

/** Returns the event of the end of a run. */
export const importFinished = (
  { organization, space, id, createdBy }: ImportRunRow,
  state: "success" | "failure" | "cancelled"
): NewEvent => ({
  type: "import_finished",
  organization,
  space,
  import: id,
  state,
  startedBy: createdBy ?? null
})

type Failure = OrganizationNotFound | Forbidden | StorageError

export class ImportRuns extends Context.Service<
  ImportRuns,
  {
    /**
     * Lists the import runs into spaces that the actor may read, newest first.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams & ImportRunFilter
    ) => Effect.Effect<ListPage<ImportRun>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns an import run.
     *
     * @param id Id of the run.
     * @throws {Forbidden}
     * @throws {ImportRunNotFound} If the run does not exist or the actor may not read its space.
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<ImportRun, Failure | ImportRunNotFound, CurrentActor>
    /**
     * Starts an import in the background, with the permissions of the actor.
     *
     * @throws {Forbidden}
     * @throws {ImportRunRefused}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly start: (
      organization: OrganizationId,
      input: ImportRunStart
    ) => Effect.Effect<ImportRun, Failure | SpaceNotFound | InvalidInput | ImportRunRefused, CurrentActor>
    /**
     * Cancels an unfinished run. The run stops within a second, and imports nothing unless it commits before.
     *
     * @param id Id of the run.
     * @throws {Forbidden}
     * @throws {ImportRunNotFound}
     * @throws {ImportRunRefused} If the run has finished.
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly cancel: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<ImportRun, Failure | SpaceNotFound | ImportRunNotFound | ImportRunRefused, CurrentActor>
  }
>()("@lectern/exchange/import-run/ImportRuns") {
  static readonly layer = Layer.effect(
    ImportRuns,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const jobs = yield* Jobs
      const events = yield* Events
      const organizations = yield* Organizations
      const paging = yield* Paging
      const policy = yield* SpacePolicy
      const publicUrl = yield* PublicUrl
      const uploads = yield* uploadClaims
      const runs = storage.repository(ImportRunTable)
      const spaces = storage.repository(SpaceTable)

      const present = ({ organization, space, changeRequest, ...row }: ImportRunRow): ImportRun => ({
        object: "import-run",
        ...row,
        target: { space, ...(changeRequest !== undefined && { changeRequest }) },
        urls: { location: `${publicUrl}/v1/org/${organization}/imports/${row.id}` }
      })

      /** Returns the runs into spaces that the actor may read. */
      const visibleRuns = Effect.fnUntraced(function* (rows: ReadonlyArray<ImportRunRow>) {
        const spaceIds = [...new Set(rows.map(({ space }) => space))]
        const existingSpaces = (yield* spaces.getMany(spaceIds.map((id) => ({ id })))).filter(
          (space) => space !== undefined
        )
        const readableIds = new Set((yield* policy.readable(existingSpaces)).map(({ space }) => space.id))
        return rows.filter(({ space }) => readableIds.has(space))
      })

      const find = Effect.fnUntraced(function* (organization: OrganizationId, id: string) {
        yield* organizations.require(organization, "see this organization")
        const row = yield* runs.get({ id })
        const [run] = row?.organization === organization ? yield* visibleRuns([row]) : []
        if (run !== undefined) return run
        return yield* new ImportRunNotFound({ message: `There is no import ${id.slice(0, 50)}` })
      })

      return ImportRuns.of({
        list: Effect.fn("ImportRuns.list")(function* (organization, { space, changeRequest, status, ...params }) {
          yield* organizations.require(organization, "see this organization")
          const where = {
            organization,
            ...(status !== undefined && { status: status === "active" ? { in: unfinishedStatuses } : status })
          }
          const rows = (yield* runs.list({ where })).filter(
            (row) =>
              (space === undefined || row.space === space) &&
              (changeRequest === undefined || row.changeRequest === changeRequest)
          )
          const visibleRows = (yield* visibleRuns(rows)).toSorted((a, b) => (a.id < b.id ? 1 : -1))
          const list = `imports of ${organization} ${JSON.stringify([space, changeRequest, status])}`
          const page = yield* paging.items(visibleRows, list, ({ id }) => id, params, { descending: true })
          return { ...page, items: page.items.map(present) }
        }),

        get: Effect.fn("ImportRuns.get")(function* (organization, id) {
          return present(yield* find(organization, id))
        }),

        start: Effect.fn("ImportRuns.start")(function* (organization, rawInput) {
          const { source, target } = yield* accept(rawInput)
          const actor = yield* CurrentActor
          if (target.page !== undefined) {
            const message = "Expected a space: not a page of it"
            return yield* new InvalidInput({ issues: [{ path: "body.target.page", message }] })
          }
          const { space, changeRequest } = target
          const user = userOf(actor)
          const clock = yield* Clock.currentTimeMillis
          const now = Timestamps.at(clock)
          return yield* storage.transaction(
            Effect.gen(function* () {
              yield* organizations.require(organization, "see this organization")
              // Write access to the change request is checked when the run imports.
              const action = changeRequest === undefined ? "edit this space" : "open a change request"
              const authorizedSpace = yield* policy.require(space, action)
              if (authorizedSpace.space.organization !== organization) return yield* spaceNotFound(space)
              const existingRuns = yield* runs.list({ where: { organization } })
              const unfinishedCount = existingRuns.filter(({ status }) =>
                unfinishedStatuses.some((one) => one === status)
              ).length
              if (unfinishedCount >= maxUnfinished) {
                return yield* new ImportRunRefused({
                  message: `At most ${maxUnfinished} imports of an organization wait`
                })
              }
              if (source.type === "file") {
                yield* uploads.byKey(organization, "import_file", source.files, (i) => `body.source.files[${i}]`)
              }
              const retentionStart = Timestamps.at(clock - Duration.toMillis(Duration.days(retentionDays)))
              const endedRuns = existingRuns.filter(({ status }) => unfinishedStatuses.every((one) => one !== status))
              const expiredRuns = endedRuns.filter(
                (row, i) => row.updatedAt < retentionStart || i <= endedRuns.length - maxFinished
              )
              if (expiredRuns.length > 0) yield* runs.remove({ id: { in: expiredRuns.map(({ id }) => id) } })
              const row: ImportRunRow = {
                id: yield* ids.nextAfter(existingRuns.at(-1)?.id ?? ""),
                organization,
                space,
                ...(changeRequest !== undefined && { changeRequest }),
                source,
                status: "pending",
                ...(user !== null && { createdBy: user }),
                createdAt: now,
                updatedAt: now
              }
              yield* runs.insert(row).pipe(cannotConflict)
              yield* jobs.enqueue(RunImport, { run: row.id })
              return present(row)
            })
          )
        }),

        cancel: Effect.fn("ImportRuns.cancel")(function* (organization, id) {
          const now = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              const row = yield* find(organization, id)
              yield* policy.require(
                row.space,
                row.changeRequest === undefined ? "edit this space" : "open a change request"
              )
              const patch = { status: "cancelled", completedAt: now, updatedAt: now } as const
              const updateCount = yield* runs.update({ id, status: { in: unfinishedStatuses } }, patch)
              if (updateCount === 0) return yield* new ImportRunRefused({ message: "The import has ended" })
              yield* events.emit(importFinished(row, "cancelled"))
              return present(applyPatch(ImportRunTable, row, patch))
            })
          )
        })
      })
    })
  )
}
