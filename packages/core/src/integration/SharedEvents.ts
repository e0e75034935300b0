/**
 * Events for several installations. An event is written once, and copied to the queues of its receivers when queues are
 * polled, so that the transaction (a merge) waits for only one row. Other events for a receiver are queued after the
 * pending shared events.
 *
 * Limits: if queues were not polled for 10 seconds, the next shared event copies 200 earlier ones. An event that is
 * copied more than an hour after its creation has a payload of its own, because shared payloads are removed by age.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Ids } from "../identity/Ids.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { InstallationId } from "./Installation.ts"
import { type IntegrationEventRow, IntegrationEventTable, SharedEventId } from "./IntegrationEvent.ts"
import type { ActiveIntegration } from "./ActiveIntegrations.ts"
import { ReceiverQueues, type QueuedRow } from "./ReceiverQueues.ts"
import { DistributionTable, type SharedEventRow, SharedEventTable, type SharedPayload } from "./SharedEvent.ts"

const sliceSize = 200
const pollTimeout = Duration.toMillis("10 seconds")
const sharedMillis = Duration.toMillis("1 hour")

export class SharedEvents extends Context.Service<
  SharedEvents,
  {
    /** Writes an event for these receivers. Called inside a transaction. */
    readonly add: (
      organization: OrganizationId,
      receivers: ReadonlyArray<ActiveIntegration>,
      payload: SharedPayload
    ) => Effect.Effect<void, StorageError>
    /** Copies all pending events to the queues of their receivers. */
    readonly distribute: Effect.Effect<void, StorageError>
  }
>()("@lectern/core/integration/SharedEvents") {
  static readonly layer = Layer.effect(
    SharedEvents,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const secrets = yield* Secrets
      const queues = yield* ReceiverQueues
      const sharedEvents = storage.repository(SharedEventTable)
      const distributions = storage.repository(DistributionTable)

      const lastDistributed = Effect.map(distributions.get({ id: "all" }), (row) => row?.last ?? SharedEventId.make(""))

      /** Returns the row of an event for one receiver. */
      const rowFor = (
        { id: sharedEventId, organization, payload, createdAt }: SharedEventRow,
        installation: InstallationId,
        integration: IntegrationEventRow["integration"],
        isShared: boolean
      ): QueuedRow =>
        Effect.fnUntraced(function* (id) {
          const receiver = installation
          const row = { id, integration, organization, installation, receiver, state: "queued", createdAt } as const
          if (isShared) return { ...row, told: sharedEventId }
          const json = JSON.stringify({ ...payload, installationId: installation })
          return { ...row, payload: yield* secrets.sealJson(IntegrationEventTable, { id }, "payload", json) }
        })

      /** Copies the oldest pending events. Returns true if more may be pending. */
      const distributeSlice = storage.transaction(
        Effect.gen(function* () {
          const rows = yield* sharedEvents.list({ where: {}, after: [yield* lastDistributed], limit: sliceSize })
          const [lastRow] = rows.slice(-1)
          if (lastRow === undefined) return false
          const sharedSince = Timestamps.at((yield* Clock.currentTimeMillis) - sharedMillis)
          const rowsByReceiver = new Map<InstallationId, [IntegrationEventRow["integration"], Array<QueuedRow>]>()
          for (const row of rows) {
            for (const { integration, installation } of row.receivers) {
              const queuedRow = rowFor(row, installation, integration, row.createdAt >= sharedSince)
              const receiverRows = rowsByReceiver.get(installation)
              if (receiverRows === undefined) rowsByReceiver.set(installation, [integration, [queuedRow]])
              else receiverRows[1].push(queuedRow)
            }
          }
          for (const [installation, [integration, queuedRows]] of rowsByReceiver)
            yield* queues.add(installation, integration, queuedRows)
          const isStored = (yield* distributions.update({ id: "all" }, { last: lastRow.id })) > 0
          if (!isStored) yield* distributions.insert({ id: "all", last: lastRow.id })
          return rows.length === sliceSize
        }).pipe(cannotConflict)
      )

      const isPending = Effect.gen(function* () {
        const rows = yield* sharedEvents.list({ where: {}, after: [yield* lastDistributed], limit: 1 })
        return rows.length > 0
      })

      return SharedEvents.of({
        add: Effect.fnUntraced(function* (organization, receivers, payload) {
          const distributedId = yield* lastDistributed
          const now = yield* Clock.currentTimeMillis
          if (distributedId < ids.firstAt(now - pollTimeout)) yield* distributeSlice
          const row: Omit<SharedEventRow, "id"> = {
            organization,
            payload,
            receivers: receivers.map(({ integration, installation }) => ({
              integration: integration.key,
              installation: installation.id
            })),
            createdAt: Timestamps.at(now)
          }
          const idAfter = yield* ids.following
          // Distributed events may have been removed.
          const idOf = (last = "") => SharedEventId.make(idAfter(last > distributedId ? last : distributedId))
          yield* sharedEvents.append((last) => ({ ...row, id: idOf(last) }))
        }),

        distribute: Effect.gen(function* () {
          if (yield* isPending) while (yield* distributeSlice);
        })
      })
    })
  )
}
