/** Creates, lists, reads and updates change requests. `ChangeRequestContents` handles their content. */
import { Context, Effect, Layer } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { InvalidChange } from "../content/edits/ContentErrors.ts"
import * as RequestDocument from "../content/documents/RequestDocument.ts"
import { isSmall, jsonText } from "../content/documents/StoredDocument.ts"
import { Objects } from "../content/store/Objects.ts"
import { type RevisionNotFound, Revisions } from "../content/revisions/Revisions.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { type SpaceId, type SpaceNotFound, SpaceTable } from "../space/Space.ts"
import { readable } from "../space/ReadableSpaces.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import type { TooCostly } from "../thread/Threads.ts"
import { makeTemplateContents, type TemplateFailure } from "../template/contents/TemplateContents.ts"
import {
  type ChangeRequest,
  ChangeRequestConflict,
  ChangeRequestCreate,
  type ChangeRequestNotFound,
  ChangeRequestPatch,
  type ChangeRequestRow,
  ChangeRequestTable,
  RevisionRevert,
  type StatusFilter
} from "./ChangeRequest.ts"
import { makeChangeRequestCreation } from "./ChangeRequestCreation.ts"
import { makeChangeRequestLookup } from "./store/ChangeRequestLookup.ts"
import { type ChangeRequestStatus } from "./ChangeRequestState.ts"
import { makeChangeRequestPresenter } from "./ChangeRequestPresenter.ts"
import { ChangeRequestStore, stale, type OpenFailure } from "./store/ChangeRequestStore.ts"
import { makeRevisionRevert } from "./RevisionRevert.ts"
import { makeContributors } from "../comment/Contributors.ts"
import type { ChangeRequestContributor } from "../comment/Comment.ts"
import type { ScopeFailure } from "../comment/CommentScopes.ts"

const acceptCreate = accepting(ChangeRequestCreate)
const acceptPatch = accepting(ChangeRequestPatch)
const acceptRevert = accepting(RevisionRevert)

export interface ChangeRequestFilter {
  /** Statuses to list. Default: only `open`. */
  readonly status?: ReadonlyArray<StatusFilter>
  /** Id of a user who created the change request, edited its content or commented on it. */
  readonly contributor?: string
  /** Id of a user whose review is requested, and who has not submitted one since. */
  readonly reviewer?: string
}

type Params = PageParams & ChangeRequestFilter

export class ChangeRequests extends Context.Service<
  ChangeRequests,
  {
    /**
     * Lists the change requests of a space, newest first.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const { items } = await lectern.changeRequests.list(space.id, { status: ["draft", "open"] })
     * console.log(items.map(({ number, subject }) => `#${number} ${subject}`))
     * ```
     */
    readonly list: (
      space: SpaceId,
      params: Params
    ) => Effect.Effect<ListPage<ChangeRequest>, SpaceNotFound | Forbidden | InvalidCursor | StorageError, CurrentActor>
    /**
     * Lists the change requests in spaces of an organization that the actor may read, newest first.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly listInOrganization: (
      organization: OrganizationId,
      params: Params
    ) => Effect.Effect<
      ListPage<ChangeRequest>,
      OrganizationNotFound | Forbidden | InvalidCursor | StorageError,
      CurrentActor
    >
    /**
     * Creates a change request with the current content of the space, and with the pages of a template after it.
     *
     * @throws {ChangeRequestConflict}
     * @throws {Forbidden}
     * @throws {InvalidChange}
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     * @throws {TemplateNotFound}
     * @throws {TooCostly}
     * @example
     * ```ts
     * const { id, number } = await lectern.changeRequests.create(space.id, { subject: "Explain refunds" })
     * await lectern.changeRequests.content.write(space.id, id, [
     *   { operation: "insert_page", title: "Refunds", document: { markdown: "Refunds take 14 days." } }
     * ])
     * console.log(`Change request #${number}`)
     * ```
     */
    readonly create: (
      space: SpaceId,
      input: ChangeRequestCreate
    ) => Effect.Effect<
      ChangeRequest,
      SpaceNotFound | ChangeRequestConflict | Forbidden | InvalidChange | TemplateFailure | TooCostly,
      CurrentActor
    >
    /**
     * Creates a draft that returns the space, or some of its pages, to an earlier revision. The main content changes
     * only when the change request is merged.
     *
     * @param revision Id of a revision of the space.
     * @throws {ChangeRequestConflict} If the content does not differ from the revision.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {RevisionNotFound} If the space has no revision with the id.
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const { id } = await lectern.changeRequests.revert(space.id, space.revision, { subject: "Undo the merge" })
     * await lectern.changeRequests.content.merge(space.id, id)
     * ```
     */
    readonly revert: (
      space: SpaceId,
      revision: string,
      input?: RevisionRevert
    ) => Effect.Effect<
      ChangeRequest,
      SpaceNotFound | RevisionNotFound | ChangeRequestConflict | Forbidden | InvalidInput | StorageError,
      CurrentActor
    >
    /**
     * Returns a change request.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @throws {ChangeRequestNotFound} If the space has no such change request.
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const { status, outdated } = await lectern.changeRequests.get(space.id, "1")
     * console.log(status, outdated)
     * ```
     */
    readonly get: (
      space: SpaceId,
      idOrNumber: string
    ) => Effect.Effect<ChangeRequest, SpaceNotFound | ChangeRequestNotFound | Forbidden | StorageError, CurrentActor>
    /**
     * Changes the subject, the description or the status of a change request. The status `open` submits it for review.
     *
     * @param idOrNumber Id of the change request, or its number in the space.
     * @throws {ChangeRequestConflict} If the change request is merged.
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {Forbidden}
     * @throws {InvalidChange} For an invalid description.
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     * @throws {TooCostly} For a description that takes too long to parse.
     * @example
     * ```ts
     * await lectern.changeRequests.update(space.id, changeRequest.id, { status: "open" })
     * ```
     */
    readonly update: (
      space: SpaceId,
      idOrNumber: string,
      patch: ChangeRequestPatch
    ) => Effect.Effect<ChangeRequest, OpenFailure | InvalidChange | TooCostly | InvalidInput, CurrentActor>
    /**
     * Lists the users who edited the content, then the users who commented, with the number and the time of the last
     * contribution. A user with both kinds has two entries.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     */
    readonly contributors: (
      space: SpaceId,
      changeRequest: string,
      params: PageParams
    ) => Effect.Effect<ListPage<ChangeRequestContributor>, ScopeFailure | InvalidCursor, CurrentActor>
  }
>()("@lectern/core/change-request/ChangeRequests") {
  static readonly layer = Layer.effect(
    ChangeRequests,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const events = yield* Events
      const objects = yield* Objects
      const paging = yield* Paging
      const policy = yield* SpacePolicy
      const organizations = yield* Organizations
      const lookup = yield* makeChangeRequestLookup
      const store = yield* ChangeRequestStore
      const create = yield* makeChangeRequestCreation
      const templates = yield* makeTemplateContents
      const revisions = yield* Revisions
      const revert = yield* makeRevisionRevert
      const { present, presentMergeable, presentPreviewed } = yield* makeChangeRequestPresenter
      const spaces = storage.repository(SpaceTable)

      /** Returns the sizes of the descriptions, which may be as large as pages. */
      const sizesOf = Effect.fnUntraced(function* (rows: ReadonlyArray<ChangeRequestRow>) {
        const documents = yield* objects.documents(rows.flatMap(({ description }) => description ?? []))
        let described = 0
        return rows.map(({ description }) => (description === undefined ? 0 : jsonText(documents[described++]!).length))
      })

      /** Parses a description and prepares its storage. */
      const writeDescription = Effect.fnUntraced(function* (description: unknown) {
        const document = yield* RequestDocument.read(description, "body.description", {
          threads: objects.threads,
          nextKey: ids.key
        })
        const draft = objects.draft()
        return { draft, hash: isSmall(document) ? draft.write(document) : draft.writeJson(document.json) }
      })

      return ChangeRequests.of({
        list: Effect.fn("ChangeRequests.list")(function* (id, params) {
          const { space } = yield* policy.require(id, "see the work on this space")
          const rowPage = yield* paging.rows(
            ChangeRequestTable,
            `change requests of ${id} ${filterName(params)}`,
            { where: { space: id, ...filter(params) }, order: ["number"], descending: true },
            params,
            sizesOf
          )
          return { ...rowPage, items: yield* present(rowPage.items.map((row) => ({ row, space }))) }
        }),

        listInOrganization: Effect.fn("ChangeRequests.listInOrganization")(function* (organization, params) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const readableSpaces = yield* spaces.list({ where: readable(organization, member) })
          const spacesById = new Map(readableSpaces.map((space) => [space.id, space]))
          const page = yield* paging.rows(
            ChangeRequestTable,
            `change requests of ${organization} ${filterName(params)}`,
            {
              where: { organization, space: { in: [...spacesById.keys()] }, ...filter(params) },
              order: ["createdAt"],
              descending: true
            },
            params,
            sizesOf
          )
          return {
            ...page,
            items: yield* present(page.items.map((row) => ({ row, space: spacesById.get(row.space)! })))
          }
        }),

        create: Effect.fn("ChangeRequests.create")(function* (id, rawInput) {
          const { template, ...input } = yield* acceptCreate(rawInput)
          const description = input.description === undefined ? undefined : yield* writeDescription(input.description)
          return yield* create(id, {
            fields: {
              status: input.status ?? "draft",
              subject: input.subject ?? "",
              ...(description !== undefined && { description: description.hash }),
              ...(input.agentTaskId !== undefined && { agentTask: input.agentTaskId })
            },
            initialContent: (main) =>
              template === undefined ? Effect.undefined : templates.make(main.content, template, "body.template"),
            also: () => description?.draft.flush ?? Effect.void
          })
        }),

        revert: Effect.fn("ChangeRequests.revert")(function* (id, revision, rawInput = {}) {
          const { pages, subject = `Revert to revision ${revision}` } = yield* acceptRevert(rawInput)
          yield* policy.require(id, "open a change request")
          const earlier = yield* revisions.find(id, revision)
          return yield* create(id, {
            fields: { status: "draft", subject },
            initialContent: Effect.fnUntraced(function* (main) {
              const reverted = yield* revert(main.content, earlier.content, pages)
              if (reverted !== undefined) return reverted
              return yield* new ChangeRequestConflict({ message: "The content does not differ from the revision" })
            })
          })
        }),

        get: Effect.fn("ChangeRequests.get")(function* (id, idOrNumber) {
          const actor = yield* CurrentActor
          const previewedId = actor.type === "visitor" ? actor.preview?.changeRequest : undefined
          if (previewedId?.space === id) {
            yield* policy.require(id, "read this space")
            const row = yield* lookup.find(id, idOrNumber)
            if (row.id === previewedId.id) return yield* presentPreviewed(row)
          }
          const { space } = yield* policy.require(id, "see the work on this space")
          const row = yield* lookup.find(id, idOrNumber)
          return yield* presentMergeable(row, space)
        }),

        update: Effect.fn("ChangeRequests.update")(function* (id, idOrNumber, rawInput) {
          const patch = yield* acceptPatch(rawInput)
          const description = patch.description === undefined ? undefined : yield* writeDescription(patch.description)
          return yield* store.retry(
            store.open(id, idOrNumber, {
              type: "change",
              ...(patch.status !== undefined && { status: patch.status })
            }),
            Effect.fnUntraced(function* (opened) {
              const changedFields: Partial<Pick<ChangeRequestRow, "subject" | "description">> = {
                ...(patch.subject !== undefined && { subject: patch.subject }),
                ...(description !== undefined && { description: description.hash })
              }
              if (!hasChanges(opened.row, { ...changedFields, status: opened.status })) {
                return yield* presentMergeable(opened.row, opened.space)
              }
              const result = yield* store.commit(opened, () =>
                Effect.gen(function* () {
                  if (description !== undefined) yield* description.draft.flush
                  const { organization, id: changeRequest, status: previousStatus } = opened.row
                  const eventFields = { organization, space: id, changeRequest }
                  if (hasChanges(opened.row, changedFields)) {
                    yield* events.emit({ type: "change_request_updated", ...eventFields })
                  }
                  const { status } = patch
                  if (status !== undefined && previousStatus !== "merged" && status !== previousStatus) {
                    yield* events.emit({
                      type: "change_request_status_updated",
                      ...eventFields,
                      previousStatus,
                      status
                    })
                  }
                  return { patch: changedFields }
                })
              )
              return result === stale ? stale : yield* presentMergeable(result.row, result.space)
            })
          )
        }),

        ...(yield* makeContributors)
      })
    })
  )
}

const statusesOf = ({ status = ["open"] }: ChangeRequestFilter): ReadonlyArray<ChangeRequestStatus> | undefined =>
  status.includes("all") ? undefined : (status as ReadonlyArray<ChangeRequestStatus>)

const filter = (params: ChangeRequestFilter) => {
  const statuses = statusesOf(params)
  return {
    ...(statuses && { status: { in: statuses } }),
    ...(params.contributor !== undefined && { contributors: { any: [params.contributor] } }),
    ...(params.reviewer !== undefined && { awaitedReviewers: { any: [params.reviewer] } })
  }
}

const filterName = (params: ChangeRequestFilter) =>
  JSON.stringify([statusesOf(params)?.toSorted() ?? "all", params.contributor ?? null, params.reviewer ?? null])
