/**
 * Reads the audit log of an organization, for its administrators.
 *
 * Limits: 50 events per page by default, at most 1,000; 500 per call of an export.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { millisOf } from "../schema/InputTime.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { auditActions } from "./AuditActions.ts"
import {
  type AuditEvent,
  type AuditEventAction,
  AuditEventFilter,
  AuditEventNotFound,
  type AuditEventRow,
  AuditEventTable
} from "./AuditEvent.ts"

const exportPageSize = 500

const accept = accepting(AuditEventFilter)

type Failure = OrganizationNotFound | Forbidden | StorageError

export class AuditEvents extends Context.Service<
  AuditEvents,
  {
    /**
     * Lists events of an organization that match the filter, newest first. Administrators only.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor} For a `page` of another list.
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams & AuditEventFilter
    ) => Effect.Effect<ListPage<AuditEvent>, Failure | InvalidCursor | InvalidInput, CurrentActor>
    /**
     * Returns an audit event. Administrators only.
     *
     * @param id Id of the event.
     * @throws {AuditEventNotFound}
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<AuditEvent, Failure | AuditEventNotFound, CurrentActor>
    /**
     * Lists all actions with their labels.
     *
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly actions: (
      organization: OrganizationId
    ) => Effect.Effect<{ readonly items: ReadonlyArray<AuditEventAction> }, Failure, CurrentActor>
    /**
     * Reads up to 500 events that match the filter, without counting, for an export. An empty array marks the end.
     * Administrators only.
     *
     * @param after Last event of the previous call. Default: from the start.
     * @param after.id Id of the event.
     * @param after.occurredAt Time of the event.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     */
    readonly read: (
      organization: OrganizationId,
      filter: AuditEventFilter,
      after?: Pick<AuditEvent, "id" | "occurredAt">
    ) => Effect.Effect<ReadonlyArray<AuditEvent>, Failure | InvalidInput, CurrentActor>
  }
>()("@lectern/core/audit/AuditEvents") {
  static readonly layer = Layer.effect(
    AuditEvents,
    Effect.gen(function* () {
      const rows = (yield* Storage).repository(AuditEventTable)
      const organizations = yield* Organizations
      const paging = yield* Paging
      const publicUrl = yield* PublicUrl

      const requireAdministrator = (organization: OrganizationId) =>
        organizations.require(organization, "see the audit log of this organization")

      const present = ({ organization, request, ...row }: AuditEventRow): AuditEvent => ({
        object: "audit-event",
        ...row,
        ...(request !== undefined && { correlationId: request }),
        schemaVersion: 1,
        urls: { location: `${publicUrl}/v1/orgs/${organization}/audit-events/${row.id}` }
      })

      const queryOf = (organization: OrganizationId, { from, to, action, actor, target }: AuditEventFilter) =>
        ({
          where: {
            organization,
            ...(action !== undefined && { action }),
            ...(actor !== undefined && { actorId: actor }),
            ...(target !== undefined && { targetId: target }),
            ...((from !== undefined || to !== undefined) && {
              occurredAt: {
                ...(from !== undefined && { gte: Timestamps.at(millisOf(from)) }),
                ...(to !== undefined && { lte: Timestamps.at(millisOf(to)) })
              }
            })
          },
          order: ["occurredAt"],
          descending: true
        }) as const

      return AuditEvents.of({
        list: Effect.fn("AuditEvents.list")(function* (organization, { page, limit, ...wanted }) {
          const filter = yield* accept(wanted)
          yield* requireAdministrator(organization)
          const params = { ...(page !== undefined && { page }), ...(limit !== undefined && { limit }) }
          const { from, to, action, actor, target } = filter
          const list = `audit events of ${organization} ${JSON.stringify([from, to, action, actor, target])}`
          const eventPage = yield* paging.rows(AuditEventTable, list, queryOf(organization, filter), params)
          return { ...eventPage, items: eventPage.items.map(present) }
        }),

        get: Effect.fn("AuditEvents.get")(function* (organization, id) {
          yield* requireAdministrator(organization)
          const row = yield* rows.get({ organization, id })
          if (row === undefined) {
            return yield* new AuditEventNotFound({ message: `There is no audit event ${id.slice(0, 50)}` })
          }
          return present(row)
        }),

        actions: Effect.fn("AuditEvents.actions")(function* (organization) {
          yield* requireAdministrator(organization)
          return { items: auditActions }
        }),

        read: Effect.fn("AuditEvents.read")(function* (organization, rawInput, after) {
          const query = queryOf(organization, yield* accept(rawInput))
          yield* requireAdministrator(organization)
          const eventRows = yield* rows.list({
            ...query,
            ...(after && { after: [after.occurredAt, organization, after.id] }),
            limit: exportPageSize
          })
          return eventRows.map(present)
        })
      })
    })
  )
}
