/**
 * Tells several installations of one event: it is written once, and spread to their queues when receivers are looked for,
 * with all that has come by then, so that what tells it (a merge) waits for one row. Whatever else is queued for anybody
 * meanwhile comes behind: it is spread before.
 *
 * Limits: where nobody has looked for receivers for 10 seconds, whoever tells the next event spreads 200 of those before;
 * one that was spread more than an hour later has its payload by itself, since what is shared is removed by its age.
 */
import { Clock, Context, Duration, Effect } from "effect"
import { Ids } from "../identity/Ids.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { wired } from "../wiring/Wired.ts"
import type { InstallationId } from "./Installation.ts"
import { type IntegrationEventRow, IntegrationEventTable, ToldEventId } from "./IntegrationEvent.ts"
import type { PlacedIntegration } from "./IntegrationsAtWork.ts"
import { ReceiverQueues, type Waiting } from "./ReceiverQueues.ts"
import { SpreadTable, type ToldEventRow, ToldEventTable, type ToldPayload } from "./ToldEvent.ts"

const slice = 200
const lookedFor = Duration.toMillis("10 seconds")
const sharedFor = Duration.toMillis("1 hour")

export class ToldEvents extends Context.Service<
  ToldEvents,
  {
    /** Tells these receivers, in the transaction around it. */
    readonly tell: (
      organization: OrganizationId,
      receivers: ReadonlyArray<PlacedIntegration>,
      payload: ToldPayload
    ) => Effect.Effect<void, StorageError>
    /** Puts all that was told into the queues of its receivers. */
    readonly spread: Effect.Effect<void, StorageError>
  }
>()("@lectern/core/integration/ToldEvents") {
  static readonly layer = wired(
    ToldEvents,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const secrets = yield* Secrets
      const queues = yield* ReceiverQueues
      const told = storage.repository(ToldEventTable)
      const spreads = storage.repository(SpreadTable)

      const last = Effect.map(told.list({ where: {}, descending: true, limit: 1 }), ([row]) => row?.id)
      const spreadTo = Effect.map(spreads.get({ id: "all" }), (row) => row?.last ?? ToldEventId.make(""))

      /** The row of an event for one receiver. */
      const rowFor = (
        { id: told, organization, payload, createdAt }: ToldEventRow,
        installation: InstallationId,
        integration: IntegrationEventRow["integration"],
        isShared: boolean
      ): Waiting =>
        Effect.fnUntraced(function* (id) {
          const receiver = installation
          const row = { id, integration, organization, installation, receiver, state: "queued", createdAt } as const
          if (isShared) return { ...row, told }
          const json = JSON.stringify({ ...payload, installationId: installation })
          return { ...row, payload: yield* secrets.sealJson(IntegrationEventTable, { id }, "payload", json) }
        })

      /** Spreads those that were told first; true where there may be more. */
      const spreadSlice = storage.transaction(
        Effect.gen(function* () {
          const rows = yield* told.list({ where: {}, after: [yield* spreadTo], limit: slice })
          const [until] = rows.slice(-1)
          if (until === undefined) return false
          const shared = Timestamps.at((yield* Clock.currentTimeMillis) - sharedFor)
          const ofReceivers = new Map<InstallationId, [IntegrationEventRow["integration"], Array<Waiting>]>()
          for (const row of rows) {
            for (const { integration, installation } of row.receivers) {
              const waiting = rowFor(row, installation, integration, row.createdAt >= shared)
              const known = ofReceivers.get(installation)
              if (known === undefined) ofReceivers.set(installation, [integration, [waiting]])
              else known[1].push(waiting)
            }
          }
          for (const [installation, [integration, waiting]] of ofReceivers)
            yield* queues.add(installation, integration, waiting)
          const isKnown = (yield* spreads.update({ id: "all" }, { last: until.id })) > 0
          if (!isKnown) yield* spreads.insert({ id: "all", last: until.id })
          return rows.length === slice
        }).pipe(cannotConflict)
      )

      const isPending = Effect.gen(function* () {
        const newest = yield* last
        return newest !== undefined && newest > (yield* spreadTo)
      })

      return ToldEvents.of({
        tell: Effect.fnUntraced(function* (organization, receivers, payload) {
          const [before, spread] = [yield* last, yield* spreadTo]
          const now = yield* Clock.currentTimeMillis
          const known = before !== undefined && before > spread ? before : spread
          if (known > spread && spread < ids.firstAt(now - lookedFor)) yield* spreadSlice
          const row: ToldEventRow = {
            id: ToldEventId.make(known === "" ? yield* ids.next : yield* ids.behind(known)),
            organization,
            payload,
            receivers: receivers.map(({ integration, installation }) => ({
              integration: integration.key,
              installation: installation.id
            })),
            createdAt: Timestamps.at(now)
          }
          yield* told.insert(row).pipe(cannotConflict)
        }),

        spread: Effect.gen(function* () {
          if (yield* isPending) while (yield* spreadSlice);
        })
      })
    }),
    [ReceiverQueues.layer, Secrets.layer]
  )
}
